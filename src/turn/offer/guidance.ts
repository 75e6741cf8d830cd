/**
 * Guidance at the end of a reply. Once untrusted text may be in the conversation, only calls that the user's own words request run unasked.
 * If that withholds tools that the message seems to need, the reply says why and what to write, so that no user is stuck. Changes nothing.
 */

import { isSameAct, UNSPACED, wordsIn } from "../../approvals/answers/acts.ts";
import { shownTool } from "../../approvals/disclosure/title.ts";
import { surelyIn } from "../../approvals/words/language.ts";
import { fillWords, wordsOf } from "../../approvals/words/words.ts";
import { namedActs } from "../../intent/wish/named-acts.ts";
import { once } from "../../lib/once.ts";
import { codeSpan } from "../../lib/text/prose.ts";
import { type WorkBudget, WorkSpent, workBudget } from "../../lib/work-budget.ts";
import { compilePattern } from "../../policy/arguments/linear-pattern.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { trustMatters } from "../../policy/handshake.ts";
import type { CompiledIntent } from "../../policy/intents.ts";
import type { Offer } from "../../policy/offer.ts";
import { toolEffects } from "../../policy/origin/roles/tool-verbs.ts";
import { isAboutOrder } from "../../policy/reason-texts.ts";
import { isLackOfIntent, type Reason } from "../../policy/reasons.ts";
import { permittedBy, traitsOf } from "../../policy/traits.ts";
import { taskMessage, turnLanguage } from "../open/task-message.ts";
import { untrustedTool } from "../open/untrusted.ts";
import type { Turn } from "../turn.ts";
import type { DecisionNote } from "../turn-log.ts";
import { conditionWords, noteLine, sentenceFor } from "./reason-sentences.ts";
import { asksForNoneOf, closedByWords } from "./requested-acts.ts";

/**
 * What is added to a reply that ends the task; undefined if nothing that the user wants was withheld.
 * @param isAnswer the reply is the model's answer, not a stop.
 */
export const guidanceFor = (turn: Turn, offer: Offer, isAnswer: boolean): string | undefined =>
  // A stop already names the limit.
  guidanceForUndetected(turn, offer, isAnswer) ??
  (isAnswer ? guidanceForLimit(turn) : undefined) ??
  guidanceForMissing(turn, offer);

/** A model that gets "try again later" often says only that it did not work. */
const guidanceForLimit = (turn: Turn): string | undefined =>
  turn.log.wordsOnly ? undefined : refusedByLimit(turn, turn.log.decisions);

/** Also beside calls that go out: a model reports five as done when a limit has let three through. */
export function refusedByLimit(
  turn: Turn,
  decisions: readonly Pick<DecisionNote, "effect" | "reasons">[],
): string | undefined {
  if (turn.input.request.jsonMode) return undefined;
  const reasons = decisions.filter(({ effect }) => effect === "deny").flatMap((one) => one.reasons);
  const limit = reasons.find(({ code }) => code === "rate_limited" || code === "at_most_reached");
  return limit && noteLine(turn, sentenceFor(turn, limit));
}

/** Why the policy refused the last call of a tool by its arguments, in the policy's own words; undefined if the answer has them. */
export function refusedByCondition(turn: Turn): string | undefined {
  const { input, log } = turn;
  if (log.wordsOnly || input.request.jsonMode) return undefined;
  const last = new Map(log.decisions.map((one) => [one.tool, one]));
  const denials = [...last.values()]
    .filter(({ effect }) => effect === "deny")
    .flatMap(({ reasons }) => reasons.flatMap((one) => (one.code === "condition_denies" ? [one] : [])));
  const isTold = ({ tool, say }: (typeof denials)[number]) => {
    const words = conditionWords(input.policy, tool, say, turnLanguage(turn));
    return [say, words].some((each) => each.length > 0 && each.every((one) => log.text.includes(one)));
  };
  const untold = denials.find((one) => !isTold(one));
  return untold && noteLine(turn, sentenceFor(turn, untold));
}

