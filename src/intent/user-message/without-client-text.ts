/**
 * Takes the client's text out of a user message: clients put reminders, open files and documents around the user's words (`client-marks.ts`).
 * Pure; time is linear in the message.
 *
 * Marks are plain text, and a pasted or attached document can hold them too. So:
 * - A message that begins with the user's unmarked words has no marks around them: such a mark inside it is text.
 * - If marked words differ, or unmarked text follows them, it cannot be determined which are the user's: nothing is read.
 * - A note that is not closed, or a closing tag too many, removes more, never less.
 * A note whose text closes its own tag and opens it again cannot be distinguished from two notes.
 */

import { isObject } from "../../lib/json/json-value.ts";
import { type ClientElement, codeReader, findElements } from "./client-elements.ts";
import { clientText, queuedMessages, referencedFiles, resultText, summaryText, toolNote } from "./client-marks.ts";

/** Own marks inside each other. */
const MAX_DEPTH = 4;

/** @returns the user's text; undefined if the message holds only the client's words. */
export function withoutClientText(content: unknown): string | undefined {
  if (typeof content === "string") return wordsOf([content]);
  if (!Array.isArray(content)) return "";
  const isText = (part: unknown) => isObject(part) && (part.type === "text" || part.type === undefined);
  const texts = content.map((part: unknown) =>
    isObject(part) && isText(part) && typeof part.text === "string" ? part.text : "",
  );
  // An image without words is the user's message too.
  return wordsOf(texts) ?? (content.every(isText) ? undefined : "");
}

/** A form of `client-marks.ts`, which matches the beginning of a text, and the same for any place in it. */
const formOf = (begin: RegExp) => ({ begin, anywhere: new RegExp(begin.source.slice(1)) });
const summary = formOf(summaryText);
const result = formOf(resultText);

/** Whether the text of a user message is a report by the client's model, or by a tool, on texts that may be untrusted. */
export const holdsUntrustedReport = (text: string): boolean => begins(text, summary) || begins(text, result);

/** Whether the text of a user message replaces the conversation before it. */
export const isSummary = (text: string): boolean => begins(text, summary);

/** Whether a text begins so, or its part behind or in a client's mark does: `<system-reminder>…</system-reminder> This session …` */
function begins(text: string, { begin, anywhere }: ReturnType<typeof formOf>): boolean {
  if (begin.test(text.trimStart())) return true;
  if (!anywhere.test(text)) return false;
  return findElements(text).elements.some(({ mark, inner, close }) => {
    const places = [close?.end, mark.kind === "own" ? inner : undefined];
    return places.some((at) => at !== undefined && begin.test(text.slice(at).trimStart()));
  });
}

function wordsOf(texts: readonly string[]): string | undefined {
  const read = withoutFiles(texts).map((text) => readText(text, 0));
  const spoken = read.filter(({ kind }) => kind !== "none");
  const [first] = spoken;
  if (!first) return texts.some((text) => text.trim() !== "") ? undefined : texts.join("\n");
  if (first.kind === "unmarked") {
    const isWhole = read.every(({ plain }, index) => plain === texts[index]);
    return unquoted(isWhole ? texts.join("\n") : spoken.map(({ plain }) => plain.trim()).join("\n"));
  }
  if (spoken.some(({ kind }) => kind !== "marked")) return "";
  return onlyOne(spoken.flatMap(({ words }) => words));
}

/** The words, if all of them are the same; else "". */
function onlyOne(words: readonly string[]): string {
  const distinct = new Set(words.map((one) => one.trim()).filter((one) => one !== ""));
  const [only = ""] = distinct;
  return distinct.size === 1 ? only : "";
}

/** `opencode run` puts a message that holds a space between quotation marks. */
function unquoted(words: string): string {
  const quoted = words.trim();
  if (quoted.length < 2 || !quoted.startsWith('"') || !quoted.endsWith('"')) return words;
  const inner = quoted.slice(1, -1);
  if (!/\s/.test(inner) || inner.replaceAll('\\"', "").includes('"')) return words;
  return inner.replaceAll('\\"', '"');
}

