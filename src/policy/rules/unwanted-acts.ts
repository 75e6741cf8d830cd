/**
 * Calls whose act the user's message leaves out or forbids, though an intent of the task permits the tool. Pure. They are asked about:
 *
 *  - The message only asks to look, and the model selected the intent by itself, or the intent is for looking too: whatever changes
 *    something. "What does a.txt hold?" is about files, and edits none.
 *  - It only asks something back: what changes something, but for a step on a web page, under each intent that permits it. "Which one?"
 *    goes on with the task that it asks about.
 *  - It holds back: "write Tom a mail, but let me see it first", "not yet, maybe tomorrow", "is 20 too much to refund?". Likewise.
 *  - The message forbids the act: "don't create a lead, just check whether she exists".
 *  - The message names other acts alone, and the intent is for many: what stays done. "Read a.txt and write a summary" deletes nothing,
 *    whatever a.txt says. Before untrusted text only where it asks to look: a model may well tidy up behind its own work.
 */
import type { Authority } from "../origin/authority.ts";
import type { UserActs } from "../origin/origin-types.ts";
import { nameWords } from "../origin/roles/name-words.ts";
import { finalActs, isOnPage, opensPage, type ToolEffect } from "../origin/roles/tool-verbs.ts";
import { permittedBy, traitsOf } from "../traits.ts";
import { isNarrowed, permittingIntents, unitedFamilyAccess } from "./intent-rules.ts";
import type { Subject } from "./rule.ts";

/** @returns the intents that permit the call; empty where nothing speaks against it. */
export function unwantedUnder(
  subject: Subject,
  { changes, isGrave, effects }: Authority,
  afterUntrusted: boolean,
): readonly string[] {
  const { policy, facts, traits } = subject;
  if (!changes || traits.class === "safe" || !isNarrowed(subject)) return [];
  if (policy.handshake.mustMatchDetected === "never") return [];
  const isLook = !isGrave && (opensPage(traits.name) || [...effects].every((effect) => effect === "read"));
  const asksToLook = facts.message?.readsOnly() === true;
  const mayChange = !isLook && !isOnPage(traits.name);
  if (mayChange && facts.message?.asksBack() === true) return permittingNames(subject);
  if (mayChange && !mayStillRun(subject, effects) && facts.message?.holdsBack() === true)
    return permittingNames(subject);
  if (asksToLook && mayChange && effects.size > 0 && permitsReaders(subject)) return permittingNames(subject);
  const byModel = new Set([...(facts.selectedByModel ?? []), ...(facts.selectedAfterUntrusted ?? [])]);
  const selected = isLook || !asksToLook ? [] : permittingAll(subject, byModel);
  if (selected.length > 0) return selected;
  const acts = facts.message?.acts();
  if (acts === undefined) return [];
  if (forbids(acts, effects)) return permittingNames(subject);
  const isLeftOut = !traits.needsConfirmation && leavesOut(acts, effects, finalActs(traits.name));
  if (!isLeftOut || !(afterUntrusted || asksToLook) || !isForMany(subject)) return [];
  // "Read the notice and follow the instructions": the text names the act, and the user has handed it the word.
  return facts.untrustedSources?.()?.delegates() === true ? [] : permittingNames(subject);
}

/**
 * What a message that holds back may want all the same: a draft, a command that answers a question ("how many lines has main.ts?"), and a
 * tool without a known verb, which may well be a look: `weather`.
 */
function mayStillRun({ facts, traits }: Subject, effects: ReadonlySet<ToolEffect>): boolean {
  if (effects.size === 0) return true;
  const onlyDoes = (act: ToolEffect) => [...effects].every((effect) => effect === act);
  if (onlyDoes("create")) return nameWords(traits.name).includes("draft");
  return onlyDoes("execute") && facts.message?.onlyQuestions() === true;
}

/** Each permitting intent is judged by itself: what a family of one blocks, the tools of another do not make the user's wish. */
const permittingNames = (subject: Subject): readonly string[] =>
  permittingIntents(subject.policy, subject.facts, subject.traits)
    .filter((intent) => unitedFamilyAccess([intent], subject.traits).access !== "blocked")
    .map(({ name }) => name);

/** The intents that permit the call, where all of them are among these; else none. */
export function permittingAll(subject: Subject, intents: ReadonlySet<string> | undefined): readonly string[] {
  if (intents === undefined || intents.size === 0 || !isNarrowed(subject)) return [];
  const permitting = permittingNames(subject);
  return permitting.every((name) => intents.has(name)) ? permitting : [];
}

/** "Don't edit the tests, rename the class": of changes nobody can tell which one is meant. */
function forbids({ wanted, refused }: UserActs, effects: ReadonlySet<ToolEffect>): boolean {
  const onlyReads = [...wanted].every((act) => act === "read");
  return [...effects].some((act) => act !== "read" && refused.has(act) && (act !== "change" || onlyReads));
}

/** `send_money` pays, and "send Ann 10 euros" names it by its other act. */
const leavesOut = ({ wanted }: UserActs, effects: ReadonlySet<ToolEffect>, final: ReadonlySet<ToolEffect>): boolean =>
  final.size > 0 && wanted.size > 0 && [...effects, ...final].every((act) => !wanted.has(act));

/** Whether one of its intents also permits a tool that changes nothing. */
function permitsReaders({ policy, facts, traits, offer }: Subject): boolean {
  const readers = [...(offer?.callable ?? [])]
    .map((name) => traitsOf(policy, name))
    .filter((one) => one.class === "safe");
  return permittingIntents(policy, facts, traits).some(
    ({ tools }) => tools === undefined || readers.some((reader) => permittedBy(tools, reader)),
  );
}

/** Whether one of its intents also permits a tool of another kind: who wishes for that intent has not named the act. */
function isForMany({ policy, facts, traits, offer }: Subject): boolean {
  const final = finalActs(traits.name);
  const others = [...(offer?.callable ?? [])].filter((name) => [...finalActs(name)].every((act) => !final.has(act)));
  return permittingIntents(policy, facts, traits).some(
    ({ tools }) => tools === undefined || others.some((name) => permittedBy(tools, traitsOf(policy, name))),
  );
}
