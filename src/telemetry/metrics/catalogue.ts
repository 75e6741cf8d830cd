/** Every metric. Labels are few and their values bounded: never a name that a client, a model or a user chose. */

type MetricName = keyof typeof catalogue;
export type CounterName = {
  [K in MetricName]: (typeof catalogue)[K]["type"] extends "counter" ? K : never;
}[MetricName];
export type HistogramName = Exclude<MetricName, CounterName>;

interface CounterInfo {
  readonly type: "counter";
  readonly help: string;
  /** Whether it has labels: then a series is there once it was counted. */
  readonly labelled: boolean;
}

interface HistogramInfo {
  readonly type: "histogram";
  readonly help: string;
  /** Upper bounds, ascending; one without a bound follows. */
  readonly buckets: readonly number[];
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const lagSeconds = [0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 21_600, 86_400];
const holdSeconds = [1, 2.5, 5, 10, 20, 30, 60, 120, 300, 900, 3600];

const counter = (help: string): CounterInfo => ({ type: "counter", help, labelled: false });
const labelled = (help: string): CounterInfo => ({ type: "counter", help, labelled: true });
const histogram = (help: string, buckets: readonly number[] = seconds): HistogramInfo => ({
  type: "histogram",
  help,
  buckets,
});

/** By the family's name, in the order in which they are shown. */
export const catalogue = {
  toolgate_requests: labelled("Requests answered, by route pattern and status."),
  toolgate_requests_rate_limited: counter("Requests that a request rate limit of the gateway refused."),
  toolgate_turns: labelled("Turns ended, by stop reason."),
  toolgate_turn_steps: histogram("Model calls in a turn.", [0, 1, 2, 3, 4, 6, 8, 12, 16]),
  toolgate_early_steps: labelled(
    "First model calls of turns that began while the user's object was still asked, by outcome: kept, redone with other facts, or given up.",
  ),
  toolgate_decisions: labelled("Decisions on tool calls, by effect."),
  toolgate_decision_reasons: labelled("Reasons of decisions, by effect and reason code; a decision may have several."),
  toolgate_tools_offered: counter("Tools that turns offered to the model."),
  toolgate_tools_withheld: counter("Tools that turns kept from the model throughout."),
  toolgate_tokens_saved: counter("Estimated prompt tokens that withheld tools would have cost."),
  toolgate_tokens_added: counter("Estimated prompt tokens that the handshake tool cost where nothing was withheld."),
  toolgate_tokens_input: counter("Prompt tokens, as upstreams told them."),
  toolgate_tokens_output: counter("Completion tokens, as upstreams told them."),
  toolgate_upstream_errors: labelled("Model calls that failed, by class of status or as a broken stream."),
  toolgate_upstream_attempts: labelled(
    "Attempts to call an upstream with the gateway's own key, by upstream (its number, its provider's name, or `tenant` for those of tenants' own settings) and outcome.",
  ),
  toolgate_upstream_head_seconds: histogram("From a model call to the upstream's head."),
  toolgate_first_word_seconds: histogram("From a turn's request to the first byte of its reply's body."),
  toolgate_turn_duration_seconds: histogram("From a turn's request to the end of its reply."),
  toolgate_gateway_overhead_seconds: histogram(
    "Of a turn's duration, what was spent neither in model calls nor in managed calls nor in waiting for a person.",
  ),
  toolgate_hold_seconds: histogram("Of a turn's duration, what its reply was held for a person.", holdSeconds),
  toolgate_approvals: labelled(
    "Approvals asked, answered or ended, by event and channel, as their records reach the audit trail.",
  ),
  toolgate_tools_seconds: histogram("Of a turn's duration, what was spent in managed calls."),
  toolgate_runs: labelled(
    "Managed calls that ended, by kind of tool and status, as their records reach the audit trail.",
  ),
  toolgate_run_failures: labelled("Managed calls that did not succeed, by kind of tool and reason, counted likewise."),
  toolgate_run_duration_seconds: histogram("From the begin of a managed call to its outcome, counted likewise."),
  toolgate_arm_turns: labelled(
    "Turns of tasks that system-first execution is tried on, by arm, as their records reach the audit trail.",
  ),
  toolgate_arm_steps: labelled("Model calls in those turns, by arm, counted likewise."),
  toolgate_system_first: labelled("What system-first execution came to in a turn, by outcome, counted likewise."),
  toolgate_plans: labelled("What happened to plans, by event, counted likewise."),
  toolgate_detection_missed: labelled("Layers of detection that should have been asked and could not answer."),
  toolgate_policy_stale: counter("Turns judged by the policy last known, because the one in force could not be read."),
  toolgate_audit_records_delivered: counter("Audit records delivered to D1."),
  toolgate_audit_deliveries_failed: counter("Attempts to deliver audit records that failed; they are tried again."),
  toolgate_audit_database_full: counter("Of these, attempts that failed because D1 has no room."),
  toolgate_records_exported: counter("Audit records that a receiver of records took."),
  toolgate_records_not_exported: counter("Audit records that were gone before a receiver took them."),
  toolgate_exports_failed: counter("Requests to receivers of records that failed; they are tried again."),
  toolgate_webhooks_failed: counter(
    "Messages to receivers of events and to people's browsers that were not taken; they are tried again for a day.",
  ),
  toolgate_webhooks_given_up: counter("Of these, messages that are not tried again."),
  toolgate_audit_lag_seconds: histogram(
    "Age of the oldest audit record that waited, at each attempt to deliver, whether it failed or not.",
    lagSeconds,
  ),
} as const satisfies Record<string, CounterInfo | HistogramInfo>;

/** `le` of a bucket as both text formats want it: a float. */
const bound = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : String(value));

