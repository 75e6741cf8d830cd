/**
 * Recognises a request as part of a conversation. Pure.
 *
 * A frontend also sends requests of its own: for a title, for tags, for a sub-agent with another system prompt.
 * They bear the conversation's session id, or its first messages, and are no message of the user in it. A request continues a
 * conversation only if it holds the conversation's last reply and its system prompt is not another author's.
 */

import { lengthPrefixed, sha256Hex } from "../lib/digest.ts";
import { normalForm } from "../lib/text/normal-form.ts";

export interface ConversationFingerprint {
  /** Marks of the request's last assistant messages, the newest message first. */
  readonly replies: readonly (readonly string[])[];
  /** Sketch of the system prompt: one number a sentence. */
  readonly prompt: readonly number[];
  /** A summary replaces the earlier messages: the last reply need not be in the request. */
  readonly isCompacted?: true;
}

/** Between the two parts of a side session's key; no id that a client chooses holds it. */
const SIDE = "\u001f";

/** The key of a side session: only its first part, the session that the client knows, is ever shown. */
export const sideSessionKey = (root: string, id: string): string => root + SIDE + id;

/** Prefix of the ids of `/mcp` sessions. The words of a chat in such a session would unlock calls of an MCP client, and the other way round. */
const MCP_PREFIX = "mcp_";

export const isMcpSession = (id: string): boolean => id.startsWith(MCP_PREFIX);

/** The session that the client knows. */
export const rootSession = (key: string): string => key.split(SIDE, 1)[0] ?? key;

/** The keys of a session's side sessions are between these two. */
export const sideSessionRange = (root: string): readonly [string, string] => [
  root + SIDE,
  root + String.fromCharCode(SIDE.charCodeAt(0) + 1),
];

/** How many of a request's last assistant messages are read. */
export const MAX_REPLIES = 8;
/** Marks of one reply. */
const MAX_MARKS = 64;
/** Letters and digits at a reply's end that distinguish it from another. */
const TAIL = 200;
/** UTF-16 units of a long reply that are read: more than `TAIL` with all its spaces and punctuation. */
const LOOKED_AT = 2_000;
/** Enough for most replies: 3 µs instead of 5, in a reply of 200 words. */
const MOSTLY_ENOUGH = 500;

/**
 * The marks that identify a reply: the ids of its calls, and its last words. Frontends change white space and Markdown, and drop
 * reasoning from the beginning, so only the letters and digits at the end count.
 */
export function replyMarks(callIds: readonly string[], text: string): string[] {
  const last = wordsOf(text.slice(-MOSTLY_ENOUGH));
  // The cut may change the first letter.
  const words = (last.length > TAIL ? last : wordsOf(text.slice(-LOOKED_AT))).slice(-TAIL);
  const calls = callIds.slice(0, MAX_MARKS).map((id) => `call ${id}`);
  return words === "" ? calls : [...calls, `text ${sha256Hex(words).slice(0, 16)}`];
}

const wordsOf = (text: string): string =>
  normalForm(text, "NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** UTF-16 units, and sentences, of a system prompt that count. */
const PROMPT_UNITS = 8_000;
const MAX_SENTENCES = 64;
/** A shorter sentence is in many prompts. */
const MIN_SENTENCE = 12;

/** Digits do not count: a prompt often holds the date. */
export function promptSketch(systemText: string): number[] {
  const sentences = systemText
    .slice(0, PROMPT_UNITS)
    .toLowerCase()
    .split(/[\n.!?。！？]+/);
  const found = new Set<number>();
  for (const sentence of sentences) {
    const words = sentence.replace(/[\s\d]+/g, " ").trim();
    if (words.length < MIN_SENTENCE) continue;
    found.add(hash(words));
    if (found.size === MAX_SENTENCES) break;
  }
  return [...found];
}

type PromptSketch = readonly number[];

/** System prompts of one conversation: an application may hand it from one agent to another. */
const MAX_PROMPTS = 8;

/**
 * Whether a system prompt belongs to a conversation that had these. An empty one proves nothing: some frontends add a prompt only
 * if they have something to add.
 */
export function knowsPrompt(known: readonly PromptSketch[], prompt: PromptSketch): boolean {
  return prompt.length === 0 || known.length === 0 || known.some((one) => isAlike(one, prompt));
}

/** The conversation's system prompts, with this one as the latest. */
export function withPrompt(known: readonly PromptSketch[], prompt: PromptSketch): readonly PromptSketch[] {
  if (prompt.length === 0) return known;
  return [...known.filter((one) => !isAlike(one, prompt)), prompt].slice(-MAX_PROMPTS);
}

/** Half of the shorter one's sentences are in the other. */
function isAlike(one: PromptSketch, other: PromptSketch): boolean {
  const [few, many] = one.length <= other.length ? [one, new Set(other)] : [other, new Set(one)];
  const shared = few.filter((sentence) => many.has(sentence)).length;
  return shared * 2 >= few.length;
}

/** FNV-1a, 32 bits: two sentences that meet by chance change nothing that another sentence does not outvote. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/** How much of a first reply's text takes part; a longer one is remembered by its beginning. */
const RESUME_KEY_TEXT = 2000;

/** @param firstMessageDigest digest of the first user message. @param callIds of the first reply; if there are some, its text takes no part. */
export function conversationKeyOf(firstMessageDigest: string, callIds: readonly string[], text: string): string {
  const reply =
    callIds.length > 0 ? ["calls", ...callIds] : ["text", collapseWhitespace(text).slice(0, RESUME_KEY_TEXT)];
  // The cut may split a character, and models send halves of characters.
  return sha256Hex(lengthPrefixed(firstMessageDigest, ...reply.map((part) => part.toWellFormed())));
}

/** UTF-16 units that are read at a time: each white space of them is held until all are replaced, some 150 bytes each. */
const PIECE = 64 * 1024;

/** A text without it is returned unchanged. In 200 words the search takes 0.8 µs, and replacing each blank alone 4.1 µs and 15 KB. */
const ODD_SPACE = /[^\S ]| {2}|^ | $/;

/** Not all frontends keep white space as it was. */
export function collapseWhitespace(text: string): string {
  if (!ODD_SPACE.test(text)) return text;
  let out = "";
  let spaced = false;
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = text.slice(at, at + PIECE).replace(/\s+/g, " ");
    out += spaced && piece.startsWith(" ") ? piece.slice(1) : piece;
    spaced = piece.endsWith(" ");
  }
  return out.trim();
}
