/**
 * A chat completion request: the members that the gateway needs are read and checked, the rest is kept as it came. Pure.
 */

import { nearestDouble, parseExact } from "../lib/json/exact-json.ts";
import { isObject, type JsonObject } from "../lib/json/json-value.ts";
import { err, ok, type Result } from "../lib/result.ts";
import type { ToolDefinition } from "../policy/facts.ts";
import { HOSTED_PREFIX, isHosted } from "../policy/hosted.ts";
import { type NativeAnswer, readApprovalAnswers } from "./approval-answers.ts";
import { parseKnowingTools } from "./known-tools.ts";
import { keepsNumbers, withPlainNumbers } from "./odd-numbers.ts";
import type { RequestFault } from "./request-fault.ts";
import { checkToolFields, type ProviderField, readFields } from "./request-fields.ts";
import type { ResponsesForm } from "./responses/upstream-form.ts";
import { readToolChoice, type ToolChoice } from "./tool-choice.ts";

export interface ChatRequest {
  /** As it goes on: without the field that is for the gateway. */
  readonly body: JsonObject;
  readonly messages: readonly JsonObject[];
  readonly tools: readonly ToolDefinition[];
  /** The named tool need not be among `tools`: the gateway may run it itself. */
  readonly toolChoice: ToolChoice;
  /** `n`: more than one only without `tools`. */
  readonly choices: number;
  readonly model: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** `response_format` asks for JSON: nothing of ours may be mixed into the text. */
  readonly jsonMode: boolean;
  readonly sessionId: string | undefined;
  /** The body's answers to calls that wait for a person; absent: none. */
  readonly answers: readonly NativeAnswer[] | undefined;
  /** Fields that the policy must pass (`checkProviderFields`). */
  readonly providerFields: readonly ProviderField[];
  /** The form of the Responses API, if the client uses that: it takes the events of such an upstream as they come. */
  readonly responses?: ResponsesParts;
}

interface ResponsesParts extends ResponsesForm {
  /** Hosted tools whose items are in the conversation. */
  readonly hosted: readonly string[];
}

const TOOL_NAME = /^[a-zA-Z0-9_.:/-]{1,128}$/;
const MAX_TOOLS = 1024;
/** UTF-16 units. It is kept with every turn. */
export const MAX_MODEL = 256;
/** Levels. Far above any honest schema, and below what `canonicalJson` writes. */
const MAX_TOOL_DEPTH = 100;

const fault = (message: string, param: string | null, code = "invalid_request"): Result<never, RequestFault> =>
  err({ message, param, code });

/**
 * Numbers that a double cannot hold are kept as they were written.
 * @param keep the result of `keepsNumbers` for the text.
 */
export function parseBody(text: string, keep = keepsNumbers(text)): Result<JsonObject, RequestFault> {
  let value: unknown;
  try {
    value = keep ? parseExact(text) : parseKnowingTools(text);
  } catch (error) {
    return fault(`the body is not JSON: ${(error as Error).message}`, null, "invalid_json");
  }
  return isObject(value) ? ok(value) : fault("the body must be a JSON object", null, "invalid_json");
}

/** @param keptNumbers whether the body may hold numbers as they were written: readers of schemas want plain ones. */
export function readChatRequest(body: JsonObject, keptNumbers = true): Result<ChatRequest, RequestFault> {
  const { model, messages, stream } = body;
  if (typeof model !== "string" || model === "") return fault("`model` must be a non-empty string", "model");
  if (model.length > MAX_MODEL || !model.isWellFormed())
    return fault(`\`model\` must be well-formed text of at most ${MAX_MODEL} characters`, "model");
  if (!Array.isArray(messages) || messages.length === 0)
    return fault("`messages` must be a non-empty list", "messages");
  for (const [index, message] of messages.entries()) {
    if (!isObject(message) || typeof message.role !== "string") {
      return fault(`\`messages[${index}]\` must be an object with a \`role\``, `messages[${index}]`);
    }
  }
  if (stream != null && typeof stream !== "boolean") return fault("`stream` must be true or false", "stream");
  const legacy = ["functions", "function_call"].find((key) => body[key] != null);
  if (legacy) {
    return fault(
      `\`${legacy}\` is not supported, because its calls cannot be vetted: use \`tools\` and \`tool_choice\``,
      legacy,
      "unsupported_parameter",
    );
  }
  const fields = readFields(body);
  if (!fields.ok) return fields;
  const tools = readTools(body.tools, keptNumbers);
  if (!tools.ok) return tools;
  const choices = readChoices(body.n, tools.value);
  if (!choices.ok) return choices;
  const toolChoice = readToolChoice(body.tool_choice);
  if (!toolChoice.ok) return toolChoice;
  const answers = readApprovalAnswers(body.toolgate);
  if (!answers.ok) return answers;
  const format = isObject(body.response_format) ? body.response_format.type : undefined;
  const metadata = isObject(body.metadata) ? body.metadata : {};
  return ok({
    body: body.toolgate === undefined ? body : withoutOurs(body),
    messages: messages as JsonObject[],
    tools: tools.value,
    toolChoice: toolChoice.value,
    choices: choices.value,
    model,
    stream: stream === true,
    includeUsage: isObject(body.stream_options) && body.stream_options.include_usage === true,
    jsonMode: format === "json_object" || format === "json_schema",
    sessionId: typeof metadata.session_id === "string" ? metadata.session_id : undefined,
    answers: answers.value,
    providerFields: fields.value,
  });
}