/** For a tool that the user's own task needs: what has to come first, or what the user lacks. */
function guidanceForMissing(turn: Turn, offer: Offer): string | undefined {
  if (turn.log.wordsOnly || turn.input.request.jsonMode) return undefined;
  const lacking = offer.withheld.filter(({ reasons }) => reasons.every(isLack));
  const found =
    lacking.find(({ name }) => isWanted(turn, name)) ??
    lacking.find(({ name, reasons }) => reasons.every(({ code }) => ofUser.has(code)) && isOfWish(turn, offer, name));
  const reason = found?.reasons[0] ?? closedByWords(turn, offer);
  return reason && noteLine(turn, sentenceFor(turn, reason));
}

/**
 * The user's own words request an intent that the tool belongs to, and no tool that the user may use serves that intent: a withheld tool is
 * not missed beside one that works.
 */
function isOfWish({ input: { policy }, opened }: Turn, { offered }: Offer, tool: string): boolean {
  const wished = opened.detected.flatMap((name) => policy.intents.get(name) ?? []);
  return wished.some(
    (intent) =>
      intent.tools !== undefined &&
      opens(policy, intent, tool) &&
      !offered.some(({ name }) => traitsOf(policy, name).class !== "safe" && opens(policy, intent, name)),
  );
}

const isLack = (reason: Reason): boolean => isAboutOrder(reason) || ofUser.has(reason.code);
const ofUser: ReadonlySet<string> = new Set(["role_forbids", "auth_required", "connection_missing", "mode_forbids"]);

function guidanceForUndetected(turn: Turn, offer: Offer, isAnswer: boolean): string | undefined {
  if (!turn.log.untrusted || turn.log.wordsOnly || turn.input.request.jsonMode) return undefined;
  const refused = turn.log.decisions.filter(isUndetected).map(({ tool }) => tool);
  const closed = [...new Set([...waitingTools(offer), ...refused])];
  // "No, keep it": who has just refused wants no way forward.
  const task = taskMessage(turn);
  if (closed.length > 0 && closed.every((name) => task.refuses(name, undefined))) return undefined;
  const wanted = closed.filter((name) => isWanted(turn, name));
  const tried = triedInVain(turn, closed);
  if (wanted.length === 0 && refused.length === 0 && tried.length === 0) return undefined;
  // The model has answered, and only its own call was refused: the user has nothing to do.
  if (isAnswer && wanted.length === 0 && asksForNoneOf(turn, [...refused, ...tried])) return undefined;
  // No example is given for what only the model wants: a page may have told it to.
  return wordsFor(
    turn,
    closedIntents(turn, offer, closed),
    exampleOf(turn, closedIntents(turn, offer, wanted), wanted),
  );
}

/** The same, for `/toolgate status`. */
export function statusGuidance(turn: Turn, offer: Offer): string | undefined {
  if (!turn.log.untrusted) return undefined;
  const waiting = waitingTools(offer);
  const intents = closedIntents(turn, offer, waiting);
  return wordsFor(turn, intents, exampleOf(turn, intents, waiting));
}

function wordsFor(turn: Turn, closed: readonly CompiledIntent[], example: string | undefined): string | undefined {
  if (closed.length === 0) return undefined;
  const { policy, request } = turn.input;
  const words = wordsOf(turnLanguage(turn)).wayForward;
  const tool = untrustedTool(policy, request.messages);
  const source = tool === undefined ? words.earlier : fillWords(words.of, { tool: codeSpan(shownTool(tool)) });
  const why = fillWords(words.untrusted, { source });
  return example === undefined ? why : why + fillWords(words.example, { example });
}

/** Tools that only the state and the intents withhold. */
const waitingTools = ({ withheld }: Offer): readonly string[] =>
  withheld.filter(({ reasons }) => reasons.every(isLackOfIntent)).map(({ name }) => name);

/** Denied for this reason: a call that only needs approval has its question. */
const isUndetected = ({ effect, reasons }: DecisionNote): boolean =>
  effect === "deny" && reasons.some(({ code }) => code === "intent_undetected");

