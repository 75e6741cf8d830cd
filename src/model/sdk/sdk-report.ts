/** Report of what was read of an AI SDK answer, as raw text or in parts. */
import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { ThoughtBlock } from "./carried-thoughts.ts";
import type { StreamFault } from "./stream-fault.ts";

interface SdkCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
  /** Google's signature of this call. */
  readonly signature: string | undefined;
}

export interface SdkReport {
  fault?: StreamFault;
  /** Whether the model has sent any output. Without it the client was sent nothing of this answer. */
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
  /** Google's signature of the text. */
  signature?: string;
  readonly images: JsonObject[];
}
