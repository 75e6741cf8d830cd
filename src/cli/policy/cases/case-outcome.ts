/** The outcome of one case, and its wording for a person. */

import { textForClient } from "../../../policy/reason-texts.ts";
import type { Reason } from "../../../policy/reasons.ts";
import { lineDifferences } from "../line-differences.ts";
import type { AuditRow } from "./case-gateway.ts";
import type { Mismatch } from "./judge-turn.ts";
import type { ObservedTurn } from "./play-case.ts";

export interface CaseOutcome {
  readonly name: string;
  readonly failures: readonly Failure[];
  /** For each turn with a failure: what it did, and why. */
  readonly explained: readonly TurnExplanation[];
}

export type Failure = Mismatch & { readonly turn: number };

/** Longer values are compared line by line. */
const ONE_LINE = 90;

export function failureText({ turn, step, what, expected, got }: Failure): string {
  const place = step === undefined ? `turn ${turn}` : `turn ${turn}, step ${step}`;
  return [`${place}: ${what}`, ...differences(expected, got).map((line) => `  ${line}`)].join("\n");
}

function differences(expected: unknown, got: unknown): string[] {
  const [wanted, found] = [JSON.stringify(expected), JSON.stringify(got)];
  if (wanted.length <= ONE_LINE && found.length <= ONE_LINE) return [`expected  ${wanted}`, `got       ${found}`];
  return ["- expected", "+ got", ...lineDifferences(expected, got)];
}

interface TurnExplanation {
  /** 1 for the first. */
  readonly turn: number;
  readonly lines: readonly string[];
}

/** Reasons may bring a disclosure, and a policy may have a hundred tools. */
const LONGEST = 240;

export function explainTurn({ reply, steps, audit }: ObservedTurn): string[] {
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
  const { intents: found, select_at: selectAt } = (detection ?? {}) as {
    intents?: readonly { name: string; layer: string; confidence: number }[];
    select_at?: number;
  };
  const detected = found?.map(
    ({ name, layer, confidence }) =>
      `${name} ${shownConfidence(confidence)} by ${layer}${tooUnsure(confidence, selectAt)}`,
  );
  return `ended ${String(stop)} in state ${String(state)}, mode ${String(mode)}, ${held}; detected ${names(detected ?? [])}`;
}

export const shownConfidence = (confidence: number): number => Number(confidence.toFixed(4));

/** How sure an intent had to be, if it was not sure enough. @param selectAt undefined: not known. */
export const tooUnsure = (confidence: number, selectAt: number | undefined): string =>
  selectAt === undefined || confidence >= selectAt ? "" : ` (selected from ${shownConfidence(selectAt)} on)`;

const withheldText = (withheld: Readonly<Record<string, readonly string[]>>): string => {
  const parts = Object.entries(withheld).map(([name, codes]) => `${name} (${codes.join(", ")})`);
  return parts.length === 0 ? "" : `; withheld ${parts.join(", ")}`;
};

/** ` because …`; empty if there are no reasons. */
function reasonsText(reasons: unknown): string {
  const parts = Array.isArray(reasons) ? reasons.map(reasonText) : [];
  return parts.length === 0 ? "" : ` because ${parts.join("; and ")}`;
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
