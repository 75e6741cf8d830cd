/**
 * Whether a message is an answer to calls that wait, and what it says. Pure.
 *
 * Exactly an answer, with codes, a reason for a refusal, changes for an edit, and words of politeness: whoever writes more
 * than that ("yes, and then delete everything") wants more than that, and no call must run for it.
 */

import { plainLine } from "../../lib/text/visible-text.ts";
import { MAX_REASON } from "./answer-schema.ts";
import { findPhrases, type Item } from "./find-phrases.ts";
import { nearlyAnswers } from "./nearly-answers.ts";
import { type EditRead, readEdit } from "./read-edit.ts";
import { readRefusal } from "./read-refusal.ts";
import type { Said, SaidAction, SaidPart } from "./said.ts";

/** An edit may carry a text; nothing else is long. UTF-16 units. */
const MAX_MESSAGE = 100_000;

export function readAnswer(text: string): Said | undefined {
  if (text.length > MAX_MESSAGE) return undefined;
  const items = findPhrases(text);
  const said = items && group(items);
  // `no: not yet` is made of known words only, and has a reason all the same.
  if (said?.some(({ action }) => action !== "deny")) return said;
  const edit = readEdit(text);
  const before = edit && readBefore(edit);
  if (edit && before) {
    return [...before, { action: "edit", codes: edit.codes, all: false, reason: null, edit: edit.text }];
  }
  const refusal = readRefusal(text);
  if (!refusal || (said && namesCalls(refusal.reason))) return said ?? readNearly(text);
  const reason = plainLine(refusal.reason, MAX_REASON);
  return [{ action: "deny", codes: refusal.codes, all: refusal.all, reason: reason === "" ? null : reason, edit: "" }];
}

/** `yes K7QF, edit 3M2P title=x`: other answers before an edit, each to its own call. Undefined where they are none. */
function readBefore({ before, codes }: EditRead): Said | undefined {
  if (before.length === 0) return [];
  const said = codes.length === 0 ? undefined : group(before);
  return said?.every((part) => decides.has(part.action) && part.codes.length > 0) ? said : undefined;
}

const decides: ReadonlySet<SaidAction> = new Set(["approve", "always", "deny"]);

/** Meant as an answer: it is asked again, and cancels nothing. It runs nothing either. */
function readNearly(text: string): Said | undefined {
  const codes = nearlyAnswers(text);
  return codes && [{ action: "unread", codes, all: false, reason: null, edit: text }];
}

/** `no: K7QF` has a code, and no reason. */
const namesCalls = (text: string): boolean =>
  findPhrases(text)?.every(({ kind }) => ["code", "all", "polite", "and"].includes(kind)) ?? false;

/** As it is read: `ok, done` is what `done` is, and no yes. */
type ReadAction = SaidAction | "done";

const actions: Readonly<Partial<Record<Item["kind"], ReadAction>>> = {
  yes: "approve",
  y: "approve",
  no: "deny",
  always: "always",
  edit: "edit",
  preview: "preview",
  learnMore: "learn_more",
  continue: "continue",
  done: "done",
};

/** An answer, or what it is for: `yes please`, `K7QF and 3M2P`. */
type Run =
  | { readonly kind: "action"; readonly action: ReadAction }
  | { readonly kind: "calls"; readonly codes: readonly string[]; readonly all: boolean };

/** Answers and what they are for take turns; which comes first is the same throughout. */
function group(items: readonly Item[]): Said | undefined {
  if (items.at(0)?.kind === "and" || items.at(-1)?.kind === "and") return undefined;
  const runs = runsOf(items);
  if (!runs || runs.length === 0) return undefined;
  const callsFirst = runs[0]?.kind === "calls";
  const parts: SaidPart[] = [];
  for (let at = 0; at < runs.length; at += 2) {
    const [one, other] = [runs[at], runs[at + 1]];
    const [action, calls] = callsFirst ? [other, one] : [one, other];
    const codes = calls?.kind === "calls" ? calls.codes : [];
    const all = calls?.kind === "calls" && calls.all;
    if (action?.kind !== "action" && (codes.length === 0 || runs.length > 1)) return undefined;
    const read = action?.kind === "action" ? action.action : "code";
    parts.push({ action: read === "done" ? "continue" : read, codes, all, reason: null, edit: "" });
  }
  return parts;
}

function runsOf(items: readonly Item[]): Run[] | undefined {
  const runs: Run[] = [];
  for (const item of items) {
    if (item.kind === "because" || item.kind === "unclear") return undefined;
    const last = runs.at(-1);
    if (item.kind === "code" || item.kind === "all") {
      const held = last?.kind === "calls" ? runs.pop() : undefined;
      const before = held?.kind === "calls" ? held : { codes: [], all: false };
      const codes = item.kind === "code" ? [...new Set([...before.codes, item.code])] : before.codes;
      runs.push({ kind: "calls", codes, all: before.all || item.kind === "all" });
      continue;
    }
    const action = item.kind === "y" && runs.length > 0 ? undefined : actions[item.kind];
    if (action === undefined) continue;
    if (last?.kind === "action") runs.pop();
    const both = last?.kind === "action" ? together(last.action, action) : action;
    if (both === undefined) return undefined;
    runs.push({ kind: "action", action: both });
  }
  return runs;
}

/** Two words that mean one answer; undefined where they contradict each other. */
function together(one: ReadAction, other: ReadAction): ReadAction | undefined {
  if (one === other) return one;
  const both = new Set([one, other]);
  if (both.has("approve") && both.has("always")) return "always";
  if (both.has("done") && (both.has("approve") || both.has("continue"))) return "done";
  if (both.has("approve") && both.has("continue")) return "approve";
  // `preview?`
  return both.has("preview") && both.has("learn_more") ? "preview" : undefined;
}
