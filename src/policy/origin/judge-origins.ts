/**
 * Judges whether a call with effects goes where the user sends it, and whether the user requested it. Pure. Each judgement may add a question:
 *
 * | judgement, in order | asks if | reason |
 * |---|---|---|
 * | `judgeSources` | untrusted text is in the conversation: the table below | `argument_untrusted`, `intent_undetected` |
 * | `judgeUnnamed` | there is none, and the object of a grave or sending call is nowhere in the conversation | `argument_untrusted` |
 * | `withUndetected` | there is none, and a grave or sending call was not requested | `intent_undetected` |
 * | `withUnwanted` | the user's message leaves the act out, or forbids it | `intent_undetected` |
 * | `afterRefusal` | the user's last message refuses what the tool does | `intent_undetected` |
 *
 * `judgeSources` alone may also deny:
 *
 * | the user's words contain its intent | authority arguments grounded | then |
 * |---|---|---|
 * | yes | yes | no objection |
 * | yes | no | the user is asked, and sees which value came from where |
 * | no | yes | the user is asked |
 * | no | no | denied; the user is asked if the words name the act, or delegate it to a text or the assistant, and no text gives orders to the model |
 */
import { hostOf } from "../../lib/host.ts";
import type { Effect } from "../decision.ts";
import type { Reason, UntrustedArgument } from "../reasons.ts";
import { originOfArgument } from "./argument-origin.ts";
import { type Authority, hasAuthority } from "./authority.ts";
import { coversArgument, endorsableSource, type UngroundedValue } from "./endorsement.ts";
import type { AcceptedOffer, EndorsableSource } from "./origin-types.ts";
import { type CallValue, isReceiver } from "./roles/argument-roles.ts";
import type { ArgumentRole } from "./roles/roles.ts";
import type { ToolEffect } from "./roles/tool-verbs.ts";
import type { OriginKind, Sources } from "./sources/sources.ts";
import { readValue } from "./spelling/compared-value.ts";
import { readWritten, standsIn } from "./spelling/written-text.ts";

/** For the audit: the origin of an authority argument's value, without the value itself. */
export interface ArgumentOrigin {
  readonly path: string;
  readonly role: ArgumentRole;
  readonly origin: OriginKind | "unknown";
  /** The tool whose result holds the value. */
  readonly tool?: string;
}

interface OriginFacts {
  readonly tool: string;
  /** The intents that permit the call, if the user's own words contain none of them; else empty. */
  readonly undetected: readonly string[];
  /** The intents that permit the call, if the user's message leaves its act out or forbids it (`rules/unwanted-acts.ts`); else empty. */
  readonly unwanted?: (afterUntrusted: boolean) => readonly string[];
  readonly authority: Authority;
  /** A destructive class: then a call that names nothing is not grounded either. */
  readonly isDestructive: boolean;
  readonly values: readonly CallValue[];
  /** Undefined: no untrusted text is in the conversation. Called only if a value matters. */
  readonly untrustedSources: () => Sources | undefined;
  /** The sources of values while all text is trusted. Undefined: then a value without a source needs no question. */
  readonly allSources?: (() => Sources | undefined) | undefined;
  /** A result of the task gives orders to the model. */
  readonly isInstructed?: () => boolean;
  /** The acts that the user's message names. */
  readonly named?: () => ReadonlySet<ToolEffect>;
  /** The user's message asks how one does something, or says not to do anything. */
  readonly wantsNoChange?: () => boolean;
  /** The user's last message refuses what the tool does. */
  readonly isRefused?: () => boolean;
  /** What the assistant plainly offered, and the user said yes to. */
  readonly accepted?: () => AcceptedOffer | undefined;
  /** The user's message may agree to what the assistant has proposed. */
  readonly mayAgree?: () => boolean;
}

export type OriginReason = Extract<Reason, { code: "argument_untrusted" | "intent_undetected" }>;

