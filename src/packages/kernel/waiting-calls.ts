/** Calls that wait for a person, answered by a framework's own approvals. */
import type { Approval } from "../../approvals/approval.ts";
import { isObject, objectsIn } from "../../lib/json/json-value.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import type { ModelPort } from "../../ports/model-port.ts";
import type { NativeAnswer } from "../../wire/approval-answers.ts";
import type { ReleasedCall } from "../../wire/call-parts.ts";
import type { ChatTurn, Kernel } from "./kernel.ts";
import { wholeReply } from "./whole-reply.ts";

/** More than ever wait at once. */
const MAX_WAITING = 100;

/** Approvals that are not answered yet, the newest first. */
export async function pendingApprovals(kernel: Kernel): Promise<readonly Approval[]> {
  const { approvals } = await kernel.guard();
  return (await approvals.list({ status: "pending", limit: MAX_WAITING, order: "desc" })).data;
}

const approveAnswer = (id: string): NativeAnswer => ({ ...NOTHING, id, action: "approve" });
const denyAnswer = (id: string, reason: string | undefined): NativeAnswer => ({
  ...NOTHING,
  id,
  action: "deny",
  reason: reason?.trim() ? reason.trim().toWellFormed().slice(0, MAX_REASON) : null,
});

/** How a framework shows that a person refused a call. */
export interface Denial {
  /** Absent: any tool. */
  readonly tool?: string;
  readonly reason: string | undefined;
}

/**
 * Answers for the waiting calls that a person refused in the framework's own way. The turn takes them, and reports them to the model
 * itself.
 * @param denied by the id of the call. @returns also the ids of the calls that waited.
 */
export async function takeDenials(
  kernel: Kernel,
  denied: ReadonlyMap<string, Denial>,
): Promise<{ readonly ids: ReadonlySet<string>; readonly answers: readonly NativeAnswer[] }> {
  if (denied.size === 0) return { ids: new Set(), answers: [] };
  // A call that was approved and has run does not wait any more.
  const pending = (await pendingApprovals(kernel)).filter(({ callId, tool }) => {
    const denial = denied.get(callId);
    return denial !== undefined && (denial.tool ?? tool) === tool;
  });
  return {
    ids: new Set(pending.map(({ callId }) => callId)),
    answers: pending.map(({ id, callId }) => denyAnswer(id, denied.get(callId)?.reason)),
  };
}

const NOTHING = { changes: undefined, reason: null, grant: undefined, enables: false, endorses: false } as const;
const MAX_REASON = 1_000;

interface AnsweredCalls {
  readonly released: readonly ReleasedCall[];
  /** Why calls were not released, by their id. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Takes a person's yes to calls that wait: the rules in force now judge them once more, and those that pass are released.
 * @param request the conversation up to the message that made the calls.
 */
export async function approveCalls(
  kernel: Kernel,
  request: Pick<ChatTurn, "model" | "messages" | "tools">,
  approvals: readonly Approval[],
): Promise<AnsweredCalls> {
  const reply = wholeReply(request.model, undefined);
  const answers = approvals.map(({ id }) => approveAnswer(id));
  const turn = {
    ...request,
    ...toolsFor(request.tools, approvals),
    stream: false,
    jsonMode: false,
    answers,
    onlyAnswers: true,
    approvals: "native" as const,
  };
  await kernel.run(turn, NO_MODEL, reply);
  const { ending, note } = await reply.ended;
  const released = ending.kind === "answer" ? ending.calls : [];
  const refused = new Map(approvals.map(({ callId }) => [callId, "tool_policy_blocked: it was not released"]));
  if (ending.kind === "error" && isObject(ending.error))
    for (const { callId } of approvals) refused.set(callId, String(ending.error.message));
  for (const decision of objectsIn(note.decisions)) {
    const reasons = objectsIn(decision.reasons);
    if (decision.effect !== "allow" && reasons.length > 0)
      refused.set(String(decision.call_id), `tool_policy_blocked: ${reasons.map(({ message }) => message).join("; ")}`);
  }
  for (const { id } of released) refused.delete(id);
  return { released, refused };
}

/** A process that only takes the answer may not know the tools: then the tools of the questions are used. */
function toolsFor(tools: ChatTurn["tools"], approvals: readonly Approval[]): Pick<ChatTurn, "ownTools"> {
  const known = new Set(tools.map(({ function: definition }) => isObject(definition) && definition.name));
  if (approvals.every(({ tool }) => known.has(tool))) return {};
  const schemas = new Map(approvals.map(({ tool, schema }) => [tool, schema]));
  return {
    ownTools: [...schemas].map(([name, schema]) => ({
      name,
      description: undefined,
      parameters: (schema ?? undefined) as ToolDefinition["parameters"],
      wire: { type: "function", function: { name, parameters: schema } },
    })),
  };
}

/** No model is called: the framework calls it next, whatever was answered. */
const NO_MODEL: ModelPort = {
  step: async () => ({
    kind: "ended",
    calls: [],
    finish: [],
    closing: undefined,
    body: undefined,
    finishReason: "stop",
    usage: undefined,
    text: "",
    reasoning: "",
  }),
};
