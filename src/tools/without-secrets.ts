/**
 * Some servers answer with what they were sent. The model is not told a secret in any form that this page knows. Pure.
 *
 * A secret is found as it is, in JSON's escapes and percent-encoded. One of 12 letters and digits or more is also found in
 * other letter case, with other signs between its letters, backwards, and in hexadecimal or base64, alone or in a longer text.
 * A server can write it in other ways, or in parts: who is sent a secret is trusted with it.
 */
import { withoutUnseen } from "../lib/text/visible-text.ts";
import { foldText, type Span, unfold } from "./fold-text.ts";

/** Shorter ones would be found in what has nothing to do with them. */
const MIN_LENGTH = 6;
const MIN_FOLDED = 12;

export const SECRET_MASK = "[secret]";

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const written = new Set(secrets.flatMap(writtenForms).filter((form) => form.length >= MIN_LENGTH));
  if (written.size === 0) return text;
  // The model is shown the text without its unseen characters: a secret must not come together then.
  const seen = withoutUnseen(text);
  let masked = [...written].some((form) => seen.includes(form)) ? seen : text;
  for (const form of written) masked = masked.replaceAll(form, SECRET_MASK);
  const folded = new Set(secrets.flatMap(foldedForms).filter((form) => form.length >= MIN_FOLDED));
  return folded.size === 0 ? masked : withoutFolded(masked, folded);
}

const writtenForms = (secret: string): readonly string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed()),
];

function foldedForms(secret: string): readonly string[] {
  const letters = lettersOf(secret);
  // What is derived of a short secret is as little to be told from other text.
  if (letters.length < MIN_FOLDED) return [];
  const bytes = Buffer.from(secret);
  return [
    letters,
    [...letters].reverse().join(""),
    bytes.toString("hex"),
    ...[0, 1, 2].map((before) => lettersOf(base64Within(bytes, before))),
  ];
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** What base64 makes of the bytes where `before` others stand before them (modulo 3), whatever those and the next ones are. */
function base64Within(bytes: Uint8Array, before: number): string {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

function withoutFolded(text: string, forms: ReadonlySet<string>): string {
  const folded = foldText(text);
  const found: Span[] = [];
  for (const form of forms) {
    for (let at = folded.indexOf(form); at !== -1; at = folded.indexOf(form, at + form.length))
      found.push({ from: at, to: at + form.length });
  }
  if (found.length === 0) return text;
  let masked = "";
  let done = 0;
  for (const { from, to } of unfold(text, joined(found))) {
    masked += text.slice(done, from) + SECRET_MASK;
    done = to;
  }
  return masked + text.slice(done);
}

/** In order; those that touch or overlap as one. */
function joined(spans: readonly Span[]): readonly Span[] {
  const whole: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = whole.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else whole.push({ from, to });
  }
  return whole;
}
