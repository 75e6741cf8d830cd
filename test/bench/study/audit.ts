/** What the audit trail holds of a tenant, read as an operator reads it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Tenant } from "./toolgate.ts";

export type Row = Readonly<Record<string, unknown>> & { readonly id: string };

export interface Trail {
  readonly turns: readonly Row[];
  readonly decisions: readonly Row[];
  readonly runs: readonly Row[];
  readonly approvals: readonly Row[];
}

/** Longer than an object takes to gather and deliver what it wrote. */
const DEADLINE_MS = 30_000;

/** Waits until the records of these turns have arrived: those of one user arrive in order. */
export async function readTrail(tenant: Tenant, turns: readonly string[]): Promise<Trail> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const found = await listOf(tenant, "turns");
    const ids = new Set(found.map(({ id }) => id));
    if (turns.every((id) => ids.has(id))) break;
    if (performance.now() > deadline) throw new Error(`the audit trail of \`${tenant.name}\` is not complete in time`);
    await sleep(50);
  }
  const [all, decisions, runs, approvals] = await Promise.all([
    listOf(tenant, "turns"),
    listOf(tenant, "decisions"),
    listOf(tenant, "runs"),
    listOf(tenant, "approvals"),
  ]);
  return { turns: all, decisions, runs, approvals };
}

async function listOf(tenant: Tenant, kind: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let after = ""; ; ) {
    const page = (await tenant.read(`/v1/audit/${kind}?limit=100&order=asc${after}`)) as {
      readonly data: readonly Row[];
      readonly has_more: boolean;
    };
    rows.push(...page.data);
    const last = page.data.at(-1);
    if (!page.has_more || !last) return rows;
    after = `&after=${last.id}`;
  }
}
