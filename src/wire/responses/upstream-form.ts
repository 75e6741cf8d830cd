/**
 * The parts of a request and a response of the Responses API that a chat completion cannot express. An upstream of the same API gets them as
 * the client wrote them, and its reply repeats them; any other upstream gets a plain chat. Pure.
 */
import { isObject, type JsonObject, listIn, valueAt } from "../../lib/json/json-value.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import { findCallName } from "../call-names.ts";
import { withPlainNumbers } from "../odd-numbers.ts";

export interface ResponsesForm {
  /** Members of the body. */
  readonly settings: JsonObject;
  /** The tool `computer` is the API's own. */
  readonly computer: boolean;
  /** Tools that take free text, as the client wrote them, by the names that they have inside. */
  readonly custom: ReadonlyMap<string, JsonObject>;
  /** Whether an assistant's words were its answer or a report of its work, by the words: some models want it back. */
  readonly phases: ReadonlyMap<string, string>;
}

/** Others need files or screenshots that the provider keeps. */
const INCLUDED =
  /^(web_search_call|file_search_call|code_interpreter_call)\.|^(reasoning\.encrypted_content|message\.output_text\.logprobs)$/;

/** Members of a request's body that go to an upstream of the same API. */
export function responsesSettings({ include, reasoning, top_logprobs, max_tool_calls }: JsonObject): JsonObject {
  const included = listIn(include).filter((one) => typeof one === "string" && INCLUDED.test(one));
  const settings = {
    ...(included.length > 0 ? { include: included } : {}),
    ...(isObject(reasoning) ? { reasoning } : {}),
    ...(top_logprobs == null ? {} : { top_logprobs }),
    ...(max_tool_calls == null ? {} : { max_tool_calls }),
  };
  return withPlainNumbers(settings) as JsonObject;
}

/** @param body as the SDK wrote it. */
export function withSettings(body: JsonObject, { settings, phases }: ResponsesForm): JsonObject {
  const { include, reasoning, ...more } = settings;
  const included = [...new Set([...listIn(body.include), ...listIn(include)])];
  return {
    ...body,
    ...more,
    ...(phases.size > 0 ? { input: listIn(body.input).map((item) => withPhase(item, phases)) } : {}),
    ...(isObject(reasoning)
      ? { reasoning: { ...(isObject(body.reasoning) ? body.reasoning : {}), ...reasoning } }
      : {}),
    ...(included.length > 0 ? { include: included } : {}),
  };
}

function withPhase(item: unknown, phases: ReadonlyMap<string, string>): unknown {
  if (!isObject(item) || item.role !== "assistant" || typeof item.content !== "string") return item;
  const phase = phases.get(item.content);
  return phase === undefined ? item : { ...item, phase };
}

/** The SDK says of every function that it is not strict. */
export function withStrictTools(body: JsonObject, tools: readonly ToolDefinition[]): JsonObject {
  const strict = new Set(
    tools.flatMap(({ name, wire }) => (valueAt(wire, ["function", "strict"]) === true ? [name] : [])),
  );
  if (strict.size === 0) return body;
  const inForm = (tool: unknown): unknown =>
    isObject(tool) && tool.type === "function" && strict.has(String(tool.name)) ? { ...tool, strict: true } : tool;
  return { ...body, tools: listIn(body.tools).map(inForm) };
}

/** Members of an upstream's response that the reply repeats. The gateway sets all others, or leaves them out. */
const STATED = ["service_tier", "prompt_cache_retention", "billing", "content_filters", "moderation", "tool_usage"];
const NESTED = { reasoning: ["effort", "summary"], text: ["verbosity"] };

/** UTF-16 units of one member. Azure's filters of a long answer are some thousands. */
const MAX_MEMBER = 32 * 1024;

/**
 * What an upstream of the same API reports beside content, calls and usage: the values it used for settings that the request left out, and
 * its own accounts.
 */
export function statedMembers(response: unknown): JsonObject {
  if (!isObject(response)) return {};
  const nested = Object.entries(NESTED).flatMap(([name, members]): [string, JsonObject][] => {
    const inner = response[name];
    const kept = isObject(inner) ? harmless(inner, members) : {};
    return Object.keys(kept).length > 0 ? [[name, kept]] : [];
  });
  return { ...harmless(response, STATED), ...Object.fromEntries(nested) };
}

const harmless = (object: JsonObject, members: readonly string[]): JsonObject =>
  Object.fromEntries(
    members.flatMap((name) => {
      const value = Object.hasOwn(object, name) ? object[name] : undefined;
      return value !== undefined && isHarmless(value) ? [[name, value]] : [];
    }),
  );

/** No reader may find a call in it. */
const isHarmless = (value: unknown): boolean =>
  findCallName(value) === undefined && JSON.stringify(value).length <= MAX_MEMBER;
