/**
 * Reads one answer of a model of the AI SDK: words go on as they come, through the guard for links; calls are kept back until the answer
 * has ended in order. A tool that the provider runs itself cannot be vetted, and makes the answer disorderly.
 */

import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { newId } from "../../lib/ids.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { DroppedCalls, StepOutcome } from "../../ports/model-port.ts";
import { callFault, MAX_ARGUMENT_UNITS, type ModelCall, TOO_LONG, vendorMembers } from "../../wire/call-parts.ts";
import { notComplete } from "../../wire/finish-reasons.ts";
import type { WordFilters } from "../../wire/links/word-filters.ts";
import { usageToOpenAi } from "../../wire/openai-usage.ts";

type Part = LanguageModelV4StreamPart;
type FinishPart = Extract<Part, { type: "finish" }>;
type ToolCallPart = Extract<Part, { type: "tool-call" }>;
export type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

/** Characters of an answer's text that are kept for the record. */
const MAX_KEPT_TEXT = 64 * 1024;

export interface ReadAnswer {
  readonly outcome: Extract<StepOutcome, { kind: "ended" | "disorderly" }>;
  readonly finish: FinishPart | undefined;
  /** The model's thoughts and calls, in the form that must go back to it. */
  readonly parts: readonly AssistantPart[];
}

interface StepReader {
  /** @returns the parts that may go on now. */
  take(part: Part): readonly Part[];
  readonly failed: boolean;
  /** @returns the words that were held back, and the whole answer. */
  end(): { readonly held: readonly Part[]; readonly answer: ReadAnswer };
}

type Member = "content" | "reasoning_content";
type Held = { [M in Member]: { id: string; end: Part | undefined } | undefined };

export function stepReader(links: WordFilters | undefined, prefix: string): StepReader {
  const calls: ToolCallPart[] = [];
  const begun = new Map<string, string>();
  const thoughts = new Map<string, Extract<AssistantPart, { type: "reasoning" }>>();
  const open: Held = { content: undefined, reasoning_content: undefined };
  let fault: { readonly detail: string; readonly error?: unknown } | undefined;
  let finish: FinishPart | undefined;
  let argumentUnits = 0;
  let text = "";
  let reasoning = "";

  const fail = (detail: string, error?: unknown): readonly Part[] => {
    fault ??= { detail, error };
    return [];
  };
  const words = (member: Member, id: string, delta: string): string => {
    const kept = links ? links.push(0, member, delta) : delta;
    if (member === "content" && text.length < MAX_KEPT_TEXT) text += kept;
    if (member === "reasoning_content" && reasoning.length < MAX_KEPT_TEXT) reasoning += kept;
    open[member] ??= { id, end: undefined };
    return kept;
  };
  /** A block that has ended stays open while words may be held back: they belong to it. */
  const endBlock = (member: Member): readonly Part[] => {
    const { end } = open[member] ?? {};
    open[member] = undefined;
    return end ? [end] : [];
  };
  const beginBlock = (member: Member, part: Part & { readonly id: string }): readonly Part[] => {
    const before = endBlock(member);
    open[member] = { id: part.id, end: undefined };
    return [...before, part];
  };
  const closeBlock = (member: Member, part: Part & { readonly id: string }): readonly Part[] => {
    const block = open[member];
    if (!links || block?.id !== part.id) return [part];
    block.end = part;
    return [];
  };

  const take = (raw: Part): readonly Part[] => {
    const part = named(raw, prefix);
    switch (part.type) {
      case "text-start":
        return beginBlock("content", part);
      case "text-delta": {
        const delta = words("content", part.id, part.delta);
        return delta === "" ? [] : [{ ...part, delta }];
      }
      case "text-end":
        return closeBlock("content", part);
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        think(thoughts, part);
        if (part.type === "reasoning-start") return beginBlock("reasoning_content", part);
        if (part.type === "reasoning-end") return closeBlock("reasoning_content", part);
        // A signature comes as a delta without words.
        return [{ ...part, delta: words("reasoning_content", part.id, part.delta) }];
      case "tool-input-start":
        if (part.providerExecuted) return fail(ranByProvider(part.toolName));
        begun.set(part.id, part.toolName);
        return [];
      case "tool-input-delta":
        argumentUnits += part.delta.length;
        return argumentUnits > MAX_ARGUMENT_UNITS ? fail(TOO_LONG) : [];
      case "tool-call":
        if (part.providerExecuted) return fail(ranByProvider(part.toolName));
        calls.push(withOwnId(part, calls));
        return [];
      case "tool-result":
        return fail(ranByProvider(part.toolName));
      case "tool-approval-request":
        return fail("the provider asks for an approval of its own");
      case "error":
        return fail("the model reported an error", part.error);
      case "finish":
        finish = part;
        return [];
      // Raw parts hold calls as the provider sent them.
      case "raw":
      case "tool-input-end":
        return [];
      default:
        return [part];
    }
  };

  return {
    take: (part) => (fault || finish ? [] : take(part)),
    get failed() {
      return fault !== undefined;
    },
    end() {
      const held = (links?.end() ?? []).flatMap(({ member, text: rest }): Part[] => {
        const isText = member === "content";
        if (isText) text += rest;
        const { id } = open[isText ? "content" : "reasoning_content"] ?? { id: `${prefix}held` };
        return [{ type: isText ? "text-delta" : "reasoning-delta", id, delta: rest }];
      });
      const parts = [...held, ...endBlock("reasoning_content"), ...endBlock("content")];
      const made = { calls, begun, argumentUnits, text, reasoning };
      const outcome = fault ? disorderly(fault.detail, made, fault.error) : outcomeOf(made, finish);
      const counted = outcome.kind === "ended" && outcome.dropped ? [] : calls;
      return { held: parts, answer: { outcome, finish, parts: [...thoughts.values(), ...counted.map(toPart)] } };
    },
  };
}

