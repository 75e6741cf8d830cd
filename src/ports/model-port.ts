/**
 * The model as a step sees it: it streams text to the reply and returns decisions whole. OpenAI-compatible upstreams are relayed,
 * text as the bytes that came; text of other providers is written anew from the AI SDK's parts.
 */

import type { JsonObject } from "../lib/json/json-value.ts";
import type { ToolDefinition } from "../policy/facts.ts";
import type { ModelCall } from "../wire/call-parts.ts";
import type { Envelope } from "../wire/envelope.ts";
import type { WordFilters } from "../wire/links/word-filters.ts";
import type { ReplySink } from "../wire/reply-sink.ts";
import type { ResponsesForm } from "../wire/responses/upstream-form.ts";

export interface StepRequest {
  /** The client's own body: whatever is not governed goes upstream unchanged. */
  readonly body: JsonObject;
  /** The messages to send, hidden exchanges included. */
  readonly messages: readonly unknown[];
  /** Exactly the tools that go on the wire, in order. */
  readonly tools: readonly ToolDefinition[];
  /** `tool_choice` to send; undefined sends none. */
  readonly toolChoice: unknown;
  readonly stream: boolean;
  /** Names of models that are tried in place of the body's, in order, by the policy. */
  readonly route?: readonly string[] | undefined;
  readonly envelope: Envelope;
  /** Present if something was written before: chunks continue in its envelope. */
  readonly adopt: boolean;
  /**
   * Headers for the upstream, names in lower case. An `authorization` among them is the client's own: it goes to the first upstream
   * in place of the gateway's key, and the step calls no other.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** The filter for links in the text; absent: the text is not filtered. */
  readonly links?: WordFilters | undefined;
  readonly signal: AbortSignal;
  /**
   * The upstream is called at once, but its answer is not read before this resolves, and there is no further try. Absent: there is
   * nothing to wait for.
   */
  readonly confirmed?: Promise<void> | undefined;
  /**
   * The request as a client of the Responses API sent it: text of such an upstream is passed on unchanged, with the items of hosted
   * tools.
   */
  readonly responses?: ResponsesRequest | undefined;
}

interface ResponsesRequest extends ResponsesForm {
  /** Gets each call that the provider has run, as soon as it is known, whatever the outcome of the step. */
  readonly onHosted: (call: ModelCall) => void;
}

/** Calls that had begun when the provider cut its answer off: none of them counts, however much of them came. */
export interface DroppedCalls {
  readonly detail: string;
  /** Their names. */
  readonly begun: readonly string[];
}

/** Status and headers of an upstream's answer, passed on as soon as they are there. */
export interface UpstreamHead {
  readonly status: number;
  readonly headers: Headers;
  /** Which upstream answered: its number from 1, or its provider's name; undefined for a model inside the gateway. */
  readonly upstream?: number | string;
  /** How many attempts that took, at any upstream. */
  readonly attempts?: number;
}

export type StepOutcome =
  | {
      readonly kind: "ended";
      readonly calls: readonly ModelCall[];
      /** Stream: the held finish events, as they came. */
      readonly finish: readonly JsonObject[];
      /** Stream: the closing usage event, if the provider sent one apart. */
      readonly closing: JsonObject | undefined;
      /** JSON: the whole body. */
      readonly body: JsonObject | undefined;
      /** As the provider spelled it; undefined if it sent none. */
      readonly finishReason: string | undefined;
      readonly usage: JsonObject | undefined;
      readonly text: string;
      readonly reasoning: string;
      /** JSON: output items of a Responses upstream, unchanged. Their text, if any, is that of `body`. */
      readonly items?: readonly JsonObject[];
      /** With it there are no `calls`. */
      readonly dropped?: DroppedCalls | undefined;
      /** Members of a Responses upstream's own response object, for a client of the same API. */
      readonly stated?: JsonObject | undefined;
    }
  /** The step's end was not orderly: none of its calls counts, and the reply must not end cleanly. */
  | {
      readonly kind: "disorderly";
      readonly detail: string;
      /** The provider's own error object, if it sent one. */
      readonly error: unknown;
      /** The names of calls that had begun. */
      readonly begun: readonly string[];
      /** A retry may well succeed. */
      readonly isTransient?: boolean | undefined;
    }
  /** The upstream refused or could not be understood, before any text. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly headers: Headers | undefined;
      /** OpenAI's error body as JSON text. */
      readonly body: string;
      /** Which upstream's answer this is, and after how many attempts; as in `UpstreamHead`. */
      readonly upstream?: number | string;
      readonly attempts?: number;
    }
  | { readonly kind: "aborted" };

export interface ModelPort {
  /**
   * One call of the model. Never throws: every failure is an outcome.
   * @param words receives the text as it comes; not used if `request.stream` is false.
   * @param onHead called once, before the first text, when the upstream has answered with success.
   */
  step(request: StepRequest, words: ReplySink, onHead: (head: UpstreamHead) => void): Promise<StepOutcome>;
}
