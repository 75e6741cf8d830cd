/**
 * The computer tool of the Responses API. Its calls are run by the client, so inside it is a function like any other, and its calls are
 * vetted before they are released: the arguments are the members of the item that describe the act. Pure.
 */
import { isObject, type JsonObject, listIn } from "../../lib/json/json-value.ts";
import { ok, type Result } from "../../lib/result.ts";
import { callName } from "../call-parts.ts";
import type { RequestFault } from "../request-fault.ts";
import { itemFault } from "./input-content.ts";

/** Its name inside, by which policies know it. */
export const COMPUTER = "computer";

const place = { x: { type: "number" }, y: { type: "number" } };
const point = { type: "object", properties: place, required: ["x", "y"], additionalProperties: false };
const keys = { type: ["array", "null"], items: { type: "string" } };

/** @param required names of `properties`; all of them by default. */
const action = (type: string, properties: JsonObject = {}, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  properties: { type: { const: type }, ...properties },
  required: ["type", ...required],
  additionalProperties: false,
});

const at = ["x", "y"];
const actions = [
  action("screenshot"),
  action("wait"),
  action("move", { ...place, keys }, at),
  action("click", { ...place, button: { enum: ["left", "right", "wheel", "back", "forward"] }, keys }, [
    ...at,
    "button",
  ]),
  action("double_click", { ...place, keys }, at),
  action("drag", { path: { type: "array", items: point }, keys }, ["path"]),
  action("scroll", { ...place, scroll_x: { type: "number" }, scroll_y: { type: "number" }, keys }, [
    ...at,
    "scroll_x",
    "scroll_y",
  ]),
  action("keypress", { keys: { type: "array", items: { type: "string" } } }),
  action("type", { text: { type: "string" } }),
];

/** In the chat's form. An action that is not listed is refused: its effect is unknown. */
export const computerTool: JsonObject = {
  type: "function",
  function: {
    name: COMPUTER,
    description: "Acts on the screen of the user's computer",
    parameters: {
      type: "object",
      properties: {
        actions: { type: "array", items: { anyOf: actions } },
        pending_safety_checks: { type: "array", items: { type: "object" }, description: "Warnings of the provider" },
      },
      required: ["actions"],
      additionalProperties: false,
    },
  },
};

/** @param item a `computer_call`. Some models send one action, under another name. */
export function computerArguments({ action: one, actions: list, pending_safety_checks: checks }: JsonObject): string {
  return JSON.stringify({
    actions: Array.isArray(list) && list.length > 0 ? list : one == null ? [] : [one],
    ...(Array.isArray(checks) && checks.length > 0 ? { pending_safety_checks: checks } : {}),
  });
}

/** @param args of a call that was vetted. */
export function computerCall(id: string, callId: string, args: string): JsonObject {
  const { actions: list, pending_safety_checks: checks = [] } = JSON.parse(args) as JsonObject;
  return {
    id,
    type: "computer_call",
    status: "completed",
    call_id: callId,
    actions: list,
    pending_safety_checks: checks,
  };
}

/** The message of a tool that a `computer_call_output` becomes. */
export function screenshotMessage(item: JsonObject, param: string): Result<JsonObject, RequestFault> {
  const { call_id: id, output, acknowledged_safety_checks: checks } = item;
  if (typeof id !== "string") return itemFault(`${param}.call_id`, `\`${param}.call_id\` must be text`);
  const { image_url: url, detail } = isObject(output) ? output : {};
  if (typeof url !== "string") {
    const message = `\`${param}.output.image_url\` must be a URL or a data URL: files that the provider keeps cannot be sent`;
    return itemFault(`${param}.output.image_url`, message, "unsupported_content");
  }
  const image = { url, ...(typeof detail === "string" ? { detail } : {}) };
  return ok({
    role: "tool",
    tool_call_id: id,
    content: [{ type: "image_url", image_url: image }],
    ...(Array.isArray(checks) ? { acknowledged_safety_checks: checks } : {}),
  });
}

/**
 * The body for a Responses upstream with the tool, its calls and their screenshots as that API has them. A call whose result is text (it
 * was refused) stays a function's: the API has no such result of a computer.
 * @param messages those that the body was made of.
 */
export function withComputer(body: JsonObject, messages: readonly unknown[]): JsonObject {
  const shots = screenshots(messages);
  const { tool_choice: choice } = body;
  return {
    ...body,
    input: listIn(body.input).map((item) => inForm(item, shots)),
    ...(Array.isArray(body.tools)
      ? { tools: body.tools.map((tool) => (isComputer(tool) ? { type: COMPUTER } : tool)) }
      : {}),
    ...(isComputer(choice) ? { tool_choice: { type: COMPUTER } } : {}),
  };
}

const isComputer = (tool: unknown): boolean => isObject(tool) && tool.type === "function" && tool.name === COMPUTER;

/** The outputs of calls that have brought a screenshot, by the ids of the calls. */
function screenshots(messages: readonly unknown[]): ReadonlyMap<unknown, JsonObject> {
  const called = new Set<unknown>();
  const shots = new Map<unknown, JsonObject>();
  for (const message of messages) {
    if (!isObject(message)) continue;
    for (const call of listIn(message.tool_calls))
      if (isObject(call) && callName(call) === COMPUTER) called.add(call.id);
    const { tool_call_id: id, acknowledged_safety_checks: checks } = message;
    const image = listIn(message.content).find((part) => isObject(part) && isObject(part.image_url)) as
      | JsonObject
      | undefined;
    if (message.role !== "tool" || !image || !called.has(id)) continue;
    const { url, detail } = image.image_url as JsonObject;
    shots.set(id, {
      type: "computer_call_output",
      call_id: id,
      output: { type: "computer_screenshot", image_url: url, ...(detail === undefined ? {} : { detail }) },
      ...(checks === undefined ? {} : { acknowledged_safety_checks: checks }),
    });
  }
  return shots;
}

function inForm(item: unknown, shots: ReadonlyMap<unknown, JsonObject>): unknown {
  if (!isObject(item)) return item;
  const { type, call_id: id, arguments: args } = item;
  const shot = shots.get(id);
  if (!shot) return item;
  if (type === "function_call_output") return shot;
  // Nothing is kept at the provider, so the id names nothing there.
  return type === "function_call" ? computerCall(`cu_${String(id)}`, String(id), String(args)) : item;
}
