/** What a turn did and why, for whoever reads that a case has failed: the offer, the decisions and their reasons in words. Pure. */
import { textForClient } from "../../../policy/reason-texts.ts";
import type { Reason } from "../../../policy/reasons.ts";
import type { AuditRow } from "./case-gateway.ts";
import type { SeenTurn } from "./play-case.ts";

export interface TurnExplanation {
  /** 1 for the first. */
  readonly turn: number;
  readonly lines: readonly string[];
}

/** Reasons may bring a disclosure, and a policy may have a hundred tools. */
const LONGEST = 240;

export function explainTurn({ reply, steps, audit }: SeenTurn): string[] {
  const { status, error } = reply;
  if (!audit)
    return [`the request was refused before a turn: ${status} ${error?.code ?? ""} ${error?.message ?? ""}`.trim()];
  const decisions = audit.decisions.map(
    ({ tool, effect, reasons }) => `${String(tool)}: ${String(effect)}${reasonsText(reasons)}`,
  );
  const lines = [
    stateText(audit.turn),
    ...steps.map((step, index) => `step ${index + 1} offered ${names(step.offered)}${withheldText(step.withheld)}`),
    ...(decisions.length === 0 ? ["no call was decided"] : decisions),
    ...(error ? [`the reply's error: ${error.code ?? ""} ${error.message ?? ""}`] : []),
  ];
  return lines.map(shortened);
}

function stateText({ state_closed: state, mode, intents, detection, stop_reason: stop }: AuditRow): string {
  const held = Array.isArray(intents) && intents.length > 0 ? `intents ${intents.join(", ")}` : "no intent";
  const { intents: found } = (detection ?? {}) as {
    intents?: readonly { name: string; layer: string; confidence: number }[];
  };
  const detected = found?.map(({ name, layer, confidence }) => `${name} ${confidence} by ${layer}`) ?? [];
  return `ended ${String(stop)} in state ${String(state)}, mode ${String(mode)}, ${held}; detected ${names(detected)}`;
}

const withheldText = (withheld: Readonly<Record<string, readonly string[]>>): string => {
  const told = Object.entries(withheld).map(([name, codes]) => `${name} (${codes.join(", ")})`);
  return told.length === 0 ? "" : `; withheld ${told.join(", ")}`;
};

/** ` because …`; empty where there are none. */
function reasonsText(reasons: unknown): string {
  const told = Array.isArray(reasons) ? reasons.map(reasonText) : [];
  return told.length === 0 ? "" : ` because ${told.join("; and ")}`;
}

/** The audit trail spells the members of a reason in snake_case. */
function reasonText(row: Readonly<Record<string, unknown>>): string {
  const spelled = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const reason = Object.fromEntries(Object.entries(row).map(([name, value]) => [spelled(name), value]));
  // A disclosure has several lines, of which the first says what it is about.
  const [text = ""] = textForClient(reason as unknown as Reason)?.split("\n") ?? [];
  return `${text} (${String(row.code)})`.trim();
}

const names = (list: readonly string[]): string => (list.length === 0 ? "nothing" : list.join(", "));
const shortened = (line: string): string => (line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`);
