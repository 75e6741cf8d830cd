/** Picks the executor of a managed call, fills in what only the gateway knows, and enforces its deadline. */
import { withTimeout } from "../lib/deadline.ts";
import { describeError, log } from "../lib/log.ts";
import { ok, type Result } from "../lib/result.ts";
import { systemOf } from "../policy/arguments/system-arguments.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import type { HttpRun } from "../policy/document/run-parts.ts";
import { traitsOf } from "../policy/traits.ts";
import { callTargetOf, systemArgumentsOf } from "./call-target.ts";
import { linkedToken, type TokenPort } from "./credentials.ts";
import { managedTools, mcpTarget, NO_CATALOGUE } from "./managed-tools.ts";
import { type ExecutionResult, notStarted, unknown } from "./run.ts";
import { outcomeOf } from "./run-text.ts";
import type { BuiltinName, BuiltinPort, ManagedCall, McpPort, PreparedCall, ToolRunner } from "./tool-runner.ts";

export interface RunnerParts {
  readonly tokens: TokenPort;
  readonly http: (call: PreparedCall, settings: HttpRun) => Promise<ExecutionResult>;
  /** Absent: tools of this kind are not offered, and calls of them do not start. */
  readonly mcp?: McpPort | undefined;
  readonly builtin?: BuiltinPort | undefined;
  readonly now: () => number;
}

/** Between the end of a run and the ledger's deadline: its outcome must still arrive. */
const GRACE_MS = 5_000;
/** Time for an executor to end on its own after its deadline. */
const ENDING_MS = 1_000;

export function toolRunner(parts: RunnerParts): ToolRunner {
  return {
    async managed(policy, principal) {
      const catalogue = parts.mcp && usesMcp(policy) ? await parts.mcp.catalogue(policy, principal) : NO_CATALOGUE;
      return managedTools(policy, catalogue, parts.builtin);
    },
    entry(policy, tool, now) {
      const { kind, target, timeout } = callTargetOf(policy, tool);
      return { kind, target, deadline: now + timeout + GRACE_MS, trusted: traitsOf(policy, tool).trusted };
    },
    systemArguments: (policy, tool, facts) => systemArgumentsOf(systemOf(policy.tools.get(tool)), facts),
    async run(call) {
      const startedAt = parts.now();
      const result = await inTime(call, parts);
      return outcomeOf(call, result, parts.now() - startedAt);
    },
  };
}

const usesMcp = ({ mcpServers }: CompiledPolicy): boolean => mcpServers.size > 0;

/** A run that throws or does not end has an unknown outcome: it may have reached the tool before. */
async function inTime(call: ManagedCall, parts: RunnerParts): Promise<ExecutionResult> {
  const work = start(call, parts).catch((error: unknown): ExecutionResult => {
    // Without the message: an exception of a request may cite its address or headers.
    const { message: _, ...fields } = describeError(error);
    log("error", "tool_run_failed", { tool: call.tool, ...fields });
    return unknown("unavailable", "the gateway failed while it ran the tool");
  });
  const left = Math.max(call.deadline - GRACE_MS + ENDING_MS - parts.now(), 0);
  return withTimeout(left, work).catch(() => unknown("timeout", "the tool did not end within its time"));
}

async function start(call: ManagedCall, parts: RunnerParts): Promise<ExecutionResult> {
  if (parts.now() >= call.deadline - GRACE_MS) return notStarted("timeout", "its time was over before it began");
  const run = call.policy.tools.get(call.tool)?.run;
  const prepared = await prepare(call, parts.tokens);
  if (!prepared.ok) return prepared.error;
  if (run?.kind === "http") return parts.http(prepared.value, run);
  if (run?.kind === "builtin") {
    return parts.builtin
      ? parts.builtin.run(prepared.value, run.tool ?? (call.tool as BuiltinName), run)
      : notStarted("unavailable", "this gateway has no tools of its own");
  }
  const target = mcpTarget(call.policy, call.tool);
  return target && parts.mcp
    ? parts.mcp.run(prepared.value, target)
    : notStarted("unavailable", "nothing says how the tool is run");
}

async function prepare(call: ManagedCall, tokens: TokenPort): Promise<Result<PreparedCall, ExecutionResult>> {
  const { policy, tool, principal, session } = call;
  const deadline = call.deadline - GRACE_MS;
  const { connections, host } = callTargetOf(policy, tool);
  const values = systemOf(policy.tools.get(tool));
  let token: string | undefined;
  if (Object.values(values).includes("connection.token")) {
    const linked = await linkedToken(tokens, { principal, connections, host });
    if (!linked.ok) return linked;
    token = linked.value;
  }
  const system = systemArgumentsOf(values, { principal, session }, token);
  return ok({ ...call, arguments: { ...call.arguments, ...system }, system, deadline, connections });
}
