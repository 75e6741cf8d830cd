/** What the reply reports of its turn: the object `toolgate`, and the usage of all steps. */

import { approvalView } from "../../approvals/approval-view.ts";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import type { WithheldTool } from "../../policy/offer.ts";
import { textForClient } from "../../policy/reason-texts.ts";
import type { Reason } from "../../policy/reasons.ts";
import type { Ending, ToolgateNote } from "../../ports/turns/ending.ts";
import type { TurnAccount, WithheldNote } from "../../ports/turns/turn-account.ts";
import { cutText, splitRunText } from "../../tools/run-text.ts";
import { isVisible, visibleWithheld } from "../offer/visible-withheld.ts";
import { stateOf, type Turn } from "../turn.ts";
import type { RunNote } from "../turn-log.ts";

/** The object `toolgate` of the reply. */
export function noteOf(turn: Turn, ending: Ending): ToolgateNote {
  return {
    turn_id: turn.input.id,
    session_id: turn.sessionId,
    ...(turn.input.console === undefined ? {} : { timeline: `${turn.input.console}/turns/${turn.input.id}` }),
    state: stateOf(turn),
    intent: turn.log.intents[0] ?? null,
    // If a message requested several.
    ...(turn.log.intents.length > 1 ? { intents: turn.log.intents } : {}),
    stop_reason: ending.stopReason,
    offered: [...turn.log.offered],
    withheld: visibleWithheld(turn, withheldOf(turn)).map(withheldNote),
    tokens_saved: turn.log.tokensSaved,
    // A handshake is reported as the intent that it selected; only a failed one is reported as a call.
    decisions: turn.log.decisions
      .filter(({ handshake, effect }) => !handshake || effect !== "allow")
      .filter((decision) => isVisible(turn, decision))
      .map(({ callId, tool, effect, reasons, madeBy, observed }) => ({
        call_id: callId,
        tool,
        effect,
        reasons: reasons.map(reasonNote),
        ...(madeBy ? { made_by: madeBy } : {}),
        ...(observed ? { observed } : {}),
      })),
    approvals: turn.log.waiting.map((approval) => approvalView(approval, "whole")),
    ...changedLinks(turn),
    ...(turn.input.includeRuns ? { runs: turn.log.runs.map((run) => runNote(run, turn.input.includeResults)) } : {}),
  };
}

/** UTF-16 units of one result in the reply, for a person to read. */
const MAX_REPORTED_RESULT = 16_000;

function runNote({ id: _id, callId, text, ...run }: RunNote, includeResults: boolean | undefined): JsonObject {
  const note = { call_id: callId, ...run };
  if (!includeResults) return note;
  // The lines around it are for the model.
  return { ...note, result: text === null ? null : cutText(splitRunText(text).body, MAX_REPORTED_RESULT) };
}

function reasonNote(reason: Reason): JsonObject {
  const message = textForClient(reason);
  return reason.code === "rate_limited"
    ? { code: reason.code, message, retry_after: Math.ceil(reason.retryAfterMs / 1000) }
    : { code: reason.code, message };
}

/** Tools that no step of the turn offered. */
export function withheldOf(turn: Turn): WithheldTool[] {
  const withheld = [...turn.log.withheld].filter(([name]) => !turn.log.offered.has(name));
  return withheld.map(([name, reasons]) => ({ name, reasons }));
}

/** Codes alone, unless the client itself has something to fix. */
export function withheldNote({ name, reasons }: WithheldTool): WithheldNote {
  const codes = reasons.map(({ code }) => code);
  const broken = reasons.find(({ code }) => code === "schema_invalid");
  return broken ? { name, reasons: codes, message: textForClient(broken) } : { name, reasons: codes };
}

/** Untrusted text chose the hosts. They are reported, because an operator must see where data was to go. */
export const changedLinks = ({
  log: { changedLinks: changed, changedHosts: hosts },
}: Turn): Pick<TurnAccount, "links"> => (changed === 0 ? {} : { links: { changed, hosts } });

/** The usage to report, if the model's own account does not reach the client or is one of several. */
export function usageOf(turn: Turn, ending: Ending): JsonObject | undefined {
  if (turn.log.steps === 0) return NO_USAGE;
  return turn.log.steps > 1 || ending.kind === "stop" ? sumUsage(turn.log.usages) : undefined;
}

/** The usage of a turn in which the model was not called: a client that asks for usage gets it. */
const NO_USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

/** Usage objects added up field by field; undefined if no step reported any. */
export function sumUsage(usages: readonly JsonObject[]): JsonObject | undefined {
  const [first, ...rest] = usages;
  return first && rest.reduce<JsonObject>((sum, usage) => addUp(sum, usage), first);
}

function addUp(a: JsonObject, b: JsonObject): JsonObject {
  const sum: JsonObject = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = sum[key];
    if (typeof value === "number" && typeof before === "number") sum[key] = before + value;
    else if (isObject(value) && isObject(before)) sum[key] = addUp(before, value);
    else if (value != null) sum[key] = value;
  }
  return sum;
}
