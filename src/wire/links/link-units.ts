/**
 * Reads the text at one place as something that could become a link: each function reads a unit from its first character on, and returns
 * whether it passes as it came, or the text to write in its place. Pure.
 *
 * Nothing is repaired: the characters that make a link are broken (`](` becomes `] (`, `<` becomes `&lt;`, `https:` becomes
 * `https[:]`), and the text behind them is read as plain text. So it matters little how a renderer would have read the whole.
 */
import { hostOf, type NamedHosts, targetOf } from "./named-hosts.ts";

interface Unit {
  /** UTF-16 units that it covers. */
  readonly take: number;
  /** The text to write in its place; undefined if it passes. */
  readonly instead?: string;
  /** The target of a link that is none any more; absent if no link is counted. */
  readonly host?: string;
  /** Text that follows without a blank could become part of it. */
  readonly isAddress?: true;
  /** From here to the next blank line code cannot be told from text: a title, or raw HTML, may hold backticks. */
  readonly unclear?: "inline" | "html";
}

/** More text is needed. */
export const WAIT = "wait";
export type LinkReading = Unit | typeof WAIT;

export interface UnitContext {
  /** From the unit's first character on, at most `MAX_UNIT`. */
  readonly text: string;
  /** Text may still come that belongs to the unit. */
  readonly open: boolean;
  readonly named: NamedHosts;
  readonly removes: boolean;
}

/** No person reads a longer link: it is broken at its beginning. */
export const MAX_UNIT = 2048;
const REMOVED = "[removed]";

const passes = (take: number, unclear?: "inline" | "html"): Unit => (unclear ? { take, unclear } : { take });

