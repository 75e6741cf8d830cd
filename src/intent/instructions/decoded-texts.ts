/** A text as a model may read it: markup and encodings undone, twice at most, within bounds. Pure. */

/** UTF-16 units that are decoded of one text, over all its encodings. */
const MAX_DECODED = 64 * 1024;
const MAX_RUNS = 64;

/** JSON's escapes as a model reads them: a line break between two words must not hide them from a pattern. */
export const withoutEscapes = (text: string): string =>
  text.includes("\\")
    ? text.replace(/\\(?:u([0-9a-fA-F]{4})|([nrtbf])|(["/\\]))/g, (_, code?: string, blank?: string, sign?: string) =>
        code !== undefined ? String.fromCharCode(Number.parseInt(code, 16)) : blank === undefined ? (sign ?? "") : "\n",
      )
    : text;

/** The texts that are encoded in a text, also in a text within it. */
export function decodedTexts(text: string): readonly string[] {
  const first = decodeOnce(text, MAX_DECODED);
  const left = MAX_DECODED - first.reduce((sum, one) => sum + one.length, 0);
  return [...first, ...first.flatMap((one) => decodeOnce(one, Math.max(0, left) / first.length))];
}

function decodeOnce(text: string, max: number): readonly string[] {
  const whole = [withoutEntities(text), withoutPercent(text), withoutRot13(text)].filter(
    (one): one is string => one !== undefined && one.length <= max,
  );
  return [...whole, ...runsOf(text, max)];
}

/** Undefined if nothing is encoded, or too little to mean anything. */
function withoutEntities(text: string): string | undefined {
  if (!/&(?:#\d|#x[\da-f])/i.test(text)) return undefined;
  return text.replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));?/gi, (all, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 8 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : all;
  });
}

function withoutPercent(text: string): string | undefined {
  if (!/(?:%[2-7][\da-f][\w.!*'()~-]{0,30}){3}/i.test(text)) return undefined;
  return text.replace(/(?:%[\da-f]{2})+/gi, (run) => utf8Of(Buffer.from(run.replaceAll("%", ""), "hex")) ?? run);
}

const withoutRot13 = (text: string): string | undefined =>
  /rot[ -]?13/i.test(text)
    ? text.replace(/[a-z]/gi, (one) => {
        const base = one < "a" ? 65 : 97;
        return String.fromCharCode(((one.charCodeAt(0) - base + 13) % 26) + base);
      })
    : undefined;

/** Base64 and hexadecimal that decode to text. */
function runsOf(text: string, max: number): readonly string[] {
  const found: string[] = [];
  let left = max;
  let runs = 0;
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{24,}={0,2}|(?:[\da-f]{2}[ :]){12,}[\da-f]{2}/gi)) {
    runs += 1;
    if (runs > MAX_RUNS || run.length > left) break;
    const bare = run.replace(/[ :]/g, "");
    const decoded = /^[\da-f]+$/i.test(bare) ? Buffer.from(bare, "hex") : Buffer.from(run, "base64");
    const words = utf8Of(decoded);
    if (words === undefined) continue;
    left -= words.length;
    found.push(words);
  }
  return found;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Undefined if the bytes are no written text. */
function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    const text = utf8.decode(bytes);
    return text.length >= 3 && !/[^\P{Cc}\s]|\ufffd/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
