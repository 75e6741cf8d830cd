/**
 * One form for the harmless spellings of a value. Pure.
 *
 * Two texts are the same value only if their forms are equal: there is no table of look-alikes, so a text that merely looks like
 * a value does not become it. Only differences that cannot send a call elsewhere are folded: case, `https://`, `www.`, a trailing stop or slash,
 * `mailto:`, angle brackets, `#` and `@` before a name, `./`, blanks in numbers of accounts and phones.
 */

import { lazyRegExp } from "../../../lib/once.ts";
import { normalForm } from "../../../lib/text/normal-form.ts";

/**
 * Invisible characters, and those that turn the direction of writing; line breaks and tabs too, since a value is one line.
 * Private and unassigned characters may look like anything.
 */
const hidden = lazyRegExp(
  String.raw`[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`,
  "u",
);
/** Punctuation of Chinese and Japanese writing that is a compatibility form, and that no address holds. */
const cjkPunctuation = /[（）！，；～]/gu;
const cjkLetter = lazyRegExp(String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]`, "u");
const lookAlikeScripts = ["Latin", "Cyrillic", "Greek", "Armenian", "Cherokee", "Coptic"].map((script) =>
  lazyRegExp(String.raw`\p{sc=${script}}`, "u"),
);

/** Longer values are content, or an attack on the time of this check. */
const MAX_VALUE = 4_096;

/**
 * Whether a value can be compared at all. One with hidden or compatibility characters, or with letters of scripts that look
 * alike in one word, is never the user's: people do not type them, and may take the value for another.
 */
export function isComparable(value: string): boolean {
  if (value.length > MAX_VALUE || hidden().test(value)) return false;
  // The Kelvin sign is a K once it is normalised: only what composes may change.
  if (!/^[\x20-\x7e]*$/.test(value) && [...value].some((one) => one.normalize("NFC") !== one)) return false;
  const plain = cjkLetter().test(value) ? value.replace(cjkPunctuation, " ") : value;
  if (normalForm(plain, "NFC") !== normalForm(plain, "NFKC")) return false;
  return plain.split(/\s+/u).every((word) => partsOf(word).every(isOfOneScript));
}

/** `отчёт.txt`, `план-Q3`: only the name of a file or a thing may be of two scripts, each part of it is of one. */
const partsOf = (word: string): readonly string[] => (/[@:]/.test(word) ? [word] : word.split(/[./\\_-]/));

const isOfOneScript = (part: string): boolean => lookAlikeScripts.filter((script) => script().test(part)).length < 2;

/** For texts and values alike, before they are split. A text keeps its hidden characters: a value with one in it does not match. */
export const folded = (text: string): string => normalForm(text, "NFKC").toLowerCase();

const SCHEMES = /^(?:https?:\/\/|mailto:|tel:)/;

/** One token in its form. @param token folded, without blanks. */
export function canonicalToken(token: string): string {
  let form = token.replace(/^[<*'’]+|[>*'’]+$/gu, "");
  const scheme = SCHEMES.exec(form)?.[0] ?? "";
  form = form.slice(scheme.length);
  if (scheme.startsWith("http") || looksLikeHost(form)) form = form.replace(/^www\./, "");
  if (form.startsWith("./") && form.length > 2) form = form.slice(2);
  if (/^[#@][^#@.]+$/.test(form)) form = form.slice(1);
  // `a/b/..` is the folder above.
  if (!form.endsWith("/..")) form = form.replace(/[.,:;!?…'’]+$/u, "");
  if (form.length > 1 && form.endsWith("/") && !form.endsWith("//")) form = form.slice(0, -1).replace(/\.$/, "");
  return scheme === "" || !scheme.startsWith("http") ? form : form.replace(/^([^/?#]*?)\.(?=[/?#]|$)/, "$1");
}

const looksLikeHost = (text: string): boolean => /^www\.[^\s/@]+\.[^\s/@]+/.test(text);

const EMAIL = /^(?:mailto:)?[^\s@<>,;"()]+@[^\s@<>,;"()]+$/i;
const URL_LIKE =
  /^[a-z][a-z0-9+.-]{1,20}:\/\/|^www\.|^(?:[a-z0-9-]+\.)+[a-z]{2,24}(?::\d+)?(?:[/?#]|$)|^\d{1,3}(?:\.\d{1,3}){3}(?:[:/]|$)/i;

/** Whether a whole value is a mail address, a URL, a host, a phone number or an IBAN. */
export function looksLikeAddress(value: string): boolean {
  const text = normalForm(value, "NFKC").trim();
  return (
    EMAIL.test(text) || URL_LIKE.test(text) || /<[^<>\s]+@[^<>\s]+>$/.test(text) || accountForm(text) !== undefined
  );
}

/** `Anna Meier <anna@example.com>`: the mail goes only to the address. */
export function addressOfMailbox(value: string): string | undefined {
  return /^"?[^"<>@,;:()]{1,100}"?\s*<([^\s<>@,;]+@[^\s<>@,;]+)>$/u.exec(value.trim())?.[1];
}

/**
 * A number by its value, as its shortest decimal text; undefined if it is none, or could be read in two ways. `1,000.50`,
 * `1.000,50 €` and `$1000.5` are one. One separator before three digits groups thousands. A number with a leading zero is a
 * code, and one of more than 15 digits is compared as a text.
 */
export function numberForm(text: string): string | undefined {
  const bare = text
    .replace(
      /^(?:[$€£¥₹₩]|us\$|eur|usd|gbp|chf|jpy|cny|rmb)\s?|\s?(?:[$€£¥₹₩₽%]|eur|usd|gbp|chf|jpy|cny|rmb|°[cf]?|x)$/gu,
      "",
    )
    .replace(/[.,][-–]{1,2}$/u, "")
    .trim();
  const [, sign = "", digits = ""] = /^([-+−]?)(\.?\d[\d.,'’]*)$/u.exec(bare) ?? [];
  const form = digits === "" ? undefined : digitsForm(digits);
  return form === undefined || sign === "" || sign === "+" || form === "0" ? form : `-${form}`;
}

/** @param digits with separators, and nothing else. */
export function digitsForm(digits: string): string | undefined {
  if (digits.length > 24) return undefined;
  const plain = decimalOf(digits.replaceAll("’", "'"));
  if (plain === undefined) return undefined;
  const [whole = "", fraction = ""] = plain.split(".");
  if (whole.length + fraction.length > 15 || (whole.length > 1 && whole.startsWith("0"))) return undefined;
  const rest = fraction.replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}

/** As JSON has it; a number that is not exact is compared as no number. */
export const numberText = (value: number): string | undefined =>
  Number.isFinite(value) && !/e/.test(String(value)) ? String(value) : undefined;

/** With a point as the only separator. */
function decimalOf(digits: string): string | undefined {
  if (digits.startsWith(".")) return /^\.\d+$/.test(digits) ? `0${digits}` : undefined;
  const groups = /^\d{1,3}(?:([.,'])\d{3})(?:\1\d{3})*(?:([.,])\d+)?$/.exec(digits);
  if (groups && !digits.startsWith("0") && groups[1] !== groups[2]) {
    const [, group = "", point] = groups;
    const whole = point === undefined ? digits : digits.slice(0, digits.lastIndexOf(point));
    const fraction = point === undefined ? "" : `.${digits.slice(digits.lastIndexOf(point) + 1)}`;
    return whole.replaceAll(group, "") + fraction;
  }
  if (/^\d+$/.test(digits)) return digits;
  if (/^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/.test(digits)) return digits.replaceAll(",", "");
  return /^\d+[.,]\d+$/.test(digits) ? digits.replace(",", ".") : undefined;
}

/** An IBAN, another code in groups of four, or a phone number, without what parts its groups; undefined for others. */
export function accountForm(text: string): string | undefined {
  const bare = text.trim().replace(/^tel:/i, "");
  if (/^[a-z]{2}\d{2}(?:[ -]?[a-z0-9]){11,30}$/i.test(bare)) {
    const code = bare.replace(/[ -]/g, "").toLowerCase();
    if (/\d{4}/.test(code) && (isGrouped(bare) || /^[a-z]{2}\d{2}[a-z0-9]{11,30}$/i.test(bare))) return code;
  }
  if (/^\d{4}(?:[ -]\d{4}){2,4}$/.test(bare)) return bare.replace(/[ -]/g, "");
  return phoneForm(bare);
}

/** Whether the check digits of a code fit: ISO 13616. @param code in lower case, without blanks. */
export function isIban(code: string): boolean {
  if (!/^[a-z]{2}\d{2}[a-z0-9]{11,30}$/.test(code)) return false;
  let rest = 0;
  for (const one of code.slice(4) + code.slice(0, 4)) rest = Number(`${rest}${Number.parseInt(one, 36)}`) % 97;
  return rest === 1;
}

const isGrouped = (code: string): boolean => /^[a-z0-9]{4}(?:[ -][a-z0-9]{4})*(?:[ -][a-z0-9]{1,4})?$/i.test(code);

/** Groups of digits that only blanks separate may be two numbers: a `+`, a zero or the American form must show that they are one. */
function phoneForm(text: string): string | undefined {
  if (!/^(?:\+|00|0|\()[\d\s()./-]{6,24}$/.test(text) && !/^\d{3}[ .-]\d{3}[ .-]\d{4}$/.test(text)) return undefined;
  if (/^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/.test(text)) return undefined;
  const international = /^\s*(?:\+|00)/.test(text);
  const digits = text.replace(international ? /\(0\)/ : /(?!)/, "").replace(/\D/g, "");
  if (digits.length < 7 || digits.length > 17) return undefined;
  return international ? `+${digits.replace(/^00/, "")}` : digits;
}
