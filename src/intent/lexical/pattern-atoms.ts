/** The smallest parts of a pattern: letters, escapes, classes, assertions. Pure. */

interface Atom {
  readonly plain: string;
  readonly marked: string;
  readonly needs?: readonly string[];
  readonly exact?: string;
  /** Matches so much that repeating it says nothing: `.`, `\w`, `[^,]`. */
  readonly open: boolean;
}

interface Reader {
  readonly source: string;
  at: number;
}

const literal = (plain: string, exact: string): Atom => ({
  plain,
  marked: plain,
  exact,
  needs: exact.trim() === "" ? undefined : [exact],
  open: false,
});
/** Has no letter of its own, so it breaks a word: `\b` and `^` do not, since they match nothing. */
const other = (plain: string, open: boolean): Atom => ({ plain, marked: plain, open });

/** @returns nothing where it is not understood; `reader.at` then stands anywhere. */
export function readAtom(reader: Reader): Atom | undefined {
  const { source, at } = reader;
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  if (character === "\\") return readEscape(reader);
  if (character === "[") return readClass(reader);
  if ("*+?".includes(character)) return undefined;
  reader.at += character.length;
  if (character === ".") return other(".", true);
  if (character === "^" || character === "$") return { plain: character, marked: character, exact: "", open: false };
  return literal(character, character);
}

const controls: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v", a: "\x07" };

function readEscape(reader: Reader): Atom | undefined {
  const rest = reader.source.slice(reader.at, reader.at + 64);
  const take = (text: string) => {
    reader.at += text.length;
    return text;
  };
  const next = rest.charAt(1);
  const hex = /^\\x(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{2}))/.exec(rest);
  if (hex) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? "", 16);
    return code > 0x10ffff ? undefined : literal(take(hex[0]), String.fromCodePoint(code));
  }
  const property = /^\\[pP](?:\{[^}]*\}|[A-Za-z])/.exec(rest);
  if (property) return other(take(property[0]), true);
  if ("dwsDWSC".includes(next) && next !== "") {
    take(rest.slice(0, 2));
    // White space counts for nothing in the measure, so it is never open.
    return other(`\\${next}`, next !== "s");
  }
  if ("bBAz".includes(next) && next !== "") return { ...literal(take(rest.slice(0, 2)), ""), needs: undefined };
  const control = Object.hasOwn(controls, next) ? controls[next] : undefined;
  if (control !== undefined) return literal(take(rest.slice(0, 2)), control);
  return /^\\[^\w\s]/.test(rest) ? readEscaped(reader) : undefined;
}

function readEscaped(reader: Reader): Atom {
  const character = String.fromCodePoint(reader.source.codePointAt(reader.at + 1) ?? 0);
  reader.at += 1 + character.length;
  return literal(`\\${character}`, character);
}

/** A class is read up to its end. One letter of a few is as good as said; many are open. */
function readClass(reader: Reader): Atom | undefined {
  const start = reader.at;
  const { source } = reader;
  let at = start + 1;
  const negated = source[at] === "^";
  if (negated) at += 1;
  if (source[at] === "]") at += 1;
  while (at < source.length && source[at] !== "]") {
    if (source[at] === "\\") at += 2;
    else if (source.startsWith("[:", at)) at = Math.max(at + 2, source.indexOf(":]", at) + 2);
    else at += 1;
  }
  if (at >= source.length) return undefined;
  reader.at = at + 1;
  const plain = source.slice(start, at + 1);
  return other(plain, negated || plain.length > 12 || /\\[pPdDwWS]|-|\[:/.test(plain));
}
