/**
 * Finds instructions to the model in a text that somebody else wrote. Pure; time is linear in the text.
 *
 * A net, not a wall: who knows the rules can write around them, and where values come from is judged without it
 * (`policy/origin`). So a rule that honest texts match is worse than an attack that it misses.
 */
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { latePattern } from "../../lib/once.ts";
import { withoutUnseen } from "../../lib/text/unseen-characters.ts";
import { beginningOf } from "../../lib/text/visible-text.ts";
import { decodedTexts, withoutEscapes } from "./decoded-texts.ts";
import { type InstructionKind, type InstructionRule, instructionRules } from "./instruction-rules.ts";
import { AI, BEGIN, CJK_AI, CJK_VERB, END, VERB } from "./reader-words.ts";

export interface FoundInstruction {
  readonly kind: InstructionKind;
  /** What was found with what stands around it, on one line and cut. */
  readonly passage: string;
}

export interface ResultInstruction extends FoundInstruction {
  /** The tool whose result it stands in; null where nobody knows. */
  readonly tool: string | null;
}

const known = boundedCache<FoundInstruction | null>({ maxBytes: CACHE_BYTES.foundInstructions });

/** The first one. What was read is kept by digest: a conversation brings the same results with each request. */
export function findInstructions(text: string): FoundInstruction | undefined {
  if (text.length < MIN_LENGTH) return undefined;
  const key = sha256Hex(text);
  const before = known.get(key);
  if (before !== undefined) return before ?? undefined;
  const found = search(text);
  known.set(key, found ?? null, found === undefined ? 0 : 2 * found.passage.length + 100);
  return found;
}

/** Nothing shorter tells anybody to do anything. */
const MIN_LENGTH = 8;

function search(text: string): FoundInstruction | undefined {
  const read = plain(text);
  const found = searchPlain(read) ?? hiddenIn(read);
  if (found) return found;
  for (const decoded of decodedTexts(read)) {
    const inside = searchPlain(plain(decoded));
    if (inside) return { kind: "encoded", passage: inside.passage };
  }
  return undefined;
}

const plain = (text: string): string =>
  withoutUnseen(withoutEscapes(text))
    .normalize("NFKC")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n");

function searchPlain(text: string): FoundInstruction | undefined {
  for (const rule of instructionRules) {
    const at = placeOf(rule, text);
    if (at !== undefined) return { kind: rule.kind, passage: passageAt(text, at) };
  }
  return undefined;
}

/** UTF-16 units from the start of a rule in which its demand must stand. */
const REACH = 280;
/** Places of one rule that are looked at: a text that begins to speak to the model more often is no honest one. */
const MAX_PLACES = 200;

function placeOf(rule: InstructionRule, text: string): number | undefined {
  let places = 0;
  for (const { from, to } of spansOf(rule, text)) {
    for (const match of matchesOf(rule.start(), text.slice(from, to))) {
      const at = from + match.index + (/^\s/.test(match[0]) ? 1 : 0);
      places += 1;
      if (places > MAX_PLACES) return at;
      if (rule.quoted !== true && isQuotation(text, at)) continue;
      const behind = from + match.index + match[0].length;
      if (rule.demand === undefined || rule.demand().test(text.slice(behind, behind + REACH))) return at;
    }
  }
  return undefined;
}

/** Not `matchAll`: it makes the regular expression anew each time, and these are long. */
function* matchesOf(pattern: RegExp, text: string): Generator<RegExpExecArray> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const next = match[0] === "" ? pattern.lastIndex + 1 : pattern.lastIndex;
    yield match;
    // Whoever took the match may have used the pattern for another text.
    pattern.lastIndex = next;
  }
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** UTF-16 units around a rule's word in which all of its start stands. */
const AROUND = 120;

/** The parts of a text around the rule's words, those that meet as one. */
function spansOf({ words }: InstructionRule, text: string): readonly Span[] {
  if (words === undefined) return [{ from: 0, to: text.length }];
  const spans: { from: number; to: number }[] = [];
  for (const { index } of matchesOf(words(), text)) {
    const last = spans.at(-1);
    const [from, to] = [Math.max(0, index - AROUND), index + AROUND];
    if (last && from <= last.to) last.to = to;
    else spans.push({ from, to });
  }
  return spans;
}

/** What opens a quotation and what closes it. One sign for both: an odd one opens. */
const QUOTES: readonly (readonly [open: RegExp, close: RegExp])[] = [
  [/[“„«「『‘]/gu, /[”“»」』’]/gu],
  [/(?<![\p{L}\p{N}])'/gu, /(?<=\S)'(?!\p{L})/gu],
  [/"/g, /"/g],
  [/`/g, /`/g],
];
/** UTF-16 units of a quotation, before and behind a place in it. */
const BEFORE = 400;
const BEHIND = 200;

/**
 * Whether a place stands within quotation marks, in a line that has words outside of them: an article that cites an attack. Marks
 * behind a colon or a comma are a format's: what they hold is said, not cited.
 */
function isQuotation(text: string, at: number): boolean {
  const before = lastLine(text.slice(Math.max(0, at - BEFORE), at));
  const behind = text.slice(at, at + BEHIND).split("\n", 1)[0] ?? "";
  return QUOTES.some(([open, close]) => {
    const opens = [...before.matchAll(open)];
    const last = opens.at(-1)?.index ?? -1;
    const isOpen = open.source === close.source ? opens.length % 2 === 1 : !isIn(close, before.slice(last + 1));
    const end = behind.search(close);
    if (last === -1 || !isOpen || end === -1) return false;
    const outside = before.slice(0, last) + behind.slice(end + 1);
    return !/(?:^|[:,[{(=])\s*$/.test(before.slice(0, last)) && /\p{L}{2}/u.test(outside);
  });
}

const isIn = (mark: RegExp, text: string): boolean => text.search(mark) !== -1;

const lastLine = (text: string): string => text.slice(text.lastIndexOf("\n") + 1);

const hiddenElement = latePattern(
  `<[a-z][a-z0-9]{0,20}\\b[^>]{0,300}?(?:\\shidden|display\\s*:\\s*none|font-size\\s*:\\s*0|visibility\\s*:\\s*hidden|opacity\\s*:\\s*0(?![.\\d])|color\\s*:\\s*(?:#fff|white))[^>]{0,300}>([^<]{16,600})`,
  "gi",
);
const speaksOfReader = latePattern(
  `${BEGIN}(?:${AI}|assistants?|(?:the|your) user|the reader|den? nutzer|dem nutzer|l['’]utente|dell['’]utente|(?:al|del) usuario|(?:à|de) l['’]utilisateur|(?:ao|do) (?:usuário|utilizador))${END}|${CJK_AI}|用户|ユーザー`,
  "i",
);
const demands = latePattern(`${BEGIN}${VERB}${END}|${CJK_VERB}`, "i");

/** In an element of a page that no person sees. */
function hiddenIn(text: string): FoundInstruction | undefined {
  if (!text.includes("<")) return undefined;
  for (const { 1: words = "", index } of matchesOf(hiddenElement(), text))
    if (speaksOfReader().test(words) && demands().test(words))
      return { kind: "hidden", passage: passageAt(text, index) };
  return undefined;
}

const PASSAGE = 200;

/** Escapes come where it is shown: an approver's page, a record. */
function passageAt(text: string, at: number): string {
  const start = Math.max(0, at - 40);
  return beginningOf(text.slice(start), PASSAGE).replace(/\s+/g, " ").trim();
}
