/**
 * Whether a message is an answer to calls that wait, and what it says. Pure.
 *
 * Exactly an answer, with codes, a reason for a refusal, changes for an edit, and words of politeness: whoever writes more
 * than that ("yes, and then delete everything") wants more than that, and no call must run for it.
 */
import { plainLine } from "../plain-line.ts";
import { findPhrases, type Item } from "./find-phrases.ts";
import { readEdit } from "./read-edit.ts";
import { readRefusal } from "./read-refusal.ts";
import type { Said, SaidAction, SaidPart } from "./said.ts";

/** An edit may carry a text; nothing else is long. UTF-16 units. */
const MAX_MESSAGE = 100_000;
const MAX_REASON = 500;

export function readAnswer(text: string): Said | undefined {
  if (text.length > MAX_MESSAGE) return undefined;
  const items = findPhrases(text);
  if (items) return group(items);
  const edit = readEdit(text);
  if (edit) return [{ action: "edit", codes: edit.codes, all: false, reason: null, edit: edit.text }];
  const refusal = readRefusal(text);
  if (!refusal) return undefined;
  const reason = plainLine(refusal.reason, MAX_REASON);
  return [{ action: "deny", codes: refusal.codes, all: refusal.all, reason: reason === "" ? null : reason, edit: "" }];
}

const actions: Readonly<Partial<Record<Item["kind"], SaidAction>>> = {
  yes: "approve",
  no: "deny",
  always: "always",
  edit: "edit",
  preview: "preview",
  learnMore: "learn_more",
  continue: "continue",
};

interface Open {
  action: SaidAction | undefined;
  readonly codes: string[];
  all: boolean;
}

/** Codes go with the answer before them; where they stand first, with the one behind them. */
function group(items: readonly Item[]): Said | undefined {
  const parts: Open[] = [];
  const codesFirst = items.find((item) => item.kind === "known_code" || actions[item.kind])?.kind === "known_code";
  for (const item of items) {
    const last = parts.at(-1);
    const action = actions[item.kind];
    if (action !== undefined) {
      const waits = last && (last.action === undefined || (!codesFirst && last.codes.length === 0 && !last.all));
      if (last && waits) last.action = last.action === undefined ? action : together(last.action, action);
      else if (last && !codesFirst && last.action === action) continue;
      else parts.push({ action, codes: [], all: false });
      if (parts.at(-1)?.action === undefined) return undefined;
    } else if (item.kind === "known_code") {
      const begins = codesFirst && (last === undefined || last.action !== undefined);
      if (last && !begins) last.codes.push(item.code);
      else parts.push({ action: undefined, codes: [item.code], all: false });
    } else if (item.kind === "all") {
      if (!last) return undefined;
      last.all = true;
    } else if (item.kind === "because") return undefined;
  }
  if (parts.length === 0) return undefined;
  return parts.map(
    ({ action, codes, all }): SaidPart => ({
      action: action ?? "code",
      codes: [...new Set(codes)],
      all,
      reason: null,
      edit: "",
    }),
  );
}

/** Two words that mean one answer; undefined where they contradict each other. */
function together(one: SaidAction, other: SaidAction): SaidAction | undefined {
  if (one === other) return one;
  const both = new Set([one, other]);
  if (both.has("approve") && both.has("always")) return "always";
  if (both.has("approve") && both.has("continue")) return "approve";
  return undefined;
}
