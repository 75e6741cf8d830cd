/** The link guards of one answer: one for each text member of each choice. */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { type LinkFilter, type LinkRules, linkFilter } from "./link-filter.ts";

/**
 * Not content: members for programs, and signed ones that go back to the provider as they came. All other texts of an answer are guarded, for each
 * provider has members of its own for its model's thoughts, and frontends show many of them as Markdown.
 */
const UNREAD: ReadonlySet<string> = new Set([
  ...["role", "name", "tool_calls", "tool_call_id", "function_call"],
  ...["id", "type", "index", "status", "object", "format"],
  ...["signature", "data", "encrypted_content", "thought_signature", "extra_content", "provider_specific_fields"],
  ...["reasoning_details", "thinking_blocks", "annotations", "citations", "images", "image_url", "url"],
]);

/** Words that were held back when the answer ended. */
export interface HeldWords {
  readonly choice: number;
  readonly member: string;
  readonly text: string;
  /** The delta that holds the text. */
  readonly delta: JsonObject;
}

export interface WordFilters {
  /** @returns the text that may go out; the same string if nothing is held or changed. */
  push(choice: number, member: string, text: string): string;
  /** An event of a stream; the same object if nothing is held or changed. */
  filterChunk(chunk: JsonObject): JsonObject;
  /** A whole body; the same object if nothing is changed. */
  filterBody(body: JsonObject): JsonObject;
  end(): readonly HeldWords[];
}

/** Content of earlier steps, which comes before this in the same reply. */
export interface EarlierWords {
  /** The content of the first choice; undefined if it is not known whole. */
  readonly content: string | undefined;
}

interface GuardedMember {
  readonly choice: number;
  readonly member: string;
  readonly guard: LinkFilter;
  /** Of its last text. */
  holder: Holder;
}

/** @param earlier absent: these are the reply's first words. */
export function wordFilters(rules: LinkRules, earlier?: EarlierWords): WordFilters {
  const guards = new Map<string, GuardedMember>();
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
  const push = (
    choice: number,
    member: string,
    text: string,
    holder: Holder = (inner) => ({ [member]: inner }),
  ): string => {
    const key = `${choice} ${member}`;
    const entry = guards.get(key) ?? { choice, member, guard: newGuard(choice, member), holder };
    entry.holder = holder;
    guards.set(key, entry);
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
      [...guards.values()].flatMap(({ choice, member, guard, holder }) => {
        const text = guard.end();
        return text === "" ? [] : [{ choice, member, text, delta: holder(text) }];
      }),
  };
}

type GuardText = (member: string, text: string, holder: Holder) => string;

function inChoices(
  answer: JsonObject,
  words: "delta" | "message",
  guarded: (choice: number, ...text: Parameters<GuardText>) => string,
): JsonObject {
  const { choices } = answer;
  if (!Array.isArray(choices)) return answer;
  let changed = false;
  const after = choices.map((choice: unknown, at) => {
    const message = isObject(choice) ? choice[words] : undefined;
    if (!isObject(choice) || !isObject(message)) return choice;
    const index = typeof choice.index === "number" ? choice.index : at;
    const kept = inWords(message, (...text) => guarded(index, ...text));
    if (kept === message) return choice;
    changed = true;
    // They spell the link once more.
    return { ...choice, [words]: kept, ...("logprobs" in choice ? { logprobs: null } : {}) };
  });
  return changed ? { ...answer, choices: after } : answer;
}

/** The event around a text: a delta that holds nothing else. */
type Holder = (text: unknown) => JsonObject;

function inWords(message: JsonObject, guarded: GuardText): JsonObject {
  return inObject(message, { member: "", isOwn: true, holder: (inner) => inner as JsonObject }, guarded);
}

interface TextPlace {
  /** The names of the members that lead to it. */
  readonly member: string;
  /** Whether it is the message itself. */
  readonly isOwn: boolean;
  readonly holder: Holder;
}

function inValue(value: unknown, place: TextPlace, guarded: GuardText): unknown {
  if (typeof value === "string") return value === "" ? value : guarded(place.member, value, place.holder);
  if (Array.isArray(value)) {
    const inList = { ...place, holder: (inner: unknown) => place.holder([inner]) };
    const after = value.map((one: unknown) => inValue(one, inList, guarded));
    return after.some((one, at) => one !== value[at]) ? after : value;
  }
  return isObject(value) ? inObject(value, place, guarded) : value;
}

function inObject(object: JsonObject, { member, isOwn, holder }: TextPlace, guarded: GuardText): JsonObject {
  const changed: [string, unknown][] = [];
  for (const [key, value] of Object.entries(object)) {
    if (UNREAD.has(key)) continue;
    // The text of a part goes on with the part before.
    const path = key === "text" || isOwn ? member || key : `${member}.${key}`;
    const { type, index } = object;
    const beside = isOwn ? {} : { ...(type !== undefined && { type }), ...(index !== undefined && { index }) };
    const place = { member: path, isOwn: false, holder: (inner: unknown) => holder({ ...beside, [key]: inner }) };
    const kept = inValue(value, place, guarded);
    if (kept !== value) changed.push([key, kept]);
  }
  return changed.length === 0 ? object : { ...object, ...Object.fromEntries(changed) };
}
