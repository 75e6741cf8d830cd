/** `toolgate/openai-agents`: the gateway's policy, turn and approvals around the models and tools of the OpenAI Agents SDK. */
import type { FunctionTool, Model, RunContext } from "@openai/agents";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { callLedger } from "../kernel/call-ledger.ts";
import {
  createKernel,
  type GovernedToolgate,
  governedToolgate,
  type Kernel,
  type ToolgateOptions,
} from "../kernel/kernel.ts";
import { approveCalls, pendingApprovals } from "../kernel/waiting-calls.ts";
import type { GovernedCalls } from "./govern-model.ts";
import { governedModel } from "./governed-model.ts";

export type { StoredRecord } from "../../ports/audit-record.ts";
export type { ToolgateOptions, ToolgatePrincipal } from "../kernel/kernel.ts";
export { ToolgateError } from "../kernel/toolgate-error.ts";
export { type FileStoreOptions, fileStores, type MemoryStoreOptions, memoryStores } from "../stores/late-stores.ts";
export type { Stores } from "../stores/stores.ts";

export interface Toolgate extends GovernedToolgate<Toolgate> {
  /** The model, governed: the tools and handoffs that it is offered, the calls that it makes, and its words. */
  model(model: Model): Model;
  /** The same tools, which run only the calls that were released, each once, and interrupt the run for those that wait. */
  tools<Tool extends { readonly type: string; readonly name: string }>(tools: readonly Tool[]): Tool[];
}

/** Throws `ToolgateError` if the policy or the principal is not valid. */
export const createToolgate = (options: ToolgateOptions): Toolgate => toolgateOver(createKernel(options));

function toolgateOver(kernel: Kernel): Toolgate {
  const lastTurn = { model: "model", messages: [{ role: "user", content: "" }], tools: [] };
  const calls: GovernedCalls = { kernel, ledger: callLedger(), guarded: new Set(), thoughts: new Map(), lastTurn };
  return {
    model: (model) => governedModel(calls, model),
    tools: (tools) =>
      tools.map((tool) => (tool.type === "function" ? guardTool(calls, tool as never) : tool) as typeof tool),
    ...governedToolgate(kernel, toolgateOver),
  };
}

function guardTool(calls: GovernedCalls, tool: FunctionTool): FunctionTool {
  const { name } = tool;
  calls.guarded.add(name);
  return {
    ...tool,
    needsApproval: async (context, input, callId) => {
      const waiting = await pendingApprovals(calls.kernel);
      if (waiting.some((one) => one.callId === callId && one.tool === name)) return true;
      return tool.needsApproval(context, input, callId);
    },
    invoke: async (context, input, details) => {
      const id = details?.toolCall?.callId ?? "";
      const refusal = await admit(calls, { id, name, input }, context);
      return refusal ?? tool.invoke(context, input, details);
    },
  };
}

interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** @returns the model's result if the call may not run. */
async function admit(
  { kernel, ledger, lastTurn }: GovernedCalls,
  { id, name, input }: ToolCall,
  context: RunContext,
): Promise<string | undefined> {
  const isInput = (args: string) => isSame(args, input);
  if (await ledger.take(id, name, async (args) => isInput(args))) return undefined;
  const blocked = `tool_policy_blocked: this call of \`${name}\` was not allowed`;
  if (!isApproved(context, name, id)) return blocked;
  const waiting = (await pendingApprovals(kernel)).find((one) => one.callId === id && one.tool === name);
  if (!waiting || !isInput(waiting.arguments)) return blocked;
  const { released, refused } = await approveCalls(kernel, lastTurn, [waiting]);
  const call = released.find((one) => one.id === id && one.tool === name);
  return call && isInput(call.arguments) ? undefined : (refused.get(id) ?? blocked);
}

/** A yes to this very call. A yes to all calls of the tool does not count: it was given before this call was seen. */
function isApproved(context: RunContext, toolName: string, callId: string): boolean {
  const isYes = (id: string) => context.isToolApproved({ toolName, callId: id }) === true;
  return isYes(callId) && !isYes(crypto.randomUUID());
}

function isSame(one: string, other: string): boolean {
  try {
    return canonicalJson(JSON.parse(one)) === canonicalJson(JSON.parse(other));
  } catch {
    return false;
  }
}