export interface OriginJudgement {
  readonly effect: Effect;
  readonly reasons: readonly OriginReason[];
  readonly origins: readonly ArgumentOrigin[];
  /** The result that the approver may endorse. Absent: none. */
  readonly endorsable?: EndorsableSource;
}

export const NO_ORIGINS: OriginJudgement = { effect: "allow", reasons: [], origins: [] };

export const judgeOrigins = (facts: OriginFacts): OriginJudgement => afterRefusal(facts, withUnwanted(facts));

/** An act that the user has just refused is asked about, whatever the task holds: no words of the user ask for it any more. */
function afterRefusal({ tool, authority, isRefused }: OriginFacts, judgement: OriginJudgement): OriginJudgement {
  if (judgement.effect !== "allow" || !authority.changes || isRefused?.() !== true) return judgement;
  return { ...judgement, effect: "confirm", reasons: [{ code: "intent_undetected", tool, intents: [] }] };
}

/** With a question if the message plainly asks for none of the call's acts. */
function withUnwanted(facts: OriginFacts): OriginJudgement {
  const judgement = judgeSources(facts);
  if (judgement.effect === "deny" || judgement.reasons.some(({ code }) => code === "intent_undetected"))
    return judgement;
  const intents = facts.authority.changes ? (facts.unwanted?.(facts.untrustedSources() !== undefined) ?? []) : [];
  if (intents.length === 0) return judgement;
  const reason = { code: "intent_undetected", tool: facts.tool, intents } as const;
  return { ...judgement, effect: "confirm", reasons: [...judgement.reasons, reason] };
}

function judgeSources(facts: OriginFacts): OriginJudgement {
  const { tool, undetected, authority, values } = facts;
  const authorityValues = values.filter((value) => hasAuthority(authority, value));
  // A tool that only reads has effects only if it reaches out.
  if (!authority.changes && authorityValues.length === 0) return NO_ORIGINS;
  const sources = facts.untrustedSources();
  if (sources === undefined) return withUndetected(facts, authorityValues, judgeUnnamed(facts, authorityValues));
  // An amount that the user names does not ground a call on its own.
  const checked = [...new Set([...authorityValues, ...checkedAmounts(facts, sources)])];
  const traced = checked.map((value) =>
    offeredValue(facts, unlessOrdinary(value, traceValue(value, values, sources, authority), sources), sources),
  );
  const ungrounded = traced.filter(({ origin }) => origin.origin === "unknown");
  // It is not known what a tool without a verb does; if it is given a text to work on, it is not `delete_all()`.
  const mayAct = authority.isKnown || values.length === 0;
  const namesNothing = authorityValues.length === 0 && facts.isDestructive && authority.isGrave && mayAct;
  const origins = traced.map(({ origin }) => origin);
  const reasons: OriginReason[] = [];
  // This call was not requested, so even a small change to an object that no source named counts as ungrounded.
  const objects = authorityValues.length === 0 && undetected.length > 0 ? objectsOf(facts, sources) : "none";
  const isInvented =
    undetected.length > 0 && authorityValues.length === 0 && (objects === "unknown" || facts.isInstructed?.());
  if (ungrounded.length > 0 || namesNothing || isInvented)
    reasons.push({
      code: "argument_untrusted",
      tool,
      arguments: ungrounded.map((one) => untrustedArgument(one, sources)),
    });
  if (undetected.length > 0) reasons.push({ code: "intent_undetected", tool, intents: undetected });
  // A light change is asked about, not denied: to deny it would block work that the user delegated. While a result gives orders, only
  // if the user named the object: one planted line must not block all work on a file.
  const isLight = () => ungrounded.length === 0 && !namesNothing && (objects === "named" || !facts.isInstructed?.());
  const worst = () => (isLight() ? "confirm" : worstEffect(facts, sources, ungrounded));
  const effect = reasons.length === 2 ? worst() : reasons.length === 1 ? "confirm" : "allow";
  // While a result holds instructions, every call asks, so endorsing one source would not help.
  const mayEndorse = effect === "confirm" && !facts.isInstructed?.();
  const endorsable = mayEndorse ? endorsableSource(authority, ungrounded) : undefined;
  return { effect, reasons, origins, ...(endorsable ? { endorsable } : {}) };
}

