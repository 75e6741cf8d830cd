/** Counts one request, and its turn, for the metrics. */
import type { RequestFacts, StepFacts, TurnFacts } from "../request-facts.ts";
import { timingsOf } from "../request-timings.ts";
import type { HistogramName } from "./catalogue.ts";
import type { Meter } from "./meter.ts";

type Counts = Pick<Meter, "count" | "observe">;

export function countRequest(meter: Counts, facts: RequestFacts): void {
  const { route = "none", status = 0, refused, turn } = facts;
  meter.count("toolgate_requests", { route, status: String(status) });
  // An upstream's 429 comes through a route.
  if (status === 429 && refused) meter.count("toolgate_requests_rate_limited");
  if (turn) countTurn(meter, facts, turn);
}

function countTurn(meter: Counts, facts: RequestFacts, turn: TurnFacts): void {
  const { summary, steps, ending } = turn;
  meter.count("toolgate_turns", { stop_reason: ending?.stopReason ?? "gateway_error" });
  meter.observe("toolgate_turn_steps", steps.length);
  if (turn.early) meter.count("toolgate_early_steps", { outcome: turn.early });
  if (facts.policy?.stale) meter.count("toolgate_policy_stale");
  for (const { effect, reasons } of summary?.decisions ?? []) {
    meter.count("toolgate_decisions", { effect });
    for (const reason of reasons) meter.count("toolgate_decision_reasons", { effect, reason });
  }
  if (summary) {
    meter.count("toolgate_tools_offered", {}, summary.offered);
    meter.count("toolgate_tools_withheld", {}, summary.withheld);
    // Counters only rise.
    meter.count("toolgate_tokens_saved", {}, summary.tokensSaved);
    meter.count("toolgate_tokens_added", {}, -summary.tokensSaved);
  }
  for (const step of steps) countStep(meter, step);
  countTimes(meter, facts);
}

function countStep(meter: Counts, { status, outcome, usage, beganAt, headAt }: StepFacts): void {
  meter.count("toolgate_tokens_input", {}, usage?.input ?? 0);
  meter.count("toolgate_tokens_output", {}, usage?.output ?? 0);
  if (headAt !== undefined) meter.observe("toolgate_upstream_head_seconds", (headAt - beganAt) / 1000);
  if (outcome === "disorderly") meter.count("toolgate_upstream_errors", { class: "stream" });
  if (outcome === "refused") meter.count("toolgate_upstream_errors", { class: `${Math.floor((status ?? 0) / 100)}xx` });
}

function countTimes(meter: Counts, facts: RequestFacts): void {
  const { total, upstream = 0, hold, tools, firstWord } = timingsOf(facts);
  const observe = (name: HistogramName, ms: number | undefined) => ms !== undefined && meter.observe(name, ms / 1000);
  observe("toolgate_first_word_seconds", firstWord);
  observe("toolgate_turn_duration_seconds", total);
  observe(
    "toolgate_gateway_overhead_seconds",
    total === undefined ? undefined : Math.max(0, total - upstream - (hold ?? 0) - (tools ?? 0)),
  );
  observe("toolgate_hold_seconds", hold);
  observe("toolgate_tools_seconds", tools);
}
