/** The log's line for a turn. Names, numbers and codes alone: no argument, no message, no text of an error. Pure. */

import { isObject } from "../lib/json/json-value.ts";
import type { LogLevel } from "../lib/log.ts";
import type { TurnSummary } from "../ports/turns/turn-observer.ts";
import type { RequestFacts, RunFacts, StepFacts, TurnFacts, UsageFacts } from "./request-facts.ts";
import { timingsOf } from "./request-timings.ts";
import { codeWord, ownId, shortName } from "./safe-words.ts";

/** A model may make hundreds of calls in one step. */
const MAX_DECISIONS = 32;

type LogFields = Readonly<Record<string, unknown>>;

export function turnLine(facts: RequestFacts, turn: TurnFacts): LogFields {
  const { summary, ending, steps } = turn;
  const last = steps.at(-1);
  return {
    turn: turn.id,
    session: summary?.session,
    ...principalFields(facts),
    policy: facts.policy?.version.slice(0, 12),
    policy_stale: facts.policy?.stale || undefined,
    model: shortName(turn.model),
    status: facts.status,
    upstream: last?.upstream,
    upstream_attempts: last?.attempts,
    upstream_status: last?.status,
    ...(summary ? summaryFields(summary) : {}),
    steps: steps.length,
    early: turn.early,
    runs: runLine(turn.runs),
    stop_reason: ending?.stopReason,
    finish_reason: codeWord(finishReasonOf(turn)),
    error: ending?.kind === "error" ? errorCode(ending.error) : undefined,
    usage: sumUsage(steps),
    ms: timingFields(timingsOf(facts)),
  };
}

/** The level of a turn's line: failures stand out in the log. */
export function levelOf({ ending }: TurnFacts): LogLevel {
  if (ending?.stopReason === "gateway_error") return "error";
  return ending?.stopReason === "upstream_error" ? "warn" : "info";
}

export function requestLine(facts: RequestFacts): LogFields {
  const { authenticate, policy, total } = timingsOf(facts);
  return {
    request_id: ownId(facts.id),
    method: facts.method,
    route: facts.route,
    status: facts.status,
    ...principalFields(facts),
    ms: { authenticate, policy, total },
  };
}

function principalFields({ principal }: RequestFacts): LogFields {
  return { tenant: principal?.tenant, user: principal?.user, key: principal?.keyId, role: principal?.role };
}

function summaryFields(summary: TurnSummary): LogFields {
  const decisions = summary.decisions.slice(0, MAX_DECISIONS);
  return {
    mode: summary.mode,
    state_opened: summary.stateOpened,
    state_closed: summary.stateClosed,
    intents: summary.intents,
    detected: summary.detected,
    detection_missed: summary.detectionMissed.length > 0 ? summary.detectionMissed : undefined,
    arm: summary.variant,
    system_first: summary.systemFirst,
    plan: summary.plan,
    offered: summary.offered,
    withheld: summary.withheld,
    tokens_saved: summary.tokensSaved,
    decisions: decisions.map(({ tool, effect, reasons, approval, madeBy }) => ({
      tool: tool === undefined ? "(unknown)" : shortName(tool),
      effect,
      made_by: madeBy,
      reasons,
      approval,
    })),
    channel: summary.decisions.some(({ approval }) => approval !== undefined) ? summary.channel : undefined,
    decisions_left_out: summary.decisions.length - decisions.length || undefined,
  };
}

function finishReasonOf({ ending, steps }: TurnFacts): string | undefined {
  if (ending?.kind === "stop") return ending.finishReason;
  if (ending?.kind !== "answer") return undefined;
  return ending.step ? steps.at(-1)?.finishReason : "tool_calls";
}

const errorCode = (error: unknown): string | undefined => codeWord(isObject(error) ? error.code : "other");

function sumUsage(steps: readonly StepFacts[]): LogFields | undefined {
  const usages = steps.flatMap(({ usage }) => (usage ? [usage] : []));
  if (usages.length === 0) return undefined;
  const total = (field: keyof UsageFacts) => {
    const known = usages.flatMap((usage) => usage[field] ?? []);
    return known.length > 0 ? known.reduce((sum, tokens) => sum + tokens, 0) : undefined;
  };
  return { input: total("input"), output: total("output"), cached: total("cached") };
}

function timingFields({ upstreamHead, firstWord, ...others }: ReturnType<typeof timingsOf>): LogFields {
  return { ...others, upstream_head: upstreamHead, first_word: firstWord };
}

/** A model may ask for many in one turn. */
const MAX_UNDONE = 32;

interface RunLine {
  /** The turn's own runs, and those of an earlier try of the request that it waited for. */
  readonly count: number;
  readonly awaited?: number;
  /** Runs that did not start count too. */
  readonly failed: number;
  readonly unknown: number;
  /** The sum of the runs' times; `ms.tools` is how long the reply waited. */
  readonly ms: number;
  readonly undone?: readonly { readonly tool: string; readonly status: string; readonly failure?: string }[];
}

/** @returns undefined for a turn without any. */
function runLine(runs: readonly RunFacts[]): RunLine | undefined {
  if (runs.length === 0) return undefined;
  const undone = runs.filter(({ status }) => status !== "succeeded");
  const failed = undone.filter(({ status }) => status === "failed" || status === "not_started");
  return {
    count: runs.length,
    awaited: runs.filter(({ awaited }) => awaited).length || undefined,
    failed: failed.length,
    unknown: undone.length - failed.length,
    ms: runs.reduce((sum, { beganAt, endedAt = beganAt }) => sum + endedAt - beganAt, 0),
    undone:
      undone.length === 0
        ? undefined
        : undone.slice(0, MAX_UNDONE).map(({ tool, status, failure }) => ({ tool: shortName(tool), status, failure })),
  };
}
