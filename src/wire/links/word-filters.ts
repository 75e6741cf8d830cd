/** The link guards of one answer: one for each text member of each choice. */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { type LinkFilter, type LinkRules, linkFilter } from "./link-filter.ts";

/** Frontends show reasoning, too, and many as Markdown. */
const MEMBERS = ["content", "reasoning_content", "reasoning", "refusal"] as const;

/** Words that were held back when the answer ended. */
export interface HeldWords {
  readonly choice: number;
  readonly member: string;
  readonly text: string;
}

export interface WordFilters {
  /** @returns what may go out; the same text where nothing is held or changed. */
  push(choice: number, member: string, text: string): string;
  /** An event of a stream; the same object where nothing is held or changed. */
  filterChunk(chunk: JsonObject): JsonObject;
  /** A whole body; the same object where nothing is changed. */
  filterBody(body: JsonObject): JsonObject;
  end(): readonly HeldWords[];
}

/** Words of earlier steps, which stand before these in the same reply. */
export interface EarlierWords {
  /** The content of the first choice; undefined where it is not known whole. */
  readonly content: string | undefined;
}

/** @param earlier absent: these are the reply's first words. */
export function wordFilters(rules: LinkRules, earlier?: EarlierWords): WordFilters {
  const guards = new Map<string, { readonly choice: number; readonly member: string; readonly guard: LinkFilter }>();
  const newGuard = (choice: number, member: string): LinkFilter => {
    let isPast = true;
    const onChanged = (host: string) => {
      if (!isPast) rules.onChanged?.(host);
    };
    const guard = linkFilter({ ...rules, onChanged });
    const before = choice === 0 && member === "content" ? earlier?.content : undefined;
    if (before !== undefined) {
      guard.push(before);
      guard.end();
    } else if (earlier) guard.distrustCode();
    isPast = false;
    return guard;
  };
  const push = (choice: number, member: string, text: string): string => {
    const key = `${choice} ${member}`;
    let entry = guards.get(key);
    if (!entry) {
      entry = { choice, member, guard: newGuard(choice, member) };
      guards.set(key, entry);
    }
    return entry.guard.push(text);
  };
  const whole = (choice: number, member: string, text: string): string => {
    const guard = newGuard(choice, member);
    return guard.push(text) + guard.end();
  };
  return {
    push,
    filterChunk: (chunk) => inChoices(chunk, "delta", push),
    filterBody: (body) => inChoices(body, "message", whole),
    end: () =>
      [...guards.values()].flatMap(({ choice, member, guard }) => {
        const text = guard.end();
        return text === "" ? [] : [{ choice, member, text }];
      }),
  };
}

type Guarded = (choice: number, member: string, text: string) => string;

function inChoices(answer: JsonObject, words: "delta" | "message", guarded: Guarded): JsonObject {
  const { choices } = answer;
  if (!Array.isArray(choices)) return answer;
  let changed = false;
  const after = choices.map((choice: unknown, at) => {
    const message = isObject(choice) ? choice[words] : undefined;
    if (!isObject(choice) || !isObject(message)) return choice;
    const index = typeof choice.index === "number" ? choice.index : at;
    const kept = inWords(message, (member, text) => guarded(index, member, text));
    if (kept === message) return choice;
    changed = true;
    // They spell the link once more.
    return { ...choice, [words]: kept, ...("logprobs" in choice ? { logprobs: null } : {}) };
  });
  return changed ? { ...answer, choices: after } : answer;
}

function inWords(message: JsonObject, guarded: (member: string, text: string) => string): JsonObject {
  let after = message;
  for (const member of MEMBERS) {
    const value = message[member];
    const kept = Array.isArray(value)
      ? inParts(value, (text) => guarded(member, text))
      : typeof value === "string" && value !== ""
        ? guarded(member, value)
        : value;
    if (kept !== value) after = { ...after, [member]: kept };
  }
  return after;
}

/** Some providers send a list of parts in place of a text. */
function inParts(parts: readonly unknown[], guarded: (text: string) => string): readonly unknown[] {
  const after = parts.map((part) => {
    if (!isObject(part) || typeof part.text !== "string") return part;
    const text = guarded(part.text);
    return text === part.text ? part : { ...part, text };
  });
  return after.some((part, at) => part !== parts[at]) ? after : parts;
}
