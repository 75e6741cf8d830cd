/** A released call as an item of a response, in the form of its tool. Pure. */
import type { JsonObject } from "../../lib/json/json-value.ts";
import { type ReleasedCall, vendorMembers } from "../call-parts.ts";
import { computerCall } from "./computer.ts";
import type { ToolForm } from "./responses-tools.ts";
import { searchCall } from "./tool-search.ts";

interface WrittenCall {
  readonly item: JsonObject;
  /** The member that its deltas fill. */
  readonly empty: JsonObject;
  readonly whole: JsonObject;
  /** Undefined: its item says all. */
  readonly events: "function_call_arguments" | "custom_tool_call_input" | undefined;
}

/** @param form undefined for a plain function. */
export function writtenCall(
  call: ReleasedCall,
  form: ToolForm = { kind: "function", namespace: undefined, name: call.tool },
  newItemId: (prefix: "fc" | "ctc" | "cu" | "ts") => string,
): WrittenCall {
  if (form.kind === "custom") return customCall(call, form, newItemId("ctc"));
  if (form.kind === "function") return functionCall(call, form, newItemId("fc"));
  const { id, arguments: args } = call;
  const own =
    form.kind === "computer" ? computerCall(newItemId("cu"), id, args) : searchCall(newItemId("ts"), id, args);
  return { item: { ...own, ...vendorMembers(call.extra) }, empty: {}, whole: {}, events: undefined };
}

function functionCall(call: ReleasedCall, form: ToolForm, id: string): WrittenCall {
  const { id: callId, arguments: args, extra } = call;
  const whole = { arguments: args };
  const base = { id, type: "function_call", status: "completed", call_id: callId, ...nameOf(form) };
  return {
    item: { ...base, ...whole, ...vendorMembers(extra) },
    empty: { arguments: "" },
    whole,
    events: "function_call_arguments",
  };
}

/** The schema of a custom tool lets only `{ "input": text }` through. */
function customCall(call: ReleasedCall, form: ToolForm, id: string): WrittenCall {
  const { input } = JSON.parse(call.arguments) as { readonly input?: unknown };
  if (typeof input !== "string") throw new Error("a call of a custom tool has no text");
  const { id: callId, extra } = call;
  const base = { id, type: "custom_tool_call", status: "completed", call_id: callId, ...nameOf(form) };
  return {
    item: { ...base, input, ...vendorMembers(extra) },
    empty: { input: "" },
    whole: { input },
    events: "custom_tool_call_input",
  };
}

const nameOf = ({ name, namespace }: ToolForm): JsonObject => ({
  name,
  ...(namespace === undefined ? {} : { namespace }),
});
