/**
 * The model as a step sees it: it streams words to the reply and returns decisions whole. OpenAI-compatible upstreams are
 * relayed, words as the bytes that came; those of other providers are written anew from the AI SDK's parts.
 */

import type { JsonObject } from "../lib/json/json-value.ts";
import type { ToolDefinition } from "../policy/facts.ts";
import type { ModelCall } from "../wire/call-parts.ts";
import type { Envelope } from "../wire/envelope.ts";
import type { WordFilters } from "../wire/links/word-filters.ts";
import type { ReplySink } from "../wire/reply-sink.ts";
import type { ResponsesForm } from "../wire/responses/upstream-form.ts";

export interface StepRequest {
  /** The client's own body: what is not governed goes upstream as it stands. */
  readonly body: JsonObject;
  /** The messages to send, hidden exchanges included. */
  readonly messages: readonly unknown[];
  /** Exactly the tools that go on the wire, in order. */
  readonly tools: readonly ToolDefinition[];
  /** `tool_choice` to send; undefined sends none. */
  readonly toolChoice: unknown;
  readonly stream: boolean;
  /** Names of models that are tried in place of the body's, in order, as the policy says. */
  readonly route?: readonly string[] | undefined;
  readonly envelope: Envelope;
  /** Where something was written before: chunks go on in its envelope. */
  readonly adopt: boolean;
  /**
   * Headers for the upstream, names in lower case. An `authorization` among them is the client's own: it goes to the
   * first upstream in place of the gateway's key, and the step asks no other.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** What the words pass through, for the links in them; absent: they pass as they come. */
  readonly links?: WordFilters | undefined;
  readonly signal: AbortSignal;
  /**
   * The upstream is called at once, but its answer is not read before this resolves, and there is no further try. Absent: there
   * is nothing to wait for.
   */
  readonly confirmed?: Promise<void> | undefined;
  /**
   * The request as a client of the Responses API sent it: words of such an upstream go to it as they come, with the items of hosted
   * tools.
   */
  readonly responses?: ResponsesRequest | undefined;
}

interface ResponsesRequest extends ResponsesForm {
  /** Gets each call that the provider has run, as soon as it is known, whatever becomes of the step. */
  readonly onHosted: (call: ModelCall) => void;
}

/** Calls that had begun when the provider cut its answer: none of them counts, whatever of them came. */
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
      /** As the provider spelled it; undefined where it sent none. */
      readonly finishReason: string | undefined;
      readonly usage: JsonObject | undefined;
      readonly text: string;
      readonly reasoning: string;
      /** JSON: output items of a Responses upstream, as they came. Where they hold words, these are those of `body`. */
      readonly items?: readonly JsonObject[];
      /** Then there are no `calls`. */
      readonly dropped?: DroppedCalls | undefined;
      /** Members of a Responses upstream's own response object, for a client of the same API. */
      readonly stated?: JsonObject | undefined;
    }
  /** The step's end was not orderly: none of its calls counts, and the reply must not end cleanly. */
  | {
      readonly kind: "disorderly";
      readonly detail: string;
      /** The provider's own error object, where it sent one. */
      readonly error: unknown;
      /** The names of calls that had begun. */
      readonly begun: readonly string[];
      /** Asked again, the provider may well answer. */
      readonly isTransient?: boolean | undefined;
    }
  /** The upstream refused or could not be understood, before any word. */
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
   * @param words where words go as they come; not used when `request.stream` is false.
   * @param onHead called once, before the first word, when the upstream has answered with success.
   */
  step(request: StepRequest, words: ReplySink, onHead: (head: UpstreamHead) => void): Promise<StepOutcome>;
}
