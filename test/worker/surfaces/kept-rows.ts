/** What of a reply and of the audit rows is the same for the same decision, whatever the surface. */
import type { Gateway } from "../support/gateway.ts";
import type { Told } from "./surfaces.ts";

/** Codes and times are random. */
export const steady = (told: Told): Told => ({
  ...told,
  words: told.words.replace(/(?<=⟦|yes |no |edit |always |values )[A-Z0-9]{4}\b/g, "CODE").trim(),
});

export async function rowsOf(gate: Gateway) {
  return {
    decisions: kept(await gate.decisions(), "tool", "effect", "reasons", "call_id", "status"),
    approvals: kept(await gate.approvals(), "tool", "status", "channel", "via", "asks"),
    turns: kept(await gate.turns(), "stop_reason", "state_opened", "state_ended", "intent", "steps", "offered"),
    runs: kept(await gate.runs(), "tool", "outcome"),
  };
}

const kept = (rows: readonly Record<string, unknown>[], ...members: readonly string[]) =>
  rows.map((row) => Object.fromEntries(members.map((name) => [name, row[name]])));
