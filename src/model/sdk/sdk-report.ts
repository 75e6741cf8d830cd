/** What was read of an answer of the AI SDK, word for word or in parts. */
import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { ThoughtBlock } from "./carried-thoughts.ts";
import type { StreamFault } from "./stream-fault.ts";

interface SdkCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
  /** Google's, of this call. */
  readonly signature: string | undefined;
}

export interface SdkReport {
  fault?: StreamFault;
  /** Whether the model has said anything. Without it the client was sent nothing of this answer. */
  begun: boolean;
  readonly calls: SdkCall[];
  /** Names of calls, in the order in which they began. */
  readonly names: string[];
  finish?: { readonly unified: string; readonly raw: string | undefined };
  usage?: LanguageModelV4Usage;
  text: string;
  reasoning: string;
  readonly thoughts: ThoughtBlock[];
  /** OpenAI's reasoning, as its Responses API encrypted it. */
  readonly encrypted: string[];
  /** Google's, of the text. */
  signature?: string;
  readonly images: JsonObject[];
}
