/** Tools of the AI SDK that run only what the turn released. */
import type { ModelMessage, Tool, ToolSet } from "ai";
import { asSchema, type ToolApprovalStatus } from "ai";
import type { Approval } from "../../approvals/approval.ts";
import { approvalView } from "../../approvals/approval-view.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { ToolgateError } from "../kernel/toolgate-error.ts";
import { approveCalls, pendingApprovals } from "../kernel/waiting-calls.ts";
import { approvedCallIds, conversationBefore } from "./model-messages.ts";
import { chatTool, type GovernedCalls } from "./run-model.ts";

interface ToolCallOptions {
  readonly toolCallId: string;
  readonly messages: readonly ModelMessage[];
}

/** A tool with any types: the set's own type is kept. */
type AnyTool = Tool<unknown, unknown>;

export interface ApprovableCall {
  readonly toolCallId: string;
  readonly toolName: string;
}

interface ToolGuard {
  guard<Tools extends ToolSet>(tools: Tools): Tools;
  approval(call: ApprovableCall): Promise<ToolApprovalStatus>;
}

export function toolGuard(calls: GovernedCalls): ToolGuard {
  const { kernel, ledger, guarded } = calls;
  const known = new Map<string, AnyTool>();
  /** Answers that are being given: the framework runs all approved tools at once, and they are answered together. */
  const answering = new Map<string, ReturnType<typeof approveCalls>>();

  const approve = async (approvals: readonly Approval[], messages: readonly ModelMessage[]) => {
    const key = approvals.map(({ id }) => id).join();
    const request = { model: "model", messages: conversationBefore(messages), tools: await chatTools(known) };
    const running = answering.get(key) ?? approveCalls(kernel, request, approvals);
    answering.set(key, running);
    const answered = await running.finally(() => answering.delete(key));
    return answered;
  };

  async function admit(name: string, tool: AnyTool, input: unknown, options: ToolCallOptions): Promise<void> {
    const { toolCallId: id, messages } = options;
    const isInput = (args: string) => fits(tool, input, args);
    if (await ledger.take(id, name, isInput)) return;
    const approved = approvedCallIds(messages);
    const waiting = (await pendingApprovals(kernel)).filter(({ callId }) => approved.has(callId));
    const own = waiting.find((one) => one.callId === id && one.tool === name);
    if (!own || !(await isInput(own.arguments)))
      throw new ToolgateError(
        `tool_policy_blocked: this call of \`${name}\` was not allowed`,
        "tool_policy_blocked",
        403,
      );
    const { released, refused } = await approve(waiting, messages);
    const call = released.find((one) => one.id === id && one.tool === name);
    if (call && (await isInput(call.arguments))) return;
    throw new ToolgateError(refused.get(id) ?? "tool_policy_blocked: it was not released", "tool_policy_blocked", 403);
  }

  const guardTool = (name: string, tool: AnyTool): AnyTool => {
    known.set(name, tool);
    const { execute } = tool;
    if (!execute) return tool;
    guarded.add(name);
    const asks = tool.needsApproval;
    return {
      ...tool,
      needsApproval: async (input: unknown, options: never) => {
        const { toolCallId } = options as ToolCallOptions;
        if ((await approvalOf(name, toolCallId)) !== undefined) return true;
        return typeof asks === "function" ? asks(input, options) : asks === true;
      },
      execute: isGenerator(execute)
        ? async function* (input: unknown, options: never) {
            await admit(name, tool, input, options);
            yield* execute(input, options) as AsyncIterable<unknown>;
          }
        : async (input: unknown, options: never) => {
            await admit(name, tool, input, options);
            return execute(input, options) as unknown;
          },
      // The options depend on the tool's own context type.
    } as unknown as AnyTool;
  };

  const approvalOf = async (name: string, id: string): Promise<Approval | undefined> =>
    ledger.isReleased(id, name)
      ? undefined
      : (await pendingApprovals(kernel)).find(({ callId, tool }) => callId === id && tool === name);

  return {
    guard: (tools) =>
      Object.fromEntries(
        Object.entries(tools).map(([name, tool]) => [name, guardTool(name, tool as AnyTool)]),
      ) as typeof tools,
    async approval({ toolCallId, toolName }) {
      const approval = await approvalOf(toolName, toolCallId);
      if (approval) return { type: "user-approval", reason: questionOf(approval) };
      if (ledger.isReleased(toolCallId, toolName)) return "not-applicable";
      return { type: "denied", reason: `this call of \`${toolName}\` was not allowed` };
    },
  };
}

const questionOf = (approval: Approval): string => String(approvalView(approval, "whole").disclosure);

/** Whether the tool's schema makes this input of the vetted arguments: it may fill in defaults, and change nothing else unseen. */
async function fits(tool: AnyTool, input: unknown, args: string): Promise<boolean> {
  const vetted: unknown = JSON.parse(args);
  if (same(input, vetted)) return true;
  const read = await asSchema(tool.inputSchema).validate?.(vetted);
  return read?.success === true && same(input, read.value);
}

function same(one: unknown, other: unknown): boolean {
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    return false;
  }
}

/** Results that come bit by bit must be requested as the framework expects it. */
const isGenerator = (execute: unknown): boolean =>
  Object.prototype.toString.call(execute) === "[object AsyncGeneratorFunction]";

async function chatTools(tools: ReadonlyMap<string, AnyTool>): Promise<readonly JsonObject[]> {
  return Promise.all(
    [...tools].map(async ([name, { description, inputSchema, strict }]) =>
      chatTool({
        name,
        description: typeof description === "string" ? description : undefined,
        inputSchema: await asSchema(inputSchema).jsonSchema,
        strict,
      }),
    ),
  );
}