/** Some providers give all calls of an answer one id. */
const withOwnId = (call: ToolCallPart, others: readonly ToolCallPart[]): ToolCallPart =>
  others.some(({ toolCallId }) => toolCallId === call.toolCallId)
    ? { ...call, toolCallId: newId("call", Date.now()) }
    : call;

const ranByProvider = (tool: string): string => `the provider ran the tool \`${tool.slice(0, 64)}\` by itself`;

/** One reply holds the blocks of several answers: the prefix keeps their ids apart. */
function named(part: Part, prefix: string): Part {
  return "id" in part && prefix !== "" && /^(text|reasoning)-/.test(part.type)
    ? ({ ...part, id: `${prefix}${part.id}` } as Part)
    : part;
}

function think(
  thoughts: Map<string, Extract<AssistantPart, { type: "reasoning" }>>,
  part: Extract<Part, { type: "reasoning-start" | "reasoning-delta" | "reasoning-end" }>,
): void {
  const { id, providerMetadata } = part;
  const before = thoughts.get(id) ?? { type: "reasoning" as const, text: "" };
  thoughts.set(id, {
    ...before,
    text: before.text + (part.type === "reasoning-delta" ? part.delta : ""),
    ...(providerMetadata ? { providerOptions: providerMetadata } : {}),
  });
}

const toPart = ({ toolCallId, toolName, providerMetadata }: ToolCallPart): AssistantPart => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input: {},
  ...(providerMetadata ? { providerOptions: providerMetadata } : {}),
});

interface MadeAnswer {
  readonly calls: readonly ToolCallPart[];
  readonly begun: ReadonlyMap<string, string>;
  readonly argumentUnits: number;
  readonly text: string;
  readonly reasoning: string;
}

