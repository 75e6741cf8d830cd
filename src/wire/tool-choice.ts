/** All forms of `tool_choice`, read and written. Pure. */

import { isObject } from "../lib/json/json-value.ts";
import { err, ok, type Result } from "../lib/result.ts";
import type { ToolDefinition } from "../policy/facts.ts";
import type { RequestFault } from "./request-fault.ts";

export type ToolChoice =
  | { readonly kind: "auto" | "none" | "required" /** Whether the client wrote it. */; readonly explicit: boolean }
  | { readonly kind: "named"; readonly tool: string }
  /** OpenAI's `allowed_tools`: a subset, with a mode of its own. */
  | { readonly kind: "subset"; readonly required: boolean; readonly tools: readonly string[] };

const fault = (message: string): Result<never, RequestFault> =>
  err({ message, param: "tool_choice", code: "invalid_request" });

const NOT_NAMED = "`tool_choice.function.name` must be one of the request's `tools`";

/** The tools that it names are checked by `checkToolChoice`. */
export function readToolChoice(value: unknown): Result<ToolChoice, RequestFault> {
  if (value == null) return ok({ kind: "auto", explicit: false });
  if (value === "auto" || value === "none" || value === "required") return ok({ kind: value, explicit: true });
  if (isObject(value) && value.type === "function") {
    const name = isObject(value.function) ? value.function.name : undefined;
    return typeof name === "string" ? ok({ kind: "named", tool: name }) : fault(NOT_NAMED);
  }
  if (isObject(value) && value.type === "allowed_tools") {
    const subset = isObject(value.allowed_tools) ? value.allowed_tools : value;
    const names = Array.isArray(subset.tools) ? subset.tools.map(nameOf) : [];
    if (subset.mode !== "auto" && subset.mode !== "required")
      return fault("`tool_choice.allowed_tools.mode` must be `auto` or `required`");
    if (names.length === 0 || names.includes(undefined)) return fault(notTools(undefined));
    return ok({ kind: "subset", required: subset.mode === "required", tools: names as string[] });
  }
  return fault("`tool_choice` must be `none`, `auto`, `required`, a function, or `allowed_tools`");
}

const notTools = (strange: string | undefined): string =>
  `\`tool_choice.allowed_tools.tools\` must name tools of the request${strange ? `, not \`${strange}\`` : ""}`;

/** @param tools the request's, and those that the gateway runs itself. */
export function checkToolChoice(
  choice: ToolChoice,
  tools: readonly ToolDefinition[],
): Result<ToolChoice, RequestFault> {
  const isKnown = (name: string) => tools.some((tool) => tool.name === name);
  switch (choice.kind) {
    case "auto":
    case "none":
      return ok(choice);
    case "required":
      return tools.length > 0 ? ok(choice) : fault("`tool_choice` is `required`, but there are no `tools`");
    case "named":
      return isKnown(choice.tool) ? ok(choice) : fault(NOT_NAMED);
    case "subset": {
      const strange = choice.tools.find((name) => !isKnown(name));
      return strange === undefined ? ok(choice) : fault(notTools(strange));
    }
  }
}

function nameOf(entry: unknown): string | undefined {
  if (!isObject(entry)) return undefined;
  const name = isObject(entry.function) ? entry.function.name : entry.name;
  return typeof name === "string" ? name : undefined;
}

/**
 * `tool_choice` for the wire: the client's, narrowed to the offered tools and with the handshake tool added to a subset.
 * @returns undefined if none is to be sent.
 */
export function wireToolChoice(choice: ToolChoice, offered: readonly string[], handshake: string | undefined): unknown {
  if (choice.kind === "named") return { type: "function", function: { name: choice.tool } };
  if (choice.kind === "subset") {
    const names = choice.tools.filter((name) => offered.includes(name));
    if (handshake !== undefined) names.push(handshake);
    // Providers refuse an empty list; other tools go with the request, and none of them may be called.
    if (names.length === 0) return "none";
    const tools = names.map((name) => ({ type: "function", function: { name } }));
    return { type: "allowed_tools", allowed_tools: { mode: choice.required ? "required" : "auto", tools } };
  }
  return choice.explicit ? choice.kind : undefined;
}