function withoutOurs({ toolgate: _toolgate, ...body }: JsonObject): JsonObject {
  return body;
}

/** `n`, however it is written: a reader that took `2.0000000000000000` for no number would let several choices by. */
function readChoices(n: unknown, tools: readonly ToolDefinition[]): Result<number, RequestFault> {
  const count = n == null ? 1 : nearestDouble(n);
  if (typeof count !== "number" || !Number.isInteger(count) || count < 1)
    return fault("`n` must be a positive whole number", "n");
  if (count === 1 || tools.length === 0) return ok(count);
  return fault(
    "`n` above 1 is not supported together with `tools`: send the request several times",
    "n",
    "unsupported_parameter",
  );
}

/** By lists that come again as the same objects (`parseKnowingTools`). */
const readBefore = new WeakMap<object, Result<readonly ToolDefinition[], RequestFault>>();

function readTools(tools: unknown, keptNumbers: boolean): Result<readonly ToolDefinition[], RequestFault> {
  if (tools == null) return ok([]);
  if (!Array.isArray(tools)) return fault("`tools` must be a list", "tools");
  if (keptNumbers) return readDefinitions(tools, keptNumbers);
  const read = readBefore.get(tools) ?? readDefinitions(tools, keptNumbers);
  readBefore.set(tools, read);
  return read;
}

function readDefinitions(
  tools: readonly unknown[],
  keptNumbers: boolean,
): Result<readonly ToolDefinition[], RequestFault> {
  if (tools.length > MAX_TOOLS) return fault(`at most ${MAX_TOOLS} tools are supported`, "tools");
  const names = new Set<string>();
  const read: ToolDefinition[] = [];
  for (const [index, tool] of tools.entries()) {
    const param = `tools[${index}]`;
    if (!isObject(tool)) return fault(`\`${param}\` must be an object`, param);
    if (tool.type !== "function") {
      return fault(
        `\`${param}.type\` must be \`function\`: tools that the provider runs, and calls of other kinds, cannot be vetted`,
        `${param}.type`,
        "unsupported_tool",
      );
    }
    const definition = tool.function;
    if (!isObject(definition)) return fault(`\`${param}.function\` must be an object`, `${param}.function`);
    const fields = checkToolFields(tool, definition, param);
    if (!fields.ok) return fields;
    const { name, description } = definition;
    const parameters = nearestDouble(definition.parameters);
    if (typeof name !== "string" || !TOOL_NAME.test(name)) {
      return fault(
        `\`${param}.function.name\` must be 1 to 128 letters, digits, or any of \`_-.:/\``,
        `${param}.function.name`,
      );
    }
    if (isHosted(name))
      return fault(
        `names that begin with \`${HOSTED_PREFIX}\` are of tools that the provider runs: give \`${name}\` another name`,
        `${param}.function.name`,
        "reserved_tool_name",
      );
    if (names.has(name))
      return fault(
        `two tools are named \`${name}\`: give each a name of its own`,
        `${param}.function.name`,
        "duplicate_tool",
      );
    if (parameters != null && !isObject(parameters) && typeof parameters !== "boolean") {
      return fault(`\`${param}.function.parameters\` must be a JSON Schema`, `${param}.function.parameters`);
    }
    if (isDeeperThan(MAX_TOOL_DEPTH, tool)) {
      const at = isDeeperThan(MAX_TOOL_DEPTH - 2, parameters) ? `${param}.function.parameters` : param;
      return fault(`\`${at}\` is nested more than ${MAX_TOOL_DEPTH} levels deep`, at);
    }
    names.add(name);
    read.push({
      name,
      description: typeof description === "string" ? description : undefined,
      parameters: parameters == null ? undefined : keptNumbers ? withPlainNumbers(parameters) : parameters,
      wire: tool,
    });
  }
  return ok(read);
}

/** Looks no deeper than `levels`, so that its own recursion is bounded. */
function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((child) => isDeeperThan(levels - 1, child));
  // Parsed from JSON, so all that it lists is its own; no list of its values is made for each of some hundred objects.
  for (const key in value) if (isDeeperThan(levels - 1, (value as JsonObject)[key])) return true;
  return false;
}
