/** A time as the SDK takes it without guessing: a plain number may be read as one since the isolate's start. */
export const timeOf = (ms: number): [seconds: number, nanoseconds: number] => [
  Math.floor(ms / 1000),
  Math.round((ms % 1000) * 1e6),
];
