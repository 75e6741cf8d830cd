/**
 * The allowed parts of an upstream's call, and those that go out. Pure.
 *
 * A call that goes out is built from its vetted parts alone. A member that some reader could take for another call, beside
 * the one that was vetted, refuses the call; any other member that is not on the list below is dropped.
 */

import { isObject, type JsonObject } from "../lib/json/json-value.ts";
import { foldKey } from "../lib/names.ts";
import { findCallName, isBlank, keyKind } from "./call-names.ts";

/** Calls in one step. Each is decided and recorded: more than any model makes at once would hold up everybody else. */
export const MAX_CALLS = 64;
/** UTF-16 units of arguments in one step; more is refused, not buffered. */
export const MAX_ARGUMENT_UNITS = 1024 * 1024;
export const TOO_MANY_CALLS = `the step has more than ${MAX_CALLS} tool calls`;
export const TOO_LONG = `the arguments of the step's calls exceed ${MAX_ARGUMENT_UNITS} characters`;
/** UTF-16 units. A longer id of a call is no provider's. */
const MAX_ID_UNITS = 256;
/** A longer name is none that a client or a policy can give a tool, and no record could hold it. */
const MAX_NAME_UNITS = 1024;
/** Google's grow with the thoughts that they sign, to some ten thousand units. */
const MAX_SIGNATURE_UNITS = 64 * 1024;

const PROTOCOL: ReadonlySet<string> = new Set([
  ...["id", "type", "index", "function", "name", "arguments"],
  ...["args", "input", "parameters", "custom", "tool"],
]);
const CALL_MEMBERS: ReadonlySet<string> = new Set(["id", "type", "index", "function"]);
/** The call's own members mean nothing if they are repeated in the function: no reader looks for them there. */
const FUNCTION_MEMBERS: ReadonlySet<string> = new Set(["name", "arguments", "id", "type", "index"]);

/**
 * Signatures that a provider wants back with the call: Google's (its own endpoint, Vertex, Cloudflare's gateway), Anthropic's and OpenAI's as
 * the gateway writes them (`carried-thoughts.ts`), LiteLLM's, and the form of gateways that put it beside the function.
 */
const SIGNATURES: readonly (readonly string[])[] = [
  ["extra_content", "anthropic", "thinking"],
  ["extra_content", "openai", "reasoning"],
  ["extra_content", "google", "thought_signature"],
  ["extra_content", "vertex", "thought_signature"],
  ["provider_specific_fields", "thought_signature"],
  ["thought_signature"],
];
/** They are base64; printable ASCII is the same to every reader. */
const SIGNATURE = /^[\x20-\x7e]+$/;

/** Why a call, or a fragment of one, is refused; undefined if its form is right. */
export function callFault(call: unknown): string | undefined {
  if (!isObject(call) || !isObject(call.function)) return "a tool call is not a function call";
  const { id, type, function: called } = call;
  if (type != null && type !== "" && type !== "function") return "a tool call is not a function call";
  if (typeof id === "string" && id.length > MAX_ID_UNITS) return "the id of a tool call is too long";
  if (typeof id === "string" && !id.isWellFormed()) return "the id of a tool call is not valid Unicode";
  const { name } = called as JsonObject;
  if (typeof name === "string" && name.length > MAX_NAME_UNITS) return "the name of a tool call is too long";
  const second = findSecondCall(call, CALL_MEMBERS) ?? findSecondCall(called as JsonObject, FUNCTION_MEMBERS);
  if (second === undefined) return undefined;
  return `a tool call holds \`${second.slice(0, 64)}\`, which a reader could take for another call`;
}

/** The name in a call, or in a fragment of one, whatever else is wrong with it: for the record. */
export function callName(call: unknown): string | undefined {
  const called = isObject(call) ? (isObject(call.function) ? call.function : call.custom) : undefined;
  return isObject(called) && typeof called.name === "string" && called.name.trim() !== "" ? called.name : undefined;
}

function findSecondCall(object: JsonObject, own: ReadonlySet<string>): string | undefined {
  for (const [key, value] of Object.entries(object)) {
    if (own.has(key)) continue;
    if ((PROTOCOL.has(foldKey(key)) || keyKind(key).call) && !isBlank(value)) return key;
    const inside = findCallName(value);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** Only the signatures among a call's members; undefined if it has none. */
export function vendorMembers(call: unknown): JsonObject | undefined {
  const kept: JsonObject = {};
  for (const path of SIGNATURES) {
    const value = path.reduce<unknown>(
      (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
      call,
    );
    if (typeof value === "string" && value.length <= MAX_SIGNATURE_UNITS && SIGNATURE.test(value))
      put(kept, path, value);
  }
  return Object.keys(kept).length > 0 ? kept : undefined;
}

function put(object: JsonObject, [key = "", ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) {
    object[key] = value;
    return;
  }
  const inner = isObject(object[key]) ? object[key] : {};
  object[key] = inner;
  put(inner, rest, value);
}

/** A call in OpenAI's format. Members that an older version stored beside the protocol's are not vetted: only the listed ones go out. */
export function wireCall({ id, tool, arguments: args, extra }: ReleasedCall): JsonObject {
  return { id, type: "function", function: { name: tool, arguments: args }, ...vendorMembers(extra) };
}

export interface ReleasedCall {
  readonly id: string;
  readonly tool: string;
  /** In the form that was vetted. */
  readonly arguments: string;
  /** Vendor fields that are released with it. */
  readonly extra: Record<string, unknown> | undefined;
}

/** A tool call as the model made it, arguments not yet read. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Vendor fields that the provider wants back with the call. */
  readonly extra: JsonObject | undefined;
}
