/**
 * Fields of a request that would let something by: a second spelling of a field that we read, which another reader takes for
 * that field, and fields by which the provider runs tools itself. Pure.
 */

import { isObject, type JsonObject } from "../lib/json/json-value.ts";
import { foldName, twinsOf } from "../lib/names.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { governedTwin, runsProviderTools } from "../policy/request-fields.ts";
import type { RequestFault } from "./request-fault.ts";

/** A field that goes on only if the policy's `passFields` has its name. */
export interface ProviderField {
  readonly name: string;
  /** The place in the request. */
  readonly param: string;
}

const messageTwin = twinsOf(
  ["role", "content", "tool_calls", "function_call", "tool_call_id", "name"],
  ["id", "refusal", "audio", "annotations", "reasoning", "reasoning_content", "reasoning_details", "cache_control"],
);
const toolTwin = twinsOf(["type", "function"], ["cache_control"]);
const functionTwin = twinsOf(["name", "description", "parameters", "strict"]);
/** Arguments of a chat template, in any spelling. */
const TEMPLATE_INPUTS: ReadonlySet<string> = new Set(["messages", "tools", "functions", "toolchoice"]);

/** Other models for a request that fails: LiteLLM, AssemblyAI. */
const FALLBACK = /fallback/;

/** An object may bring tools and messages of its own; names of models bring nothing, nor do switches and numbers. */
const holdsRequests = (value: unknown): boolean =>
  [value].flat().some((one) => (typeof one === "object" && one !== null) || searchesOnline(one));

/** Looks at the body's own fields, those of its messages, and those of a chat template (vLLM lets them replace `tools`). */
export function readFields(body: JsonObject): Result<readonly ProviderField[], RequestFault> {
  const found: ProviderField[] = [];
  for (const name of Object.keys(body)) {
    if (name === "__proto__") return err(INHERITED);
    const twin = governedTwin(name);
    if (twin !== undefined) return twinFault(name, twin);
    const runs = runsProviderTools(name) || (FALLBACK.test(foldName(name)) && holdsRequests(body[name]));
    if (runs && !isUnset(body[name])) found.push({ name, param: name });
  }
  const { messages, chat_template_kwargs: template, model, models } = body;
  for (const [index, message] of (Array.isArray(messages) ? messages : []).entries()) {
    const fault = isObject(message) ? findTwin(message, messageTwin, `messages[${index}]`) : undefined;
    if (fault) return fault;
  }
  const replaced = isObject(template)
    ? Object.keys(template).find((name) => TEMPLATE_INPUTS.has(foldName(name)))
    : undefined;
  if (replaced !== undefined) return templateFault(replaced);
  if (searchesOnline(model)) found.push({ name: "plugins", param: "model" });
  if (Array.isArray(models) && models.some(searchesOnline)) found.push({ name: "plugins", param: "models" });
  return ok(found);
}

/** The fields of one tool: a reader that takes a second spelling would define another tool, or have the provider run one. */
export function checkToolFields(tool: JsonObject, definition: JsonObject, at: string): Result<void, RequestFault> {
  const fault = findTwin(tool, toolTwin, at) ?? findTwin(definition, functionTwin, `${at}.function`);
  if (fault) return fault;
  const strange = Object.keys(tool).find((name) => name !== "type" && name !== "function" && runsProviderTools(name));
  return strange === undefined ? ok(undefined) : err(providerFault(`${at}.${shortened(strange)}`, "leave it out"));
}

/** @param passed the policy's `passFields`. */
export function checkProviderFields(
  fields: readonly ProviderField[],
  passed: ReadonlySet<string>,
): Result<void, RequestFault> {
  const refused = fields.find(({ name }) => !passed.has(name));
  if (!refused) return ok(undefined);
  const name = shortened(refused.name);
  return err(
    providerFault(
      shortened(refused.param),
      `leave it out, or have an operator add \`${name}\` to the policy's \`passFields\``,
    ),
  );
}

function findTwin(
  object: JsonObject,
  twinOf: (name: string) => string | undefined,
  at: string,
): Result<never, RequestFault> | undefined {
  // Parsed from JSON, so all that it lists is its own.
  for (const name in object) {
    const twin = twinOf(name);
    if (twin !== undefined) return twinFault(`${at}.${name}`, twin);
  }
  return undefined;
}

/** OpenRouter's short form of its plugin `web`. */
const searchesOnline = (model: unknown): boolean =>
  typeof model === "string" &&
  model.includes(":") &&
  model
    .split(":")
    .slice(1)
    .some((part) => foldName(part) === "online");

/** Nothing is requested. */
const isUnset = (value: unknown): boolean =>
  value == null || value === false || (Array.isArray(value) && value.length === 0);

function twinFault(param: string, twin: string): Result<never, RequestFault> {
  const at = shortened(param);
  const message = `\`${at}\` is another spelling of \`${twin}\`, which the gateway governs: write \`${twin}\``;
  return err({ param: at, message, code: "ambiguous_parameter" });
}

function templateFault(name: string): Result<never, RequestFault> {
  const param = shortened(`chat_template_kwargs.${name}`);
  const message = `\`${param}\` replaces a field that the gateway governs: leave it out`;
  return err({ param, message, code: "unsupported_parameter" });
}

function providerFault(param: string, advice: string): RequestFault {
  const message = `\`${param}\` makes the provider run tools itself, and nobody vets their calls: ${advice}`;
  return { param, message, code: "unsupported_parameter" };
}

/** Some readers take members that the request lacks from there: the tools that the gateway withholds. */
const INHERITED: RequestFault = {
  param: "__proto__",
  message: "`__proto__` can stand for fields that the gateway governs: leave it out",
  code: "unsupported_parameter",
};

const shortened = (name: string): string => name.slice(0, 64).toWellFormed();
