/** What was gathered of a request as the spans of its trace. Attributes are names, numbers and codes, as in the log. */
import { type Attributes, type Context, type Span, SpanStatusCode, type Tracer } from "@opentelemetry/api";
import { systemFirstNote } from "../../turn/system-first/system-first-note.ts";
import type { RequestFacts, StepFacts, TurnFacts } from "../request-facts.ts";
import { shortName } from "../safe-words.ts";
import { addRunSpan } from "./run-span.ts";
import { timeOf } from "./time-of.ts";

export interface OpenSpans {
  readonly tracer: Tracer;
  /** The context whose span is the request's. */
  readonly inside: Context;
  readonly root: Span;
  readonly steps: readonly Span[];
}

export function finishSpans(spans: OpenSpans, facts: RequestFacts): void {
  const { policy, turn } = facts;
  const add = (name: string, from: number | undefined, to: number | undefined, attributes: Attributes = {}) => {
    if (from === undefined || to === undefined) return;
    spans.tracer.startSpan(name, { startTime: timeOf(from), attributes }, spans.inside).end(timeOf(to));
  };
  add("authenticate", facts.beganAt, facts.authenticatedAt);
  if (policy) {
    const { version, stale, askedAt, loadedAt } = policy;
    add("policy", askedAt, loadedAt, { "toolgate.policy": version.slice(0, 12), "toolgate.policy.stale": stale });
  }
  add("open", policy?.loadedAt, turn?.openedAt);
  for (const [index, step] of (turn?.steps ?? []).entries()) {
    const span = spans.steps[index];
    if (span) finishStep(span, step, turn);
    add("decide", step.endedAt, step.decidedAt, { "toolgate.step": index + 1 });
  }
  for (const run of turn?.runs ?? []) addRunSpan(spans, run, turn?.repliedAt);
  for (const { beganAt, endedAt } of turn?.holds ?? []) add("hold", beganAt, endedAt ?? turn?.repliedAt);
  add("close", turn?.repliedAt, turn?.endedAt);
  finishRoot(spans.root, facts);
}

function finishStep(span: Span, step: StepFacts, turn: TurnFacts | undefined): void {
  const { status, outcome, finishReason, usage } = step;
  span.setAttributes({
    "gen_ai.operation.name": "chat",
    // The format that is spoken; which provider answers is the upstream's own matter.
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": shortName(turn?.model ?? ""),
    "gen_ai.response.finish_reasons": finishReason === undefined ? undefined : [finishReason],
    "gen_ai.usage.input_tokens": usage?.input,
    "gen_ai.usage.output_tokens": usage?.output,
    "http.response.status_code": status,
    "toolgate.upstream": step.upstream,
    "toolgate.upstream.attempts": step.attempts,
  });
  if (step.headAt !== undefined) span.addEvent("head", timeOf(step.headAt));
  if (outcome !== "ended") {
    span.setAttribute("error.type", outcome === "refused" ? String(status) : (outcome ?? "gateway_error"));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(timeOf(step.endedAt ?? turn?.repliedAt ?? step.beganAt));
}

function finishRoot(root: Span, facts: RequestFacts): void {
  const { principal, turn, status = 0 } = facts;
  const opened = turn?.opened;
  root.updateName(facts.route === undefined ? facts.method : `${facts.method} ${facts.route}`);
  root.setAttributes({
    "http.request.method": facts.method,
    "http.route": facts.route,
    "http.response.status_code": status,
    "toolgate.tenant": principal?.tenant,
    "toolgate.key": principal?.keyId,
    "toolgate.role": principal?.role,
    "toolgate.turn": turn?.id,
    "toolgate.session": opened?.sessionId,
    "toolgate.mode": opened?.mode,
    "toolgate.intents": opened ? [...opened.log.intents] : undefined,
    "toolgate.arm": opened?.opened.variant,
    "toolgate.system_first": opened && systemFirstNote(opened)?.outcome,
    "toolgate.plan": opened?.input.plan,
    "toolgate.stop_reason": turn?.ending?.stopReason,
    "toolgate.offered": opened?.log.offered.size,
    "toolgate.tokens_saved": opened?.log.tokensSaved,
  });
  const failed = turn?.ending?.stopReason === "gateway_error" || status >= 500;
  if (failed) root.setStatus({ code: SpanStatusCode.ERROR });
  root.end(timeOf(turn?.repliedAt ?? facts.answeredAt ?? facts.beganAt));
}
