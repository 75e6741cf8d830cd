/** Runs the cases of one policy: several at once, each a user of its own; those that move the clock one by one, at the end. */

import type { PolicyOnDisk } from "../../policy-file.ts";
import type { CaseGateway, CaseTenant } from "./case-gateway.ts";
import { type CaseOutcome, explainTurn, type Failure } from "./case-outcome.ts";
import type { CaseFile, PolicyCase } from "./case-schema.ts";
import { type CaseTurns, type Coverage, uncovered } from "./coverage.ts";
import { judgeTurn } from "./judge-turn.ts";
import { playCase } from "./play-case.ts";
import { runWordings } from "./run-wordings.ts";
import { hostScript } from "./scripted-hosts.ts";

export interface FileOutcome {
  readonly cases: readonly CaseOutcome[];
  readonly untouched: Coverage;
}

/** Enough to hide that the audit trail is delivered a moment after the reply. */
const AT_ONCE = 12;

export async function runCases(
  gateway: CaseGateway,
  policy: PolicyOnDisk,
  file: CaseFile,
  { cases, wordings }: Pick<CaseFile, "cases" | "wordings">,
): Promise<FileOutcome> {
  const tenant = await gateway.tenant(policy);
  await listServers(gateway, tenant, file);
  const outcomes = new Map<PolicyCase, CaseOutcome & CaseTurns>();
  const run = async (queue: PolicyCase[]) => {
    for (let one = queue.shift(); one; one = queue.shift()) {
      outcomes.set(one, await runCase(gateway, tenant, file, one));
    }
  };
  const queue = cases.filter((one) => !movesClock(one));
  await Promise.all(Array.from({ length: AT_ONCE }, () => run(queue)));
  await run(cases.filter(movesClock));
  const worded = await runWordings(tenant, wordings);
  const inOrder = cases.flatMap((one) => outcomes.get(one) ?? []);
  return {
    cases: [...inOrder.map(({ name, failures, explained }) => ({ name, failures, explained })), ...worded],
    untouched: uncovered(policy.compiled, inOrder, file.mcp),
  };
}

/** On a busy machine a server may need more than one request before its list is there in time. */
const LIST_TRIES = 5;

/** A turn waits for a server's first list, but not for one that another turn asks for: otherwise cases would see it or not, by chance. */
async function listServers({ hosts }: CaseGateway, tenant: CaseTenant, file: CaseFile): Promise<void> {
  const { document } = tenant.policy;
  const servers = Object.entries(document.mcpServers);
  if (servers.length === 0) return;
  const connections = servers.flatMap(([, { connection }]) => connection ?? []);
  const admin = await tenant.user({ role: "admin", connections, anonymous: false });
  hosts.script(admin.id, hostScript(tenant.policy, file, { hosts: {}, mcp: {} }));
  for (const [name] of servers) {
    for (let tries = 1; ; tries++) {
      const response = await admin.fetch(`/admin/mcp/${name}/refresh`, { method: "POST" });
      const answer = await response.text();
      if (response.ok) break;
      if (tries === LIST_TRIES) throw new Error(`the tools of \`${name}\` cannot be listed: ${answer}`);
    }
  }
}

const movesClock = ({ turns }: PolicyCase): boolean => turns.some(({ advance }) => advance !== undefined);

async function runCase(
  gateway: CaseGateway,
  tenant: CaseTenant,
  file: CaseFile,
  one: PolicyCase,
): Promise<CaseOutcome & CaseTurns> {
  const { turns, stoppedBy, faults } = await playCase(gateway, tenant, file, one).catch((error: Error) => ({
    turns: [],
    faults: [],
    stoppedBy: `the gateway failed: ${error.message}`,
  }));
  const failures: Failure[] = [];
  for (const [place, turn] of one.turns.entries()) {
    const seen = turns[place];
    if (seen) failures.push(...judgeTurn(turn, seen).map((mismatch) => ({ turn: place + 1, ...mismatch })));
  }
  failures.push(...faults.map((fault) => ({ turn: turns.length, ...fault })));
  if (stoppedBy !== undefined) {
    failures.push({ turn: turns.length + 1, what: "what the case needs", expected: "to go on", got: stoppedBy });
  }
  const explained = turns.flatMap((seen, place) => {
    const turn = place + 1;
    return failures.some((failure) => failure.turn === turn) ? [{ turn, lines: explainTurn(seen) }] : [];
  });
  return { name: one.name, failures, explained, policyCase: one, turns };
}
