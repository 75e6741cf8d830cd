/**
 * A model's words in OpenAI's chat format, for models that the relay does not serve. Tool calls are not encoded here:
 * they are withheld until they are decided.
 */
import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Source,
  LanguageModelV4StreamPart,
  LanguageModelV4Text,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";

/** What all chunks of one reply have in common. */
export interface ChunkHead {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model: string;
}

interface UrlCitation {
  readonly type: "url_citation";
  readonly url_citation: {
    readonly url: string;
    readonly title: string;
    readonly start_index: number;
    readonly end_index: number;
  };
}

interface WordDelta {
  readonly role?: "assistant";
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly annotations?: readonly UrlCitation[];
}

interface WordChunk extends ChunkHead {
  readonly object: "chat.completion.chunk";
  readonly choices: readonly [{ readonly index: 0; readonly delta: WordDelta; readonly finish_reason: null }];
}

type OpenAiFinishReason = "stop" | "length" | "content_filter" | "tool_calls";

/**
 * An encoder for the parts of one step's stream, in order; `undefined` for a part that is not words.
 * @param role false from a reply's second step on: only a reply's first chunk carries the role.
 */
export function createWordEncoder(
  head: ChunkHead,
  { role = true }: { readonly role?: boolean } = {},
): (part: LanguageModelV4StreamPart) => WordChunk | undefined {
  let roleDue = role;
  let written = 0;
  let blockStart = 0;
  return (part) => {
    if (part.type === "text-start") blockStart = written;
    const delta = wordDelta(part, blockStart, written);
    if (!delta) return undefined;
    written += delta.content?.length ?? 0;
    const first: WordDelta = roleDue ? { role: "assistant" } : {};
    roleDue = false;
    return {
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta: { ...first, ...delta }, finish_reason: null }],
    };
  };
}

/** @param blockStart where the current block of text began, in characters of the whole content. */
function wordDelta(part: LanguageModelV4StreamPart, blockStart: number, written: number): WordDelta | undefined {
  switch (part.type) {
    case "text-delta":
      return part.delta === "" ? undefined : { content: part.delta };
    case "reasoning-delta":
      return part.delta === "" ? undefined : { reasoning_content: part.delta };
    case "source":
      return some(cite(part, written, written));
    case "text-end":
      return some(citationsOf(part.citations, blockStart, written));
    default:
      return undefined;
  }
}

const some = (annotations: readonly UrlCitation[]) => (annotations.length === 0 ? undefined : { annotations });

function citationsOf(citations: LanguageModelV4Text["citations"], start: number, end: number): readonly UrlCitation[] {
  return (citations ?? []).flatMap(({ source, startIndex, endIndex }) =>
    cite(
      source,
      startIndex === undefined ? start : start + startIndex,
      endIndex === undefined ? end : start + endIndex,
    ),
  );
}

/** Nothing for a document: the chat format cites URLs only. */
function cite(source: LanguageModelV4Source, start: number, end: number): readonly UrlCitation[] {
  if (source.sourceType !== "url") return [];
  const { url, title = url } = source;
  return [{ type: "url_citation", url_citation: { url, title, start_index: start, end_index: end } }];
}

interface WordMessage {
  readonly role: "assistant";
  readonly content: string | null;
  readonly refusal: null;
  readonly reasoning_content?: string;
  readonly annotations?: readonly UrlCitation[];
}

/** The words of a `doGenerate` result as a chat message; `content` is null where the model wrote no text. */
export function encodeWordMessage(content: readonly LanguageModelV4Content[]): WordMessage {
  let text = "";
  let reasoning = "";
  const annotations: UrlCitation[] = [];
  for (const part of content) {
    if (part.type === "text") {
      const start = text.length;
      text += part.text;
      annotations.push(...citationsOf(part.citations, start, text.length));
    } else if (part.type === "reasoning") reasoning += part.text;
    else if (part.type === "source") annotations.push(...cite(part, text.length, text.length));
  }
  return {
    role: "assistant",
    content: text === "" ? null : text,
    refusal: null,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...some(annotations),
  };
}

/** `interrupted` reads as `length`: the output may be incomplete, and clients know that from it. */
export function finishReasonToOpenAi(unified: LanguageModelV4FinishReason["unified"]): OpenAiFinishReason {
  switch (unified) {
    case "length":
    case "interrupted":
      return "length";
    case "content-filter":
      return "content_filter";
    case "tool-calls":
      return "tool_calls";
    case "stop":
    case "error":
    case "other":
      return "stop";
  }
}

interface OpenAiUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
}

/** Counts that the provider did not give are summed from their parts, or 0. */
export function usageToOpenAi({ inputTokens, outputTokens }: LanguageModelV4Usage): OpenAiUsage {
  const { noCache = 0, cacheRead = 0, cacheWrite = 0 } = inputTokens;
  const { text = 0, reasoning = 0 } = outputTokens;
  const prompt = inputTokens.total ?? noCache + cacheRead + cacheWrite;
  const completion = outputTokens.total ?? text + reasoning;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