const disorderly = (detail: string, made: MadeAnswer, error?: unknown): ReadAnswer["outcome"] => ({
  kind: "disorderly",
  detail,
  error:
    error === undefined ? undefined : { message: messageOf(error), type: "upstream_error", code: null, param: null },
  begun: begunNames(made),
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "the model reported an error");

function outcomeOf(made: MadeAnswer, finish: FinishPart | undefined): ReadAnswer["outcome"] {
  const { calls, begun, text, reasoning } = made;
  if (!finish) return disorderly("the answer broke off before its end", made);
  const { unified, raw } = finish.finishReason;
  if (unified === "error" || unified === "interrupted") return disorderly(`the answer ended with \`${unified}\``, made);
  const dropped = droppedCalls(made, finish);
  if (!dropped && (calls.length > 0 || begun.size > 0)) {
    const fault = callsFault(made, unified, raw);
    if (fault !== undefined) return disorderly(fault, made);
  }
  return {
    kind: "ended",
    calls: dropped ? [] : calls.map(toModelCall),
    finish: [],
    closing: undefined,
    body: undefined,
    finishReason: raw ?? unified,
    usage: chatUsage(finish.usage),
    text,
    reasoning,
    dropped,
  };
}

/** The calls of an answer that the provider cut off. */
function droppedCalls(made: MadeAnswer, { finishReason: { unified, raw } }: FinishPart): DroppedCalls | undefined {
  const begun = begunNames(made);
  if (begun.length === 0 || (unified !== "length" && unified !== "content-filter")) return undefined;
  return { detail: notComplete(raw ?? unified), begun };
}

const begunNames = ({ calls, begun }: MadeAnswer): readonly string[] => [
  ...new Set([...begun.values(), ...calls.map(({ toolName }) => toolName)]),
];

/** Calls count only after an orderly end, and all that was begun must have become a call. */
function callsFault({ calls, begun }: MadeAnswer, unified: string, raw = unified): string | undefined {
  if (unified !== "tool-calls" && unified !== "stop") return notComplete(raw);
  const whole = new Set(calls.map(({ toolCallId }) => toolCallId));
  if ([...begun.keys()].some((id) => !whole.has(id))) return "a tool call was begun and not completed";
  const units = calls.reduce((sum, { input }) => sum + input.length, 0);
  if (units > MAX_ARGUMENT_UNITS) return TOO_LONG;
  return calls.map((call) => callFault(wireForm(call))).find((fault) => fault !== undefined);
}

const wireForm = ({ toolCallId, toolName, input }: ToolCallPart): JsonObject => ({
  id: toolCallId,
  type: "function",
  function: { name: toolName, arguments: input },
});

function toModelCall({ toolCallId, toolName, input, providerMetadata }: ToolCallPart): ModelCall {
  const google = providerMetadata?.google?.thoughtSignature;
  const extra = vendorMembers({ extra_content: { google: { thought_signature: google } } });
  return { id: toolCallId, name: toolName, arguments: input === "" ? "{}" : input, extra };
}

/** In the form of a chat completion, for the record. */
const chatUsage = (usage: LanguageModelV4Usage): JsonObject | undefined =>
  usage.inputTokens.total === undefined && usage.outputTokens.total === undefined
    ? undefined
    : { ...usageToOpenAi(usage) };

/** A whole answer as the parts of a stream. */
export function* partsOf(result: LanguageModelV4GenerateResult): Generator<Part> {
  let place = 0;
  for (const content of result.content) {
    yield* contentParts(content, String(place));
    place += 1;
  }
  const { usage, finishReason, providerMetadata } = result;
  yield { type: "finish", usage, finishReason, ...(providerMetadata ? { providerMetadata } : {}) };
}

function* contentParts(content: LanguageModelV4Content, id: string): Generator<Part> {
  if (content.type !== "text" && content.type !== "reasoning") {
    yield content;
    return;
  }
  const { type, text, providerMetadata } = content;
  const metadata = providerMetadata ? { providerMetadata } : {};
  yield { type: `${type}-start`, id, ...metadata };
  yield { type: `${type}-delta`, id, delta: text, ...metadata };
  yield {
    type: `${type}-end`,
    id,
    ...metadata,
    ...(content.type === "text" && content.citations ? { citations: content.citations } : {}),
  } as Part;
}
