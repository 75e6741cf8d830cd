/** Reads a list of tools in the forms that exist: OpenAI's, `{ tools: […] }`, MCP's `tools/list`, plain functions. */
import { isObject, type JsonObject } from "../../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../../lib/result.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import { selectorKind } from "../../../policy/selectors.ts";

interface ToolList {
  /** One of each name, in the order of the list. */
  readonly tools: readonly ToolWords[];
  /** The entries that were left out, and why, in words. */
  readonly skipped: readonly string[];
}

/** @param value as parsed JSON. */
export function toolsIn(value: unknown): Result<ToolList, string> {
  const entries = entriesIn(value, 0);
  if (!entries) return err("must be an array of tools, or an object with `tools`: OpenAI's, MCP's or plain functions");
  const tools = new Map<string, ToolWords>();
  const skipped: string[] = [];
  entries.forEach((entry, index) => {
    const tool = toolOf(entry);
    if (!tool) skipped.push(`entry ${index} has no \`name\``);
    else if (selectorKind(tool.name) !== "name" || tool.name === "__proto__")
      skipped.push(`${JSON.stringify(tool.name)} cannot be a tool's name in a policy`);
    else if (tools.has(tool.name)) skipped.push(`\`${tool.name}\` is there twice: the first one counts`);
    else tools.set(tool.name, tool);
  });
  return tools.size === 0 ? err(["holds no tool", ...skipped].join("; ")) : ok({ tools: [...tools.values()], skipped });
}

/** The list may be in the envelope of an answer: `{ result: { tools } }`. */
function entriesIn(value: unknown, depth: number): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isObject(value) || depth > 2) return undefined;
  for (const key of ["tools", "functions", "result", "data"]) {
    if (!Object.hasOwn(value, key)) continue;
    const own = value[key];
    // By name: `{ "tools": { "send_mail": { … } } }`.
    if (key !== "result" && isObject(own) && !Object.hasOwn(own, "tools"))
      return Object.entries(own).map(([name, tool]) => (isObject(tool) ? { name, ...tool } : tool));
    const entries = entriesIn(own, depth + 1);
    if (entries) return entries;
  }
  return undefined;
}

function toolOf(entry: unknown): ToolWords | undefined {
  if (!isObject(entry)) return undefined;
  const own: JsonObject = isObject(entry.function) ? entry.function : entry;
  const { name, description, annotations } = own;
  if (typeof name !== "string" || name === "") return undefined;
  const parameters = [own.parameters, own.inputSchema, own.input_schema].find(
    (schema) => isObject(schema) || Array.isArray(schema),
  );
  return {
    name,
    ...(typeof description === "string" ? { description } : {}),
    ...(parameters === undefined ? {} : { parameters: schemaOf(parameters) }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

/** Some lists name the arguments in an array: `[{ name, type, description, required }]`. */
function schemaOf(parameters: unknown): unknown {
  if (!Array.isArray(parameters)) return parameters;
  const named = parameters.filter(
    (one): one is JsonObject & { name: string } => isObject(one) && typeof one.name === "string",
  );
  return {
    type: "object",
    properties: Object.fromEntries(named.map(({ name, ...schema }) => [name, schema])),
    required: named.filter(({ required }) => required === true).map(({ name }) => name),
  };
}