/**
 * Without untrusted text in the conversation: the user's message asks for nothing to be done. A call that can be undone, or that
 * looks something up, may be meant; but if the message asks how, or says not to, each change asks. "Show me sub_44" cancels nothing.
 */
function withUndetected(
  { tool, undetected, authority, wantsNoChange }: OriginFacts,
  authorityValues: readonly CallValue[],
  judgement: OriginJudgement,
): OriginJudgement {
  const sends =
    authority.changes && authorityValues.some(({ role }) => role.role === "destination" && role.reaches !== true);
  const matters = () => authority.isGrave || sends || (authority.changes && wantsNoChange?.() === true);
  if (undetected.length === 0 || !matters()) return judgement;
  const reasons = [...judgement.reasons, { code: "intent_undetected", tool, intents: undetected } as const];
  return { ...judgement, effect: "confirm", reasons };
}

/**
 * Amounts of payments are checked, unless the user left them open. Only the user's own words can ground an amount: no added text lets
 * one pass that needed a question before. A quantity of 1 is the default.
 */
function checkedAmounts({ authority, values }: OriginFacts, sources: Sources): readonly CallValue[] {
  const amounts = authority.pays ? values.filter(({ role }) => role.role === "amount") : [];
  if (amounts.length === 0 || sources.leavesAmountOpen()) return [];
  return sources.statesAmount() ? amounts : amounts.filter(({ value }) => Number(value) !== 1);
}

/** The objects of a grave or sending call, and the amount of a payment, that are nowhere in the conversation. */
function judgeUnnamed(facts: OriginFacts, authorityValues: readonly CallValue[]): OriginJudgement {
  const { tool, authority, values, allSources } = facts;
  // The conversation is not read for a call without values that matter: that costs too much.
  const mayMatter = authorityValues.length > 0 || authority.pays;
  const sources = mayMatter ? allSources?.() : undefined;
  if (sources === undefined) return NO_ORIGINS;
  const checked = [...new Set([...authorityValues, ...checkedAmounts(facts, sources)])];
  const traced = checked.map((value) => offeredValue(facts, traceValue(value, values, sources, authority), sources));
  const isUnnamed = ({ origin, place, value }: TracedValue) =>
    origin.origin === "unknown" && place === undefined && !namesHost(value, sources);
  const unnamed = traced.filter(isUnnamed);
  if (unnamed.length === 0) return NO_ORIGINS;
  const named = unnamed.map((one) => untrustedArgument(one, sources));
  const reason = { code: "argument_untrusted", tool, arguments: named } as const;
  return { effect: "confirm", reasons: [reason], origins: traced.map(({ origin }) => origin) };
}

/** Whether a text of the conversation names the host of a URL: then the target of the call is not made up, and no untrusted text chose the path. */
function namesHost(url: CallValue["value"], sources: Sources): boolean {
  const host = typeof url === "string" ? hostOf(url) : undefined;
  return host !== undefined && [host, host.replace(/^www\./, "")].some((one) => sources.originOf(one) !== undefined);
}

/**
 * The words name the act but were not detected as an intent; or the user delegates to a text for people, or agrees to what the assistant
 * proposes. If a text speaks to the model, it is not known whose orders these are.
 */
function worstEffect(facts: OriginFacts, sources: Sources, ungrounded: readonly TracedValue[]): Effect {
  const mayAsk = sources.delegates() || facts.mayAgree?.() === true || namesAct(facts, ungrounded);
  return mayAsk && !facts.isInstructed?.() ? "confirm" : "deny";
}

