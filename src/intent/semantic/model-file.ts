/** How models are stored: the length of the head (4 bytes), the head as JSON, then arrays, each padded to four bytes. Pure. */

type Numbers = Int8Array | Uint16Array | Uint32Array | Float32Array;

export function packModel(head: unknown, arrays: readonly Numbers[]): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(head));
  const parts = [text, ...arrays.map((array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength))];
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + padded(length), 4));
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  let at = 4;
  for (const part of parts) {
    bytes.set(part, at);
    at += padded(part.length);
  }
  return bytes;
}

interface PackedModel {
  readonly head: unknown;
  /** The next array. Throws if the bytes end before it does. */
  take<A extends Numbers>(kind: new (buffer: ArrayBuffer, at: number, length: number) => A, length: number): A;
  isAtEnd(): boolean;
}

/** Throws on bytes that are not such a file. */
export function unpackModel(bytes: Uint8Array): PackedModel {
  // A copy: the arrays are views, which begin at a multiple of their size and must not change.
  const { buffer } = bytes.slice();
  const length = new DataView(buffer).getUint32(0, true);
  const head: unknown = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let at = 4 + padded(length);
  return {
    head,
    take(kind, count) {
      const array = new kind(buffer, at, count);
      at += padded(array.byteLength);
      return array;
    },
    isAtEnd: () => at === buffer.byteLength,
  };
}

const padded = (length: number): number => Math.ceil(length / 4) * 4;

/** Rows of numbers in a byte each: number `i` of a row is `bytes[i] * scale`. */
interface RoundedRows {
  readonly bytes: Int8Array;
  readonly scales: Float32Array;
}

/** Each number is rounded to 1/127 of the largest in its row. */
export function roundRows(rows: readonly Float32Array[]): RoundedRows {
  const scales = new Float32Array(rows.length);
  const bytes = new Int8Array(rows.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  rows.forEach((row, i) => {
    const scale = Math.fround(row.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-12) / 127);
    scales[i] = scale;
    bytes.set(
      row.map((value) => Math.round(value / scale)),
      at,
    );
    at += row.length;
  });
  return { bytes, scales };
}

/** The rows as they were, but for the rounding, one after the other. */
export function unroundRows({ bytes, scales }: RoundedRows): Float32Array {
  const width = bytes.length / scales.length;
  const values = new Float32Array(bytes.length);
  // A plain loop: a mapped constructor takes four times as long, and a request may wait for this.
  for (let row = 0, at = 0; row < scales.length; row++) {
    const scale = scales[row] as number;
    for (let end = at + width; at < end; at++) values[at] = (bytes[at] as number) * scale;
  }
  return values;
}
