/**
 * What a request of the Responses API says that a chat completion cannot. An upstream of the same API gets it as the client wrote it; any
 * other gets what a chat can say. Pure.
 */
import { isObject, type JsonObject, listIn, valueAt } from "../../lib/json/json-value.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
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
