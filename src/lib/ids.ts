/** Ids that sort by creation time: 10 characters of milliseconds, 16 random ones (80 bits). */

/** The kind of thing that an id names. */
type IdPrefix =
  | "turn"
  | "sess"
  | "task"
  | "dec"
  | "call"
  | "appr"
  | "grant"
  | "run"
  | "evt"
  | "key"
  | "plan"
  | "msg"
  | "mcp"
  | "ask"
  | "req"
  | "resp"
  | "conv"
  | "rs"
  | "fc"
  | "ctc"
  | "cu"
  | "ts"
  | "ig"
  | "ers"
  | "batch";

/** Crockford's base 32 in lower case: its code-unit order is its numeric order. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * `turn_01k9…`: the prefix, `_`, and 26 characters. Ids with one prefix sort by the millisecond of their creation; within
 * a millisecond the order is random.
 * @param now milliseconds since the epoch.
 */
export function newId(prefix: IdPrefix, now: number): string {
  let id = idTime(now);
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) id += alphabet[byte % 32];
  return `${prefix}_${id}`;
}

const SHAPE = /^[a-z]+_([0-9a-hjkmnp-tv-z]{10})/;

/** The millisecond that the id was made in; undefined if the id is not one of these. */
export function timeOfId(id: string): number | undefined {
  const [, digits] = SHAPE.exec(id) ?? [];
  if (digits === undefined) return undefined;
  return [...digits].reduce((time, digit) => time * 32 + alphabet.indexOf(digit), 0);
}

/** The first characters, after the prefix, of all ids of a millisecond. */
export function idTime(now: number): string {
  if (!Number.isInteger(now) || now < 0 || now >= 2 ** 48) throw new RangeError(`not a time in milliseconds: ${now}`);
  let text = "";
  for (let rest = now, place = 0; place < 10; place++, rest = Math.floor(rest / 32)) text = alphabet[rest % 32] + text;
  return text;
}
