/** The refusal of a credential that opens nothing. It says which mistake was made, where that shows; never the key. Pure. */
import { type Problem, unauthorized } from "../problem.ts";

/** How other vendors' keys begin; the first that fits counts. */
const VENDORS: readonly (readonly [beginning: string, vendor: string])[] = [
  ["sk-ant-", "an Anthropic"],
  ["sk-or-", "an OpenRouter"],
  ["sk-", "an OpenAI"],
  ["AIza", "a Google"],
  ["gsk_", "a Groq"],
  ["xai-", "an xAI"],
  ["hf_", "a Hugging Face"],
];

/** @param authorization the whole header. */
export function invalidKey(authorization: string): Problem {
  const [, scheme = "", token = ""] = /^(\S+) *(.*)$/s.exec(authorization) ?? [];
  return unauthorized("invalid_api_key", `${mistake(scheme.toLowerCase(), token)} or ask an operator for a new one`);
}

function mistake(scheme: string, token: string): string {
  if (scheme === "basic") return "`Basic` credentials are not accepted; send a key as `Authorization: Bearer tg_…`,";
  const vendor = VENDORS.find(([beginning]) => token.startsWith(beginning) || scheme.startsWith(beginning))?.[1];
  if (vendor !== undefined) return `that looks like ${vendor} key; Toolgate's begin with \`tg_\`: send yours,`;
  return "the API key is not valid; check it";
}
