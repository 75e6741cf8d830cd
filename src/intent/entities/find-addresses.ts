/** E-mail addresses and URLs in a text. Pure; looks around each `@` and each `http`, no further than they may be long. */
import { lazyRegExp } from "../../lib/once.ts";
import type { Span } from "./spans.ts";

const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
const MAX_URL = 2_000;

const LOCAL = /[A-Za-z0-9._%+'-]/;
const DOMAIN = /[A-Za-z0-9.-]/;
const WHOLE_DOMAIN = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

export function findEmails(text: string): Span[] {
  const spans: Span[] = [];
  for (let sign = text.indexOf("@"); sign !== -1; sign = text.indexOf("@", sign + 1)) {
    let at = sign;
    while (at > 0 && sign - at < MAX_LOCAL && LOCAL.test(text.charAt(at - 1))) at--;
    // A quotation mark or a full stop before it belongs to the sentence.
    while (at < sign && /[.'%+-]/.test(text.charAt(at))) at++;
    let end = sign + 1;
    while (end < text.length && end - sign <= MAX_DOMAIN && DOMAIN.test(text.charAt(end))) end++;
    while (end > sign && /[.-]/.test(text.charAt(end - 1))) end--;
    const [local, domain] = [text.slice(at, sign), text.slice(sign + 1, end)];
    if (local === "" || local.endsWith(".") || local.includes("..") || !WHOLE_DOMAIN.test(domain)) continue;
    spans.push({ value: `${local}@${domain.toLowerCase()}`, at, end });
  }
  return spans;
}

/** What a URL may hold, by RFC 3986, but for marks that in running text belong to the sentence. */
const ASCII_URL = /(?<![A-Za-z0-9@./_-])(?:https?:\/\/|www\.)[!#-&(-;=?-[\]_a-z~]{1,2000}/gi;
/** Letters of other scripts count where one follows a `/` or the like: `…/wiki/日本語`, but not `example.comを見て`. */
const OTHER_LETTERS = lazyRegExp(String.raw`^[\p{L}\p{N}\p{M}!#-&(-;=?_~]+`, "u");
const LAST = /[.,:;!?&*]$/;

export function findUrls(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(ASCII_URL)) {
    let url = match[0];
    if (/[/=#?&_-]$/.test(url)) {
      const rest = text.slice(match.index + url.length, match.index + MAX_URL);
      url += OTHER_LETTERS().exec(rest)?.[0] ?? "";
    }
    url = withoutTrail(url);
    const value = /^www\./i.test(url) ? `https://${url}` : url;
    if (URL.canParse(value) && new URL(value).hostname.length > 0) {
      spans.push({ value, at: match.index, end: match.index + url.length });
    }
  }
  return spans;
}

/** Without the sentence's own marks, and a bracket that was opened before the URL. */
function withoutTrail(url: string): string {
  let rest = url;
  let open = count(rest, "(") - count(rest, ")");
  let openSquare = count(rest, "[") - count(rest, "]");
  for (;;) {
    if (LAST.test(rest)) rest = rest.slice(0, -1);
    else if (open < 0 && rest.endsWith(")")) {
      rest = rest.slice(0, -1);
      open++;
    } else if (openSquare < 0 && rest.endsWith("]")) {
      rest = rest.slice(0, -1);
      openSquare++;
    } else return rest;
  }
}

const count = (text: string, char: string): number => text.split(char).length - 1;