/** The bucket that counts a value alone; the text format's running sums are made when it is rendered. */
export function bucketOf(name: HistogramName, value: number): string {
  const upper = catalogue[name].buckets.find((limit) => value <= limit);
  return bucketSeries(name, upper === undefined ? "+Inf" : bound(upper));
}

const bucketSeries = (name: string, le: string): string => `${name}_bucket{le="${le}"}`;

/** @param sums by series. Metrics that are not in the catalogue (an older version's) are left out. */
export function renderMetrics(sums: ReadonlyMap<string, number>, openMetrics: boolean): string {
  const series = new Map<string, string[]>();
  for (const name of sums.keys()) {
    const family = name.split("{", 1)[0] ?? name;
    const known = series.get(family);
    if (known) known.push(name);
    else series.set(family, [name]);
  }
  const blocks = Object.entries(catalogue).flatMap(([family, info]: [string, CounterInfo | HistogramInfo]) =>
    info.type === "counter"
      ? counterLines(family, info, series.get(family) ?? (info.labelled ? [] : [family]), sums, openMetrics)
      : histogramLines(family, info, sums),
  );
  return `${blocks.join("\n")}\n${openMetrics ? "# EOF\n" : ""}`;
}

/** OpenMetrics names the family without `_total`; Prometheus' own format knows only the samples' name. */
function counterLines(
  family: string,
  { help }: CounterInfo,
  series: readonly string[],
  sums: ReadonlyMap<string, number>,
  openMetrics: boolean,
): string[] {
  const name = openMetrics ? family : `${family}_total`;
  const samples = [...series].sort().map((key) => `${family}_total${key.slice(family.length)} ${sums.get(key) ?? 0}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...samples];
}

function histogramLines(family: string, { help, buckets }: HistogramInfo, sums: ReadonlyMap<string, number>): string[] {
  let below = 0;
  const samples = [...buckets.map(bound), "+Inf"].map((le) => {
    const key = bucketSeries(family, le);
    below += sums.get(key) ?? 0;
    return `${key} ${below}`;
  });
  const sum = sums.get(`${family}_sum`) ?? 0;
  return [
    `# HELP ${family} ${help}`,
    `# TYPE ${family} histogram`,
    ...samples,
    `${family}_sum ${sum}`,
    `${family}_count ${below}`,
  ];
}
