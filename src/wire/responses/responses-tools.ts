/** Tools and `tool_choice` of the Responses API in the chat's form. Pure. */
import { isObject, type JsonObject, valueAt } from "../../lib/json/json-value.ts";
import { ok, type Result } from "../../lib/result.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import { invalidRequest, type RequestFault } from "../request-fault.ts";
import { COMPUTER, computerTool } from "./computer.ts";
import { customTool } from "./custom-tools.ts";
import { hostedChoice, readHostedTool } from "./hosted-tools.ts";
import { itemFault } from "./input-content.ts";
import { isClientSearch, SEARCH, searchTool } from "./tool-search.ts";

/** How calls of a tool are written back, by the name that it has inside. */
export interface ToolForm {
  /** The one argument of a `custom` tool is a text. */
  readonly kind: "function" | "custom" | "computer" | "tool_search";
  readonly namespace: string | undefined;
  readonly name: string;
}

export interface ResponsesTools {
  /** In the chat's form; undefined if the request has none. */
  readonly tools: readonly JsonObject[] | undefined;
  /** Those that the provider runs. */
  readonly hosted: readonly ToolDefinition[];
  /** The forms of tools that are not plain functions. */
  readonly forms: ReadonlyMap<string, ToolForm>;
  /** Those that take free text, as the client wrote them, by their names inside. */
  readonly custom: ReadonlyMap<string, JsonObject>;
}

const NONE: ResponsesTools = { tools: undefined, hosted: [], forms: new Map(), custom: new Map() };

/** OpenAI's models have all functions of no namespace in this one; some clients write it out. */
const NO_NAMESPACE: ReadonlySet<unknown> = new Set(["", "functions"]);

/** The name inside of a tool in a namespace; policies know it by this name. */
export function insideName(namespace: unknown, name: string): string {
  if (typeof namespace !== "string" || NO_NAMESPACE.has(namespace)) return name;
  return namespace.endsWith("__") ? namespace + name : `${namespace}__${name}`;
}

/** By lists that come again as the same objects (`parseKnowingTools`): what is known about their tools is kept by identity. */
const readBefore = new WeakMap<object, Result<ResponsesTools, RequestFault>>();

/** @param items of the conversation: some bring tools. @param kept how many of them precede the request's own. */
export function readResponsesTools(
  tools: unknown,
  keptNumbers: boolean,
  items: readonly JsonObject[] = [],
  kept = 0,
): Result<ResponsesTools, RequestFault> {
  const listed = readListed(tools, keptNumbers);
  const bringing = items.flatMap((item, at) => (BRING_TOOLS.has(item.type) ? [{ item, at }] : []));
  if (!listed.ok || bringing.length === 0) return listed;
  let all = listed.value;
  for (const { item, at } of bringing) {
    const list = at < kept ? "previous_response_id" : `input[${at - kept}].tools`;
    if (!Array.isArray(item.tools)) return itemFault(list, `\`${list}\` must be a list`);
    const brought = readList(item.tools, list);
    if (!brought.ok) return brought;
    all = joined(all, brought.value);
  }
  return ok(all);
}

/** Items that bring tools into the conversation, as long as they are in it. */
const BRING_TOOLS: ReadonlySet<unknown> = new Set(["additional_tools", "tool_search_output"]);

function readListed(tools: unknown, keptNumbers: boolean): Result<ResponsesTools, RequestFault> {
  if (tools == null) return ok(NONE);
  if (!Array.isArray(tools)) return invalidRequest("`tools` must be a list", "tools");
  if (keptNumbers) return readList(tools, "tools");
  const read = readBefore.get(tools) ?? readList(tools, "tools");
  readBefore.set(tools, read);
  return read;
}

function readList(tools: readonly unknown[], list: string): Result<ResponsesTools, RequestFault> {
  const read: ReadTools = { tools: [], hosted: [], forms: new Map(), custom: new Map() };
  const fault = readInto(read, tools, list, undefined);
  return fault ?? ok(read);
}

/** A later tool replaces an earlier one of the same name. */
function joined(earlier: ResponsesTools, later: ResponsesTools): ResponsesTools {
  const { tools: added = [], hosted, forms, custom } = later;
  const names = new Set(added.map(nameOf));
  const isLeft = (name: string): boolean => !names.has(name);
  return {
    tools: [...(earlier.tools ?? []).filter((tool) => isLeft(nameOf(tool))), ...added],
    hosted: [...earlier.hosted.filter(({ name }) => !hosted.some((one) => one.name === name)), ...hosted],
    forms: new Map([...[...earlier.forms].filter(([name]) => isLeft(name)), ...forms]),
    custom: new Map([...[...earlier.custom].filter(([name]) => isLeft(name)), ...custom]),
  };
}

const nameOf = (tool: JsonObject): string => String(valueAt(tool, ["function", "name"]));

interface ReadTools {
  readonly tools: JsonObject[];
  readonly hosted: ToolDefinition[];
  readonly forms: Map<string, ToolForm>;
  readonly custom: Map<string, JsonObject>;
}