/** Intents that would open one of these tools, and that the model may not select, or only with a question for each call. */
function closedIntents(
  { input, log, opened }: Turn,
  offer: Offer,
  tools: readonly string[],
): readonly CompiledIntent[] {
  const { policy } = input;
  const asks = trustMatters(policy);
  const isOwn = (name: string) =>
    opened.detected.includes(name) || (log.intents.includes(name) && !log.undetected.includes(name));
  return [...policy.intents.values()].filter(
    (intent) =>
      !intent.noTools &&
      (offer.handshake?.intents.includes(intent.name) !== true || (asks && !isOwn(intent.name))) &&
      tools.some((name) => opens(policy, intent, name)),
  );
}

const opens = (policy: CompiledPolicy, { tools }: CompiledIntent, name: string): boolean =>
  tools === undefined || permittedBy(tools, traitsOf(policy, name));

/** Calls of waiting tools, and of the handshake for a closed intent. */
const triedInVain = ({ log: { decisions } }: Turn, closed: readonly string[]): readonly string[] =>
  decisions
    .filter(
      ({ effect, tool, reasons }) =>
        effect === "deny" && (closed.includes(tool) || reasons.some(({ code }) => code === "intent_not_detected")),
    )
    .map(({ tool }) => tool);

/** The verb of an order is among these first words of a message, after a greeting or a *please*. */
const OPENING = 6;

/** Whether the message begins with what the tool does, in any language: `delete b.txt`, `lösche b.txt`, with the verb of `delete_file`. */
function isWanted({ input }: Turn, tool: string): boolean {
  const [verb = ""] = wordsIn(
    tool
      .slice(0, 200)
      .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
      .replaceAll("_", " "),
  );
  const message = (input.conversation.newMessage ?? "").slice(0, 500);
  // Korean and Japanese sentences end with the verb.
  const opening = wordsIn(message).filter((word, at) => at < OPENING || UNSPACED.test(word));
  return verb.length > 2 && opening.some((word) => word === verb || isSameAct(verb, word));
}

/** How many examples, and keywords, of one intent are tried. */
const MAX_TRIED = 100;

/**
 * A text that detection reads as this wish: what a person copies must work, and do nothing else. In the chat's language, if the intent has
 * such examples.
 * @param tools what the text is for.
 */
function exampleOf(turn: Turn, intents: readonly CompiledIntent[], tools: readonly string[]): string | undefined {
  const { layers } = turn.input.policy.detection;
  const language = turnLanguage(turn);
  const acts = once(() => new Set(tools.flatMap((tool) => [...toolEffects(tool)])));
  const isFor = (text: string) => {
    const named = namedActs(text).wanted;
    return named.size === 0 || !named.isDisjointFrom(acts());
  };
  // The slower layers recognise every example.
  const knowsAll = layers.includes("semantic") || layers.includes("model");
  const work = workBudget();
  for (const intent of intents) {
    const { examples, keywords } = intent;
    const holds = once(() => wordsTest(intent, layers, work));
    const texts = [...examples.slice(0, MAX_TRIED), ...keywords.slice(0, MAX_TRIED)];
    const isUsable = (text: string) => isFor(text) && (knowsAll || holds()(text));
    const found = texts.find((text) => isUsable(text) && surelyIn(text) === language) ?? texts.find(isUsable);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a text holds words of the intent. If that takes too much work to find out: no. */
function wordsTest(
  { keywords, patterns }: CompiledIntent,
  layers: CompiledPolicy["detection"]["layers"],
  work: WorkBudget,
): (example: string) => boolean {
  const words = layers.includes("keywords") ? keywords.map((word) => word.toLowerCase()) : [];
  const compiled = once(() =>
    (layers.includes("patterns") ? patterns : []).flatMap((source) => {
      const pattern = compilePattern(source, work, { ignoreCase: true });
      return pattern.ok ? [pattern.value] : [];
    }),
  );
  return (example) => {
    const text = example.toLowerCase();
    if (words.some((word) => text.includes(word))) return true;
    try {
      return compiled().some((pattern) => pattern.test(text, work));
    } catch (error) {
      if (error instanceof WorkSpent) return false;
      throw error;
    }
  };
}