/** `(` behind `]`: the address of a link or an image. */
export function readDestination({ text, open, named, removes }: UnitContext): LinkReading {
  const start = /^\([ \t]*/.exec(text)?.[0].length ?? 1;
  if (start === text.length && open) return WAIT;
  // The lines of a link must be read as lines.
  if (/[\r\n]/.test(text.charAt(start))) return brokenLink(1, removes, "");
  const angled = text.charAt(start) === "<";
  const end = angled ? endOfAngled(text, start) : endOfBare(text, start);
  if (end === undefined) return open ? WAIT : brokenLink(1, removes, "");
  const written = angled ? text.slice(start + 1, end - 1) : text.slice(start, end);
  const target = targetOf(written, named);
  // `<b>` is a tag if the bracket is none.
  const mayBeTag = angled && !/^https?:/i.test(written);
  if (!target.isNamed || mayBeTag) return brokenLink(removes ? end : 1, removes, hostOnly(written, target.host));
  if (text.charAt(end) !== ")") return passes(end, "inline");
  // If the bracket is none, a bare address goes on behind the parenthesis.
  if (end + 1 === text.length && open) return WAIT;
  return /[\p{L}\p{N}._-]/u.test(text.charAt(end + 1)) && /^https?:\/\/[^/?#]*$/i.test(written)
    ? brokenLink(1, removes, "")
    : { take: end, ...(/^https?:/i.test(written) ? { isAddress: true } : {}) };
}

const brokenLink = (take: number, removes: boolean, host: string): Unit => ({
  take,
  instead: removes && take > 1 ? ` (${REMOVED}` : " (",
  ...(host === "" ? {} : { host }),
});

/** Empty if the address counts as a link of its own when it is read as text. */
const hostOnly = (written: string, host: string): string =>
  /(?:https?|ftp):\/\/|www\.|@|\/\//i.test(written) ? "" : host;

function endOfAngled(text: string, start: number): number | undefined {
  const found = /^<[^<>\r\n]*[<>\r\n]/.exec(text.slice(start))?.[0];
  return found === undefined ? undefined : start + found.length;
}

/** To a blank or to the parenthesis that closes the link. */
function endOfBare(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char <= " ") return at;
    if (char === "\\") at += 1;
    else if (char === "(") depth += 1;
    else if (char === ")") {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return undefined;
}

/** `:` behind `]`: a reference's address. */
export function readDefinition({ text, open, named, removes }: UnitContext): LinkReading {
  const found = /^:[ \t]*(?:\r\n|\r|\n)?[ \t]*([^\0-\x20]*)/.exec(text);
  const all = found?.[0] ?? ":";
  const written = found?.[1] ?? "";
  if (all.length === text.length && open) return WAIT;
  if (written === "") return passes(1);
  const address = /^<([^<>]*)>?/.exec(written)?.[1] ?? written;
  const target = targetOf(address, named);
  if (target.isNamed) return passes(1, "inline");
  const isOneLine = !/[\r\n]/.test(all);
  if (removes && isOneLine) return { take: all.length, instead: ` : ${REMOVED}`, host: target.host };
  const host = hostOnly(address, target.host);
  return { take: 1, instead: " :", ...(host === "" ? {} : { host }) };
}

const HOST_CHARS = String.raw`[\p{L}\p{N}.-]+(?::\d+)?`;
/** A host ends with its path, or with punctuation that ends the address: other characters could be part of its name. */
const AFTER_HOST = String.raw`(?=[/?#<]|[.,:;!?'"*_)]*(?:\s|$))`;
const NAMED_URL = new RegExp(`^(${HOST_CHARS}?)${AFTER_HOST}`, "u");
const NAMED_REST = /^[^\s<>()[\]|`"'*_~,;!\\&]*(?:&(?!#|[a-z][a-z0-9]*;)[^\s<>()[\]|`"'*_~,;!\\&]*)*/i;
const ANY_REST = /^[^\s<>()[\]|`&\\]*/;

/** `:` behind `http`, `https` or `ftp`. @param scheme which of them. */
export function readUrl(context: UnitContext, scheme: string): LinkReading {
  const { text, open } = context;
  const slashes = /^:\\?(?:\/(?:\\?\/)?)?/.exec(text)?.[0] ?? ":";
  if (slashes.length === text.length && open) return WAIT;
  if (!/\/\\?\/$/.test(slashes)) return passes(1);
  const isPlain = slashes === "://" && scheme.toLowerCase() !== "ftp";
  return readAddress(context, slashes.length, isPlain, "");
}

/** `.` behind `www`. */
export const readWww = (context: UnitContext): LinkReading => {
  if (context.text.length === 1 && context.open) return WAIT;
  return /^\.[\p{L}\p{N}\\&%_-]/u.test(context.text) ? readAddress(context, 1, true, "www.") : passes(1);
};

function readAddress(
  { text, open, named, removes }: UnitContext,
  start: number,
  isPlain: boolean,
  prefix: string,
): LinkReading {
  const rest = text.slice(start);
  // An address ends with a blank: before it, the host is not known.
  const whole = /^[^\s<]*/.exec(rest)?.[0] ?? "";
  if (whole.length === rest.length && open) return WAIT;
  const authority = NAMED_URL.exec(rest)?.[1]?.replace(/\.+$/, "") ?? "";
  const host = isPlain && authority !== "" ? hostOf(prefix + authority) : undefined;
  const isCut = whole.length === rest.length && text.length === MAX_UNIT;
  if (host !== undefined && !isCut && named.isNamed(host)) {
    const behind = rest.slice(authority.length);
    return { take: start + authority.length + (NAMED_REST.exec(behind)?.[0].length ?? 0), isAddress: true };
  }
  const run = (ANY_REST.exec(rest)?.[0] ?? "").replace(/[.,:;!?'"*_~]+$/, "");
  const opening = prefix === "" ? "[://]" : "[.]";
  return {
    take: start + run.length,
    instead: opening + (removes ? REMOVED : defanged(run)),
    host: host ?? (/^[^/?#]*/.exec(run)?.[0].slice(0, 100) || "?"),
  };
}

/** `/` behind another: some renderers link `//host`, too. */
export function readHostOnly({ text, open, named, removes }: UnitContext): LinkReading {
  const rest = /^\/[^\s<]*/.exec(text)?.[0].slice(1) ?? "";
  const isHost = /^(?:[\p{L}\p{N}-]+\.[\p{L}\p{N}]|localhost|\[)/u;
  if (1 + rest.length === text.length && open && /^[\p{L}\p{N}.[-]*/u.exec(rest)?.[0].length === rest.length)
    return WAIT;
  if (!isHost.test(rest)) return passes(1);
  if (1 + rest.length === text.length && open) return WAIT;
  const host = hostOf(/^[^/?#]*/.exec(rest)?.[0] ?? "");
  if (host !== undefined && named.isNamed(host)) return passes(1);
  const run = ANY_REST.exec(rest)?.[0] ?? "";
  return { take: 1 + run.length, instead: `[/]${removes ? REMOVED : defanged(run)}`, host: host ?? run.slice(0, 100) };
}

const defanged = (run: string): string => run.replace(/[.:]/g, "[$&]").replaceAll("@", "[at]");

/** `@` behind a letter: a mail address. */
export function readMail({ text, open, named, removes }: UnitContext): LinkReading {
  const found = /^@[\p{L}\p{N}_-]*(?:\\?\.[\p{L}\p{N}_-]*)*\\?/u.exec(text)?.[0] ?? "@";
  if (found.length === text.length && open) return WAIT;
  const host = found.slice(1).replace(/[.\\_-]+$/, "");
  if (!/[^.]\\?\.[^.]/.test(host) || named.isNamedMail(host)) return passes(1);
  return { take: 1 + host.length, instead: `[at]${removes ? REMOVED : defanged(host)}`, host };
}

/** Their content is no Markdown, or they change how a page reads the text behind them. */
const SPECIAL =
  /^(?:script|style|textarea|title|xmp|iframe|noembed|noframes|noscript|plaintext|template|svg|math|select|pre|html|head|body|frameset|base|link|meta|object|embed|form|video|audio|source|picture)$/i;
const ATTRIBUTES = String.raw`((?:\s+(?:href|src|alt|title|width|height)=(?:"[^"<>]*"|'[^'<>]*'))+)\s*\/?>`;
const LINK_TAG = new RegExp(`^<(?:a|img)${ATTRIBUTES}`, "i");

/** `<`: raw HTML, or an address in angle brackets. A tag passes if it has no attributes, or leads to a named host. */
export function readTag(context: UnitContext): LinkReading {
  const { text, open, named } = context;
  if (text.length === 1 && open) return WAIT;
  if (!/^<[a-z/!?]/i.test(text)) return passes(1);
  const address = /^<([a-z][a-z0-9+.-]*[:@][^\s<>]*)/i.exec(text);
  if (address) {
    if (address[0].length === text.length && open) return WAIT;
    return readAngled(address[1] ?? "", text.charAt(address[0].length), named);
  }
  const word = /^<\/?[a-z0-9+._-]*/i.exec(text)?.[0] ?? "<";
  if (word.length === text.length && open) return WAIT;
  const bare = /^<\/?([a-z][a-z0-9-]*)[ \t]*\/?(?:>|$)/i.exec(text);
  if (bare?.[0].length === text.length && open && !text.endsWith(">")) return WAIT;
  if (bare?.[0].endsWith(">")) return SPECIAL.test(bare[1] ?? "") ? escaped("") : passes(bare[0].length, "html");
  return /^<(?:a|img)[ \t]/i.test(text) ? readLinkTag(context) : escaped("");
}

const escaped = (host: string): Unit => ({ take: 1, instead: "&lt;", ...(host === "" ? {} : { host }) });

function readAngled(address: string, next: string, named: NamedHosts): Unit {
  const isMail = /^[^:]*@/.test(address);
  const target = targetOf(isMail ? `mailto:${address}` : address, named);
  const isAddress = isMail || /^(?:https?|mailto|tel):/i.test(address);
  return next === ">" && isAddress && target.isNamed
    ? passes(address.length + 2)
    : escaped(hostOnly(address, target.host));
}

function readLinkTag({ text, open, named }: UnitContext): LinkReading {
  const tag = /^<[a-z]+(?:[^"'<>\r\n]|"[^"<>\r\n]*"|'[^'<>\r\n]*')*(?:[<>\r\n]|["'][^"'<>\r\n]*[<>\r\n])/i.exec(
    text,
  )?.[0];
  if (tag === undefined) return open ? WAIT : escaped("");
  const attributes = LINK_TAG.exec(tag)?.[1];
  if (attributes === undefined) return escaped("");
  const found = [...attributes.matchAll(/(\w+)=["']([^"']*)["']/g)];
  const other = found.find(
    ([, name = "", value = ""]) => /^(?:href|src)$/i.test(name) && !targetOf(value.trim(), named).isNamed,
  )?.[2];
  if (other !== undefined) return escaped(hostOnly(other, targetOf(other.trim(), named).host));
  return found.some(([, , value = ""]) => /[`\\]/.test(value)) ? escaped("") : passes(tag.length, "html");
}

/** Named characters that addresses are made of. */
const ADDRESS_NAMES = /^(?:colon|sol|period|commat|lowbar|UnderBar|bsol|fjlig|num|quest|equals|percnt)$/;

/** `&`: an entity that spells a character of an address is shown as it is written. */
export function readEntity({ text, open }: UnitContext): LinkReading {
  const found = /^&(?:#(?:x[0-9a-f]{0,8}|[0-9]{0,8})|[a-z][a-z0-9]{0,32})?/i.exec(text)?.[0] ?? "&";
  if (found.length === text.length && open) return WAIT;
  if (text.charAt(found.length) !== ";") return passes(1);
  const name = found.slice(1);
  const spells = name.startsWith("#") ? spellsAddress(name.slice(1)) : ADDRESS_NAMES.test(name);
  return spells ? { take: 1, instead: "&amp;" } : passes(1);
}

function spellsAddress(digits: string): boolean {
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
  if (Number.isNaN(code) || code > 0x10ffff) return false;
  return /[a-z0-9:/.@\\%_-]/i.test(String.fromCodePoint(code).normalize("NFKC").replace("。", "."));
}
