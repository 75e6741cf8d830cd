/** A turn's reply as the parts of a stream of the AI SDK. */
import type { LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { Reply } from "../../ports/reply-port.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import type { ReleasedCall } from "../../wire/call-parts.ts";
import { newEnvelope } from "../../wire/envelope.ts";
import { NO_WORDS } from "../../wire/reply-sink.ts";
import type { AssistantPart, ReadAnswer } from "./step-reader.ts";

type Part = LanguageModelV4StreamPart;

interface PartsReply {
  readonly reply: Reply;
  /** Takes the model's parts. */
  take(part: Part): void;
}

interface PartsTarget {
  readonly model: string;
  /** Words of a step with hidden calls are no part of the reply: for one that is sent whole, and for JSON. */
  readonly onlyLastStep: boolean;
  /** Sends the parts. */
  send(parts: readonly Part[]): void;
  /** The upstream has answered, or the reply has begun without it. */
  begun(): void;
  answers(): readonly ReadAnswer[];
  /** Calls that wait for the framework's own approval. */
  waiting(note: JsonObject): Promise<readonly ReleasedCall[]>;
  /** Gets released calls before the caller has them. */
  released(calls: readonly ReleasedCall[]): void;
  failed(ending: Extract<Ending, { kind: "error" }>): void;
  isOpen(): boolean;
}

export function partsReply(target: PartsTarget): PartsReply {
  let held: Part[] = [];
  let gap = "";
  let started = false;
  let spoken = false;
  let own = 0;
  const hold = (parts: readonly Part[]): void => {
    if (target.onlyLastStep) held.push(...parts);
    else target.send(parts);
  };
  const say = (words: string): readonly Part[] => {
    own += 1;
    const id = `toolgate-${own}`;
    return words.trim() === ""
      ? []
      : [
          { type: "text-start", id },
          { type: "text-delta", id, delta: words },
          { type: "text-end", id },
        ];
  };
  const take = (part: Part): void => {
    if (part.type === "stream-start" || part.type === "response-metadata") {
      // One reply has one beginning, whatever the number of answers.
      if (target.answers().length === 0) target.send([part]);
      started = true;
      return;
    }
    if (part.type === "text-delta" && part.delta !== "") {
      spoken = true;
      // A block of white space alone is one that providers refuse when it comes back.
      hold([gap === "" ? part : { ...part, delta: gap + part.delta }]);
      gap = "";
    } else hold([part]);
  };
  const reply: Reply = {
    envelope: newEnvelope(target.model),
    words: NO_WORDS,
    opened() {},
    head: () => target.begun(),
    hold: () => target.begun(),
    say(words) {
      target.begun();
      if (words.trim() === "") gap = words;
      else target.send(say(words));
      // A stream reports the gap itself.
      if (target.onlyLastStep && words.trim() !== "") gap = "\n\n";
      spoken = true;
    },
    stepEnded(keep) {
      if (keep) target.send(held);
      held = [];
    },
    async finish(ending, note, usage) {
      if (ending.kind === "error") {
        target.failed(ending);
        return false;
      }
      const calls = ending.kind === "answer" ? ending.calls : await target.waiting(note);
      if (ending.kind === "answer") target.released(calls);
      target.begun();
      if (!started) target.send([{ type: "stream-start", warnings: [] }]);
      const words = ending.kind === "answer" ? (ending.lines ?? "") : ending.text;
      target.send([
        ...say(spoken && words !== "" ? `\n\n${words}` : words),
        ...calls.map((call) => callPart(call, target.answers())),
        finishPart(ending, calls.length > 0, target.answers(), { note, usage }),
      ]);
      return target.isOpen();
    },
  };
  return { reply, take };
}

/** A released call, built from its vetted parts, with the metadata that the provider wants back. */
function callPart({ id, tool, arguments: input }: ReleasedCall, answers: readonly ReadAnswer[]): Part {
  const isIt = (part: AssistantPart) => part.type === "tool-call" && part.toolCallId === id && part.toolName === tool;
  const made = answers.flatMap(({ parts }) => parts).findLast(isIt);
  return {
    type: "tool-call",
    toolCallId: id,
    toolName: tool,
    input,
    ...(made?.providerOptions ? { providerMetadata: made.providerOptions as SharedV4ProviderMetadata } : {}),
  };
}

function finishPart(
  ending: Exclude<Ending, { kind: "error" }>,
  hasCalls: boolean,
  answers: readonly ReadAnswer[],
  { note }: { readonly note: JsonObject; readonly usage: JsonObject | undefined },
): Part {
  const last = answers.at(-1)?.finish;
  const own = ending.kind === "stop" ? ending.finishReason : "stop";
  const finishReason = hasCalls
    ? { unified: "tool-calls" as const, raw: last?.finishReason.raw }
    : ending.kind === "answer" && last
      ? last.finishReason
      : { unified: own, raw: own };
  return {
    type: "finish",
    finishReason,
    usage: sumUsage(answers.flatMap(({ finish }) => finish?.usage ?? [])),
    providerMetadata: { ...withoutWords(last?.providerMetadata), toolgate: JSON.parse(JSON.stringify(note)) as never },
  };
}

/** Log probabilities spell the answer once more, past the guard for links. */
function withoutWords(metadata: SharedV4ProviderMetadata | undefined): SharedV4ProviderMetadata {
  return Object.fromEntries(
    Object.entries(metadata ?? {}).map(([provider, { logprobs: _words, ...others }]) => [provider, others]),
  );
}

type Counts = Readonly<Record<string, number | undefined>>;

function sumUsage(usages: readonly LanguageModelV4Usage[]): LanguageModelV4Usage {
  const sum = (pick: (usage: LanguageModelV4Usage) => Counts, name: string): number | undefined => {
    const known = usages.map((usage) => pick(usage)[name]).filter((count) => count !== undefined);
    return known.length === 0 ? undefined : known.reduce((total, count) => total + count, 0);
  };
  const input = (name: string) => sum(({ inputTokens }) => inputTokens, name);
  const output = (name: string) => sum(({ outputTokens }) => outputTokens, name);
  const [only] = usages;
  return {
    inputTokens: {
      total: input("total"),
      noCache: input("noCache"),
      cacheRead: input("cacheRead"),
      cacheWrite: input("cacheWrite"),
    },
    outputTokens: { total: output("total"), text: output("text"), reasoning: output("reasoning") },
    ...(usages.length === 1 && only?.raw ? { raw: only.raw } : {}),
  };
}
