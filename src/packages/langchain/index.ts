/** `toolgate/langchain`: the gateway's policy, turn and approvals as the middleware of a LangChain agent. */
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { type AgentMiddleware, createMiddleware } from "langchain";
import type { Approval } from "../../approvals/approval.ts";
import { approvalView } from "../../approvals/approval-view.ts";
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
import { chatMessages } from "./chat-messages.ts";
import { type AskModel, DENIED, type GovernedCalls, governModel } from "./govern-model.ts";

export type { StoredRecord } from "../../ports/audit-record.ts";
export type { ToolgateOptions, ToolgatePrincipal } from "../kernel/kernel.ts";
export { ToolgateError } from "../kernel/toolgate-error.ts";
export { type FileStoreOptions, fileStores, type MemoryStoreOptions, memoryStores } from "../stores/late-stores.ts";
export type { Stores } from "../stores/stores.ts";

export interface Toolgate extends GovernedToolgate<Toolgate> {
  /** For `createAgent({ middleware: [toolgate.middleware] })`, before any other that changes calls. */
  readonly middleware: AgentMiddleware;
}

/** Throws `ToolgateError` if the policy or the principal is not valid. */
export const createToolgate = (options: ToolgateOptions): Toolgate => toolgateOver(createKernel(options));

function toolgateOver(kernel: Kernel): Toolgate {
  const calls: GovernedCalls = { kernel, ledger: callLedger(), thoughts: new Map(), tools: [] };
  return {
    middleware: governingMiddleware(calls),
    ...governedToolgate(kernel, toolgateOver),
  };
}

function governingMiddleware(calls: GovernedCalls): AgentMiddleware {
  const { kernel, ledger } = calls;
  return createMiddleware({
    name: "toolgate",
    wrapModelCall: (request, handler) => governModel(calls, request, handler as AskModel),
    afterModel: {
      canJumpTo: ["model"],
      hook: async (state, runtime) => {
        if (kernel.approvals !== "native") return undefined;
        return askPeople(calls, state.messages, runtime.interrupt as Interrupt | undefined);
      },
    },
    wrapToolCall: async (request, handler) => {
      const { id = "", name, args } = request.toolCall;
      const isSame = async (vetted: string) => canonicalJson(JSON.parse(vetted)) === canonicalJson(args);
      if (await ledger.take(id, name, isSame)) return handler(request);
      const content = `tool_policy_blocked: this call of \`${name}\` was not allowed`;
      return new ToolMessage({ tool_call_id: id, name, content, status: "error" });
    },
  });
}

type Interrupt = (value: unknown) => unknown;

/** A program's answer to an interrupt, in the form of LangChain's own approvals. */
interface Decision {
  readonly type: "approve" | "reject";
  readonly message?: string;
}

/** Interrupts the agent for the pending calls of its last answer, and acts on the decisions. */
async function askPeople(calls: GovernedCalls, messages: readonly BaseMessage[], interrupt: Interrupt | undefined) {
  const { kernel, ledger, tools } = calls;
  const at = messages.findLastIndex((one) => AIMessage.isInstance(one));
  const answer = messages[at] as AIMessage | undefined;
  const made = new Map((answer?.tool_calls ?? []).map(({ id = "", name }) => [id, name]));
  const waiting = (await pendingApprovals(kernel)).filter(({ callId, tool }) => made.get(callId) === tool);
  if (waiting.length === 0 || !interrupt) return undefined;
  const approvals = [...made.keys()].flatMap((id) => waiting.find(({ callId }) => callId === id) ?? []);
  const decisions = decisionsOf(interrupt(requestOf(approvals)), approvals.length);
  const approved = approvals.filter((_, index) => decisions[index]?.type === "approve");
  const refusals = new Map(
    approvals.flatMap(({ callId }, index) =>
      decisions[index]?.type === "approve" ? [] : [[callId, denial(approvals[index] as Approval, decisions[index])]],
    ),
  );
  if (approved.length > 0) {
    const request = { model: "model", messages: chatMessages(messages.slice(0, at)), tools };
    const { released, refused } = await approveCalls(kernel, request, approved);
    ledger.release(released);
    for (const { callId, tool: name } of approved) {
      const content = refused.get(callId);
      if (content !== undefined)
        refusals.set(callId, new ToolMessage({ tool_call_id: callId, name, content, status: "error" }));
    }
  }
  const isAllRefused = refusals.size === made.size;
  return { messages: [...refusals.values()], ...(isAllRefused ? { jumpTo: "model" as const } : {}) };
}

const denial = ({ callId, tool: name }: Approval, decision: Decision | undefined): ToolMessage =>
  new ToolMessage({
    tool_call_id: callId,
    name,
    content: decision?.message ?? "",
    status: "error",
    artifact: { [DENIED]: true },
  });

/** The form of LangChain's own approvals, which frontends know. */
const requestOf = (approvals: readonly Approval[]) => ({
  actionRequests: approvals.map((approval) => ({
    name: approval.tool,
    args: JSON.parse(approval.arguments) as Record<string, unknown>,
    description: String(approvalView(approval, "whole").disclosure),
  })),
  reviewConfigs: approvals.map(({ tool }) => ({ actionName: tool, allowedDecisions: ["approve", "reject"] })),
});

/** Anything but a clear yes is a no. */
function decisionsOf(resumed: unknown, count: number): readonly Decision[] {
  const given = (resumed as { readonly decisions?: unknown } | null | undefined)?.decisions;
  const list: readonly unknown[] = Array.isArray(given) && given.length === count ? given : [];
  return Array.from({ length: count }, (_, at): Decision => {
    const { type, message } = (list[at] ?? {}) as { readonly type?: unknown; readonly message?: unknown };
    return { type: type === "approve" ? "approve" : "reject", ...(typeof message === "string" ? { message } : {}) };
  });
}
