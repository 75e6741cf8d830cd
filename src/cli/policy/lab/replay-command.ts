/** `policy replay`: what the policy in a file would have done with the calls that a running gateway has recorded. */
import type { ReplayView } from "../../../api-views/policy-views.ts";
import { visible } from "../../../lib/text/visible-text.ts";
import { type GatewayAnswer, readGatewayAddress, requestGateway } from "../../gateway-client.ts";
import { readPolicyLines } from "../../policy-file.ts";
import { command, fail } from "../../subcommands.ts";
import { remoteOptions } from "../command.ts";

type Change = ReplayView["changes"][number];

type ReplayTotal = Omit<ReplayView, "has_more" | "last_id">;

/** Exit codes are those of `diff`: 0 same, 1 differs, 2 trouble. */
export const replayCommand = command({
  usage: "replay FILE [--since 7d] [--json] [--gateway URL] [--tenant T]",
  options: {
    ...remoteOptions,
    since: { type: "string", default: "7d" },
    json: { type: "boolean", default: false },
  },
  positionals: [1, 1],
  run: async ({ gateway: url, tenant, since, json }, [file = ""]) => {
    const policy = await readPolicyLines(file);
    if (!policy.ok) return fail(policy.error, 2);
    const gateway = readGatewayAddress(url, process.env);
    if (!gateway.ok) return fail(gateway.error, 2);
    const path = `/admin/policies/${encodeURIComponent(tenant)}/replay`;
    let total: ReplayTotal = { judged: 0, same: 0, answered: 0, changes: [], unjudged: {} };
    for (let after: string | null | undefined; after !== null; ) {
      const page: Awaited<GatewayAnswer<ReplayView>> = await requestGateway<ReplayView>(gateway.value, path, {
        method: "POST",
        refused: "the replay",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ policy: policy.value.input, since, after }),
      });
      if (!page.ok) return fail(page.error, 2);
      total = joined(total, page.value);
      after = page.value.has_more ? page.value.last_id : null;
    }
    console.log(json ? JSON.stringify(total, null, 2) : replayLines(total, since).join("\n"));
    return total.changes.length > 0 ? 1 : 0;
  },
});

function joined(one: ReplayTotal, other: ReplayTotal): ReplayTotal {
  const changes = new Map<string, Change>();
  for (const change of [...one.changes, ...other.changes]) {
    const key = JSON.stringify([change.tool, change.from, change.to, change.reasons]);
    const known = changes.get(key);
    const calls = (known?.calls ?? 0) + change.calls;
    changes.set(key, { ...(known ?? change), calls });
  }
  const unjudged = { ...one.unjudged };
  for (const [why, count] of Object.entries(other.unjudged)) unjudged[why] = (unjudged[why] ?? 0) + count;
  return {
    judged: one.judged + other.judged,
    same: one.same + other.same,
    answered: one.answered + other.answered,
    changes: [...changes.values()].sort((a, b) => b.calls - a.calls),
    unjudged,
  };
}

function replayLines({ judged, same, answered, changes, unjudged }: ReplayTotal, since: string): string[] {
  const left = Object.entries(unjudged).map(([why, count]) => `${count} ${why}`);
  return [
    `${judged} calls of the last ${since} judged anew: ${same} as they were, ${judged - same} otherwise`,
    ...changes.map(
      ({ tool, from, to, reasons, calls, examples }) =>
        `${String(calls).padStart(6)}  ${visible(tool)}: ${from} → ${to} (${reasons.join(", ")})  ${examples[0]?.turn ?? ""}`,
    ),
    ...(answered > 0 ? [`${answered} calls that a person had answered for are not judged`] : []),
    ...(left.length > 0 ? [`not judged: ${left.join(", ")}`] : []),
  ];
}