function readInto(
  read: ReadTools,
  tools: readonly unknown[],
  list: string,
  namespace: string | undefined,
): Result<never, RequestFault> | undefined {
  for (const [index, tool] of tools.entries()) {
    const at = `${list}[${index}]`;
    if (!isObject(tool)) return itemFault(at, `\`${at}\` must be an object`);
    const { type, name } = tool;
    if (type === "function" || type === "custom") {
      const inside = typeof name === "string" ? insideName(namespace, name) : name;
      read.tools.push(type === "custom" ? customTool(inside, tool) : functionTool(inside, tool));
      if (typeof name === "string" && (type === "custom" || namespace !== undefined))
        read.forms.set(inside as string, { kind: type, namespace, name });
      if (type === "custom" && typeof inside === "string") read.custom.set(inside, tool);
    } else if (type === "computer" && namespace === undefined) {
      read.tools.push(computerTool);
      read.forms.set(COMPUTER, { kind: type, namespace, name: COMPUTER });
    } else if (type === SEARCH && namespace === undefined) {
      // The provider would only choose among tools that the request has: all of them are sent.
      if (!isClientSearch(tool)) continue;
      read.tools.push(searchTool(tool));
      read.forms.set(SEARCH, { kind: type, namespace, name: SEARCH });
    } else if (
      type === "namespace" &&
      namespace === undefined &&
      typeof name === "string" &&
      Array.isArray(tool.tools)
    ) {
      const fault = readInto(read, tool.tools, `${at}.tools`, name);
      if (fault) return fault;
    } else {
      const fault = readHosted(read, tool, at, namespace);
      if (fault) return fault;
    }
  }
  return undefined;
}

function readHosted(
  { hosted }: ReadTools,
  tool: JsonObject,
  at: string,
  namespace: string | undefined,
): Result<never, RequestFault> | undefined {
  const read = namespace === undefined ? readHostedTool(tool, at) : undefined;
  if (!read) return itemFault(`${at}.type`, notServed(`${at}.type`, tool.type), "unsupported_tool");
  if (!read.ok) return read;
  const { name } = read.value;
  if (hosted.some((one) => one.name === name))
    return itemFault(at, `two tools of the request are \`${name}\`: leave one out`, "duplicate_tool");
  hosted.push(read.value);
  return undefined;
}

const notServed = (at: string, type: unknown): string =>
  `\`${at}\` must be \`function\`, \`custom\`, \`computer\`, \`namespace\`, \`tool_search\` or a tool that the provider runs (web and file search, code interpreter, image ` +
  `generation, MCP), not \`${String(type).slice(0, 64).toWellFormed()}\`: nobody could vet its calls; leave it out`;

/** Only the members that are read here go on. */
function functionTool(name: unknown, { description, parameters, strict }: JsonObject): JsonObject {
  const definition = {
    name,
    ...(description == null ? {} : { description }),
    ...(parameters == null ? {} : { parameters: inPlainText(parameters) }),
    ...(strict == null ? {} : { strict }),
  };
  return { type: "function", function: definition };
}

/** An argument that the provider would encrypt could not be vetted. */
function inPlainText(parameters: unknown): unknown {
  const properties =
    isObject(parameters) && isObject(parameters.properties) ? Object.entries(parameters.properties) : [];
  if (!isObject(parameters) || !properties.some(([, schema]) => isObject(schema) && schema.encrypted === true))
    return parameters;
  const plain = properties.map(([name, schema]): [string, unknown] => {
    if (!isObject(schema)) return [name, schema];
    const { encrypted: _, ...kept } = schema;
    return [name, kept];
  });
  return { ...parameters, properties: Object.fromEntries(plain) };
}

/** @returns undefined if the request has none. */
export function chatToolChoice(choice: unknown): Result<unknown, RequestFault> {
  if (choice == null || typeof choice === "string") return ok(choice ?? undefined);
  if (isObject(choice) && isNamed(choice)) return ok(named(choice));
  if (isObject(choice) && choice.type === "allowed_tools" && Array.isArray(choice.tools)) {
    const strange = choice.tools.findIndex((tool) => !isObject(tool) || !isNamed(tool));
    if (strange === -1) {
      const tools = choice.tools.map((tool: JsonObject) => named(tool));
      return ok({ type: "allowed_tools", allowed_tools: { mode: choice.mode, tools } });
    }
    const at = `tool_choice.tools[${strange}]`;
    return itemFault(at, `\`${at}\` must be \`{ "type": "function", "name": … }\``);
  }
  const message = "`tool_choice` must be `none`, `auto`, `required`, a function or custom tool, or `allowed_tools`";
  return itemFault("tool_choice", message, "unsupported_tool");
}

const isNamed = (choice: JsonObject): boolean =>
  ((choice.type === "function" || choice.type === "custom") && typeof choice.name === "string") ||
  typeChoice(choice) !== undefined;

/** The name inside of a tool that is demanded by its type alone. */
const typeChoice = (choice: JsonObject): string | undefined =>
  choice.type === COMPUTER ? COMPUTER : hostedChoice(choice);

const named = (choice: JsonObject): JsonObject => ({
  type: "function",
  function: { name: typeChoice(choice) ?? insideName(choice.namespace, String(choice.name)) },
});
