/** A gateway in a situation, and what of a reply and of the audit rows is the same for the same decision, whatever the surface. */
import { type Gateway, gateway } from "../support/gateway.ts";
import { off, page, type Situation } from "./situations.ts";
import type { Told } from "./surfaces.ts";

/** Codes and times are random. */
export const steady = (told: Told): Told => ({
  ...told,
  words: withoutCodes(told.words).trim(),
});

const withoutCodes = (words: string): string =>
  words.replace(/(?<=⟦|yes |no |edit |always |values )[A-Z0-9]{4}\b/g, "CODE");

/** A gateway in which a situation happens. */
export const openIn = ({ policy = off, upstream }: Situation): Promise<Gateway> =>
  gateway({ policy, upstream, elsewhere: page });

/** Times, ids of their own, and what hangs on them. */
const OWN = new Set([
  ...["id", "turn", "session", "tenant", "decision", "approval", "at", "ended_at", "expires_at", "ms"],
  ...["seq", "previous", "hash", "key_id", "object"],
]);

/** The rows of the trail, whole, but for what no two gateways have alike. */
export async function rowsOf(gate: Gateway) {
  return {
    decisions: (await gate.decisions()).map(kept),
    approvals: (await gate.approvals()).map(kept),
    turns: (await gate.turns()).map(kept),
    runs: (await gate.runs()).map(kept),
  };
}

/** The same rows without what hangs on the provider that answered: its model's name, and the tokens that it counts. */
export async function rowsWithoutProvider(gate: Gateway) {
  const rows = await rowsOf(gate);
  return { ...rows, turns: rows.turns.map(({ model: _, usage: __, tokens_saved: ___, ...turn }) => turn) };
}

type Row = Readonly<Record<string, unknown>>;

const kept = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (OWN.has(name) ? [] : [[name, inRow(name, value)]])),
  );

function inRow(name: string, value: unknown): unknown {
  // The code of a question is random, and so are the ids of what was settled.
  if (name === "disclosure") return typeof value === "string" ? withoutCodes(value) : value;
  return name === "settled" ? (value as readonly Row[]).map(({ outcome }) => outcome) : value;
}