const LIGHT_ACTS: readonly ToolEffect[] = ["create", "change"];
const OUTWARD: readonly ToolEffect[] = ["send", "access", "pay"];

/** "Write it down" does not ask to send anything to an address in a mail: for that, the words must name an act that reaches a person. */
function namesAct({ authority: { effects }, named }: OriginFacts, ungrounded: readonly TracedValue[]): boolean {
  const wanted = named?.();
  if (wanted === undefined || effects.size === 0) return false;
  const isLight = [...effects].every((act) => LIGHT_ACTS.includes(act));
  const goesOut = ungrounded.some(({ role }) => role === "destination");
  if (goesOut && !OUTWARD.some((act) => wanted.has(act))) return false;
  if (isLight) return goesOut || LIGHT_ACTS.some((act) => wanted.has(act));
  return [...effects].some((act) => act !== "read" && wanted.has(act));
}

/** Whether the user or a trusted source names one of the objects that it changes. A call that makes something new changes none. */
function objectsOf({ authority, values }: OriginFacts, sources: Sources): "none" | "named" | "unknown" {
  const objects = values.filter(({ role }) => role.role === "object" && role.unsure !== true);
  if (authority.makesNew || objects.length === 0) return "none";
  return objects.some((one) => originOfArgument(one, values, sources) !== undefined) ? "named" : "unknown";
}

/** A receiver that occurs only as an ordinary word of the message is not the user's: `from` in "the mail from my landlord". */
function unlessOrdinary(one: CallValue, traced: TracedValue, sources: Sources): TracedValue {
  const { value } = one;
  if (traced.origin.origin !== "user" || !isReceiver(one) || sources.givesReceiver(value)) return traced;
  return ungroundedValue(one, sources);
}

/** The messages are searched only for a value that is asked about. */
function untrustedArgument({ origin: { path }, value, place }: TracedValue, sources: Sources): UntrustedArgument {
  if (place) return { path, from: { tool: place.tool, callId: place.callId } };
  const inMessages = sources.placeInMessages(value);
  return { path, ...(inMessages ? { inMessages } : {}) };
}

/**
 * "Shall I set the stock to 40?" "Yes": the user has read the amount and agreed to it, so it counts as their word. Not in a payment or another
 * grave call, not a receiver or an object, and not if a result gives orders or any text holds the amount, in any spelling: then that text may
 * have chosen it.
 */
function offeredValue(
  { authority, accepted, isInstructed }: OriginFacts,
  traced: TracedValue,
  sources: Sources,
): TracedValue {
  const { origin, role, value, place } = traced;
  if (origin.origin !== "unknown" || role !== "amount" || place !== undefined) return traced;
  if (authority.isGrave || authority.pays) return traced;
  const offer = accepted?.();
  const compared = offer && readValue(value);
  if (!offer || !compared || !standsIn(readWritten(offer.text), compared)) return traced;
  if (isInstructed?.() || sources.holds(value)) return traced;
  return { ...traced, origin: { path: origin.path, role, origin: "user" } };
}

interface TracedValue extends UngroundedValue {
  readonly value: CallValue["value"];
  readonly origin: ArgumentOrigin;
}

function traceValue(one: CallValue, values: readonly CallValue[], sources: Sources, authority: Authority): TracedValue {
  const {
    pointer: path,
    role: { role },
    value,
  } = one;
  const origin = originOfArgument(one, values, sources);
  if (!origin || (origin.kind === "endorsed" && !coversArgument(authority, role))) return ungroundedValue(one, sources);
  const from = origin.tool === undefined ? {} : { tool: origin.tool };
  return { origin: { path, role, origin: origin.kind, ...from }, role, value, place: undefined };
}

function ungroundedValue({ pointer: path, role: { role }, value }: CallValue, sources: Sources): TracedValue {
  const place = sources.whereFrom(value);
  return { origin: { path, role, origin: "unknown", ...(place ? { tool: place.tool } : {}) }, role, value, place };
}
