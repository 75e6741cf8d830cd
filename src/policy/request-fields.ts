/**
 * Fields of a chat request that the gateway governs, and fields that make a provider run unvetted tools. Pure.
 */

import { foldName, twinsOf } from "../lib/names.ts";
import { once } from "../lib/once.ts";

/** Fields that the gateway reads or replaces. */
const GOVERNED = [
  ...["model", "messages", "tools", "tool_choice", "parallel_tool_calls", "functions", "function_call", "toolgate"],
  ...["stream", "stream_options", "n", "response_format", "metadata", "user"],
];

const governed: ReadonlySet<string> = new Set(GOVERNED);

export const isGoverned = (name: string): boolean => governed.has(name);

/** The governed field that a lax reader would read for another spelling. */
export const governedTwin = twinsOf(GOVERNED);

/** Words in the names of fields by which a provider searches, runs or connects; they also match future fields. */
const PROVIDER_WORDS = /search|tool|plugin|mcp|connector|retriev|grounding|codeinterpreter|codeexecution/;

/** Other fields that make a provider use tools, or that carry fields which we do not see. */
const PROVIDER_FIELDS = [
  // Bodies, headers and queries inside the body: LiteLLM, Gemini, Bedrock.
  ...["extra_body", "extra_headers", "extra_query", "additional_model_request_fields"],
  // Gemini: a cached content may hold tools.
  ...["cached_content", "function_declarations", "google_maps", "url_context"],
  // Anthropic's code execution, Azure's own data, OpenAI's hosted tools.
  ...["container", "skills", "data_sources", "enhancements", "computer_use", "image_generation"],
  // Groq, Venice, Hunyuan, LM Studio, Open WebUI.
  ...["compound_custom", "venice_parameters", "enable_enhancement", "integrations", "features"],
  // An agent or a document store at the provider.
  ...["agent_id", "assistant_id", "bot_id", "vector_store_ids", "vector_stores", "knowledge_bases"],
];

const providerFields = once(() => new Set(PROVIDER_FIELDS.map(foldName)));

/** These hold such a word, but only disable, limit or tune something. */
const HARMLESS = /^(disable|maxtoolcalls$|stricttools$|toolstream$)|beamsearch/;

/** Whether a field makes the provider run tools itself. */
export function runsProviderTools(name: string): boolean {
  if (isGoverned(name)) return false;
  const folded = foldName(name);
  return !HARMLESS.test(folded) && (PROVIDER_WORDS.test(folded) || providerFields().has(folded));
}
