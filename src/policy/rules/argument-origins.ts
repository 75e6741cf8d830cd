/** The rules about the origins of a call's arguments and intent, and about results that give orders to the model. Pure. */
import { confirm, deny, noObjection, type Verdict } from "../decision.ts";
import { type Authority, hasAuthority } from "../origin/authority.ts";
import { callAuthority } from "../origin/call-authority.ts";
import { judgeOrigins, NO_ORIGINS, type OriginJudgement, type OriginReason } from "../origin/judge-origins.ts";
import type { CallValue } from "../origin/roles/argument-roles.ts";
import { isHandoff, isOutput, type Rule, type Subject } from "./rule.ts";
import { permittingAll, unwantedUnder } from "./unwanted-acts.ts";

/**
 * Once untrusted text is in the conversation, a call goes only to what the user or a trusted source names; else the user is asked.
 * The text of a mail may lead the model to the right tool with another recipient, and no rule about tools would see it. Before,
 * with `confirm: "ungrounded"`, the user is asked if the conversation does not name the object of a grave call.
 */
export const argumentOrigins: Rule = {
  name: "argument-origins",
  judge: (subject) => verdictOf(subject, "argument_untrusted"),
};

/** A call under an intent that untrusted text may have led the model to select needs the user; with arguments of that text it is denied. */
export const intentOrigin: Rule = {
  name: "intent-origin",
  judge: (subject) => verdictOf(subject, "intent_undetected"),
};

/**
 * Once a result of the task holds instructions to the model, a call with effects needs the user, whatever the origin of its
 * arguments: the text may have chosen which of the user's own values the model takes. Except a call that the user approved: they saw it.
 */
export const instructionsFound: Rule = {
  name: "instructions-found",
  judge(subject) {
    const { policy, facts, traits, call } = subject;
    if (call === undefined || policy.results.instructions !== "ask" || facts.undo || facts.answered) return noObjection;
    if (traits.class === "safe" && traits.category === "read_only") return noObjection;
    if (isOutput(subject) || isHandoff(subject)) return noObjection;
    const found = facts.instructions?.();
    if (found === undefined) return noObjection;
    return confirm({ code: "instructions_found", tool: traits.name, from: found.tool, kind: found.kind });
  },
};

function verdictOf(subject: Subject, code: OriginReason["code"]): Verdict {
  const { effect, reasons } = originsOf(subject);
  const reason = reasons.find((one) => one.code === code);
  if (reason === undefined) return noObjection;
  return effect === "deny" ? deny(reason) : confirm(reason);
}

/** Two rules and the record need the judgement of one call: it is made once. */
const judgements = new WeakMap<Subject, OriginJudgement>();

/** Throws `WorkSpent`. */
function originsOf(subject: Subject): OriginJudgement {
  const known = judgements.get(subject);
  if (known) return known;
  const judged = judgeSubject(subject);
  judgements.set(subject, judged);
  return judged;
}

/** No objection if the judgement was not made or failed. */
export const judgedOrigins = (subject: Subject): OriginJudgement => judgements.get(subject) ?? NO_ORIGINS;

/** Not for output that the application reads, nor for a call that the user approved: they saw this very call. */
function judgeSubject(subject: Subject): OriginJudgement {
  const { policy, facts, traits, definition, call, work } = subject;
  if (call === undefined || facts.untrustedSources === undefined || facts.answered) return NO_ORIGINS;
  if (facts.undo) return judgeUndo(subject);
  if (isOutput(subject) || isHandoff(subject)) return NO_ORIGINS;
  const { authority, values } = callAuthority({ traits, definition }, call.arguments, work);
  const isInstructed = () => policy.results.instructions === "ask" && facts.instructions?.() !== undefined;
  const isAccepted = acceptsLight(subject, call.arguments, authority, values) && !isInstructed();
  return judgeOrigins({
    tool: traits.name,
    undetected: isAccepted ? [] : permittingAll(subject, facts.selectedAfterUntrusted),
    unwanted: (afterUntrusted) => unwantedUnder(subject, authority, afterUntrusted),
    isDestructive: traits.class === "destructive",
    authority,
    values,
    untrustedSources: facts.untrustedSources,
    allSources: traits.confirm === "ungrounded" ? facts.allSources : undefined,
    named: () => facts.message?.acts().wanted ?? new Set(),
    wantsNoChange: () => facts.message?.wantsNoChange() === true,
    isRefused: () => facts.message?.refuses(traits.name, traits.description ?? definition?.description) === true,
    accepted: () => facts.message?.accepted(),
    mayAgree: () => facts.message?.mayAgree() === true,
    isInstructed,
  });
}

/**
 * The user said yes to the assistant's plain offer of such an act: then their words hold its intent, whatever words the policy has for it. Not
 * where the act is grave or goes to somebody, for untrusted text may have led the model to the offer; and only for what the offer names: one
 * yes must not unlock every light change of the task. The effects of a tool without a known verb are not known, so its name must hold the
 * offer's own verb, and its object is judged as that of a grave call.
 */
function acceptsLight(
  { facts: { message }, traits }: Subject,
  args: Readonly<Record<string, unknown>>,
  { effects, isGrave, isKnown }: Authority,
  values: readonly CallValue[],
): boolean {
  if ((isKnown && isGrave) || effects.has("send") || effects.has("deliver")) return false;
  const offer = message?.accepted();
  return offer?.offers({ traits, effects, arguments: args, values: values.map(({ value }) => value) }) === true;
}

/**
 * The user asked to undo the call, and its result says what there is to undo. If the tool that undoes it asks about unnamed
 * values, a result that names something else must not choose what is deleted: only the call's own arguments are known.
 */
function judgeUndo({ facts, traits, definition, call, work }: Subject): OriginJudgement {
  if (call === undefined || traits.confirm !== "ungrounded") return NO_ORIGINS;
  const tool = { traits, definition };
  const { authority, values } = callAuthority(tool, call.arguments, work);
  const known = new Set(
    callAuthority(tool, facts.undo?.arguments ?? {}, work).values.map(({ value }) => String(value)),
  );
  const unknown = values.filter((one) => hasAuthority(authority, one) && !known.has(String(one.value)));
  if (unknown.length === 0) return NO_ORIGINS;
  const named = unknown.map(({ pointer }) => ({ path: pointer }));
  const origins = unknown.map(({ pointer: path, role: { role } }) => ({ path, role, origin: "unknown" }) as const);
  return {
    effect: "confirm",
    reasons: [{ code: "argument_untrusted", tool: traits.name, arguments: named }],
    origins,
  };
}