/** Without files that clients add in parts of their own, or between lines that say so. */
function withoutFiles(texts: readonly string[]): readonly string[] {
  let isOutput = false;
  const kept = texts.map((text) => {
    const isNote = toolNote.test(text);
    const drop = isNote || (isOutput && text !== "");
    // A part of another type may come between the sentence and the tool's output.
    isOutput = isNote || (isOutput && text === "");
    return drop ? "" : text;
  });
  const first = kept.findIndex((text) => text.includes(referencedFiles.sign) && referencedFiles.begin.test(text));
  if (first < 0) return kept;
  const last = kept.findLastIndex((text) => text.includes(referencedFiles.end));
  const end = last < first ? kept.length : last;
  return kept.map((text, index) => {
    if (index < first || index > end) return text;
    const before = index === first ? text.slice(0, text.search(referencedFiles.begin)) : "";
    const from = text.lastIndexOf(referencedFiles.end);
    return index === end && from >= 0 ? before + text.slice(from + referencedFiles.end.length) : before;
  });
}

interface TextReading {
  /** `none`: only the client's. `unclear`: whose words these are cannot be determined. */
  readonly kind: "none" | "unmarked" | "marked" | "unclear";
  /** The texts inside own marks. */
  readonly words: readonly string[];
  /** The text without the client's parts. */
  readonly plain: string;
}

function readText(text: string, depth: number): TextReading {
  const pieces = piecesOf(text);
  const plain = pieces.map((piece) => piece.text).join("");
  const words: string[] = [];
  if (plain.trim() === "") return { kind: "none", words, plain };
  const firstOwn = pieces.findIndex(({ kind }) => kind === "own");
  const firstProse = pieces.findIndex((piece) => piece.kind === "text" && !isStructure(piece.text));
  if (firstOwn < 0 || (firstProse >= 0 && firstProse < firstOwn)) return { kind: "unmarked", words, plain };
  if (firstProse >= 0 || depth === MAX_DEPTH) return { kind: "unclear", words, plain };
  for (const piece of pieces) {
    if (piece.kind !== "own") continue;
    const inside = readText(piece.content, depth + 1);
    if (piece.isTorn || inside.kind === "unclear") return { kind: "unclear", words, plain };
    words.push(...(inside.kind === "marked" ? inside.words : [inside.plain]));
  }
  return { kind: "marked", words, plain };
}

/** Blank, tags alone, or elements of names that are not known. */
function isStructure(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed === "" || /^(?:<[^<>]*>\s*)+$/.test(trimmed)) return true;
  return /^<[A-Za-z]/.test(trimmed) && /(?:<\/[\w.:-]{1,64}|\/)>$/.test(trimmed.slice(-80));
}

interface TextPiece {
  readonly kind: "text";
  readonly text: string;
}

interface OwnPiece {
  readonly kind: "own";
  /** With its tags. */
  readonly text: string;
  readonly content: string;
  readonly isTorn: boolean;
}

type Piece = TextPiece | OwnPiece;

/** The rest of a text without its notes and documents. */
function piecesOf(text: string): readonly Piece[] {
  const { elements, end } = findElements(text);
  const isCode = codeReader(text);
  const pieces: Piece[] = [];
  let at = 0;
  const addText = (until: number) => {
    const piece = text.slice(at, until);
    const start = piece.trimStart();
    const isClients = clientText.test(start) || summaryText.test(start) || resultText.test(start);
    if (piece !== "" && !isClients) pieces.push({ kind: "text", text: piece });
  };
  for (const element of elements) {
    const { mark, start, close } = element;
    if (start < at || (mark.kind === "own" && !close) || isCode(at, element)) continue;
    addText(start);
    at = close?.end ?? end;
    const own = ownPiece(text, element);
    if (own) pieces.push(own);
  }
  addText(end);
  return pieces;
}

function ownPiece(text: string, { mark, start, inner, close, isTorn = false }: ClientElement): OwnPiece | undefined {
  if (!close) return undefined;
  const content = text.slice(inner, close.start);
  if (mark.kind === "own") return { kind: "own", text: text.slice(start, close.end), content, isTorn };
  const queued = mark.kind === "note" ? queuedIn(content.trim()) : undefined;
  return queued === undefined ? undefined : { kind: "own", text: queued, content: queued, isTorn: false };
}

function queuedIn(note: string): string | undefined {
  const [begin, end] = queuedMessages.find(([start]) => note.startsWith(start)) ?? [];
  if (begin === undefined || end === undefined) return undefined;
  const last = note.lastIndexOf(end);
  return note.slice(begin.length, last < 0 ? note.length : last).trim();
}
