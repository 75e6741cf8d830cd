/**
 * Step 3 of a turn: detects the intents of the user's new message in the user's own words.
 *
 *  1 extract    the user's text, if a frontend pastes documents around it
 *  2 lexical    keywords and patterns: candidates
 *  3 trained    a second opinion on the candidates, and guesses of its own
 *  4 slow       embeddings or a model, only while it is open whether the user wants something
 *  5 merge      which candidates are wishes, and which are only mentioned
 *  6 entities   when they are read
 *
 * `missed` names a layer that fails or is late, and the others decide: detection never stops a turn.
 */
import { describeError, log } from "../lib/log.ts";
import { lazyRegExp, once } from "../lib/once.ts";
import { type WorkBudget, workBudget } from "../lib/work-budget.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import type { DetectorPort, UserMessage } from "../ports/detector-port.ts";
import type { DetectedIntent, Detection, DetectionLayer, Entity } from "./detection.ts";
import { type CompiledEntities, compileEntities } from "./entities/compile-entities.ts";
import { extractEntities } from "./entities/extract-entities.ts";
import { isSlotAnswer } from "./entities/slot-answer.ts";
import { compileLexical, findLexical, type Lexical, type LexicalFindings } from "./lexical/lexical.ts";
import { doubtsAbout, mergeLayers, withoutMentions } from "./merge-layers.ts";
import type { LayerRequest, SlowLayer } from "./slow-layer.ts";
import { unwrapped } from "./user-message/own-words.ts";
import { extractedText } from "./user-message/user-text.ts";
import { asksAbout, welcomesQuestions } from "./wish/asks-about.ts";
import { continuationFor } from "./wish/continues.ts";
import type { JudgedSentences } from "./wish/judge-wish.ts";
import {
  ANSWERS_AT,
  CONTINUES_AT,
  DEFAULT_SELECT_AT,
  GREY_FROM,
  KEEPS_AT,
  MAY_CONTINUE_AT,
  SOUNDS_LIKE_ONE_AT,
  SURELY_CONTINUES_AT,
} from "./wish/thresholds.ts";
import { beginsWithRequest } from "./wish/tokens.ts";

export interface DetectorDeps {
  readonly slow: Readonly<Record<"semantic" | "model", SlowLayer>>;
  /** Called for each layer that could not answer, and for each fault of ours. Never throws. */
  readonly onMissed: (layer: DetectionLayer, why: string, error?: unknown) => void;
}

export function createDetector(deps: DetectorDeps): DetectorPort {
  /** A policy compiles to the same for ever. Its entry goes when the policy leaves the cache of policies. */
  const compiled = new WeakMap<CompiledPolicy, { readonly lexical: Lexical; readonly entities: CompiledEntities }>();
  return {
    async detect(policy, { text: whole, assistant }, signal, modelAccess) {
      try {
        const work = workBudget();
        const text = extractedText(policy, whole, work);
        const { lexical, entities } = compiled.get(policy) ?? {
          lexical: compileLexical(policy),
          entities: compileEntities(policy),
        };
        compiled.set(policy, { lexical, entities });
        const findings = findLexical(lexical, text, work);
        for (const layer of findings.missed) deps.onMissed(layer, "too costly");
        const judged: JudgedSentences = new Map();
        const slow = await runSlowLayers(deps, { policy, ...findings, judged, signal, modelAccess });
        const message = { text, assistant };
        return detectionOf(policy, message, { ...findings, judged }, slow, entities, work);
      } catch (error) {
        // A fault of ours. Nothing is found, so nothing is selected: the model is offered the handshake.
        for (const layer of policy.detection.layers) deps.onMissed(layer, "failed", error);
        return {
          intents: [],
          discounted: [],
          followUp: false,
          mayFollowUp: false,
          keepsTask: false,
          afterQuestion: false,
          entities: [],
          selectAt: 1,
          missed: [...policy.detection.layers],
        };
      }
    },
  };
}

interface SlowFindings {
  readonly guesses: readonly DetectedIntent[];
  readonly missed: readonly DetectionLayer[];
  /** At most 2 % of the intents found from this confidence on are wrong, as far as the policy's own examples show. */
  readonly selectAt: number | undefined;
  /** The trained layer has judged the candidates. */
  readonly isTrained: boolean;
}

/** The built-in trained layer always answers: it takes microseconds. A layer that costs a request is called only while the user's wish is open. */
async function runSlowLayers({ slow, onMissed }: DetectorDeps, request: LayerRequest): Promise<SlowFindings> {
  const { detection, handshake } = request.policy;
  const guesses: DetectedIntent[] = [];
  const missed: DetectionLayer[] = [];
  let selectAt: number | undefined;
  let isOpen = !request.conclusive;
  let isTrained = false;
  // A meaning guessed from "and in French?" is the meaning of the topic, not of the message.
  const isOpenToGuesses = !(request.conclusive && request.intents.length === 0);
  for (const layer of detection.layers) {
    if (layer !== "semantic" && layer !== "model") continue;
    const isCheap = layer === "semantic" && detection.semantic.source === "builtin";
    if (isCheap ? !isOpenToGuesses : !isOpen) continue;
    const answer = await slow[layer](request);
    if ("missed" in answer) {
      onMissed(layer, answer.missed);
      missed.push(layer);
      continue;
    }
    guesses.push(...answer.guesses);
    selectAt ??= answer.selectAt;
    isTrained ||= layer === "semantic";
    const best = Math.max(0, ...guesses.map(({ confidence }) => confidence));
    const certain = handshake.selectAt ?? selectAt ?? DEFAULT_SELECT_AT;
    // A model's verdict always counts.
    isOpen = layer === "semantic" && best >= GREY_FROM && best < certain;
  }
  return { guesses, missed, selectAt, isTrained };
}

function detectionOf(
  policy: CompiledPolicy,
  { text, assistant }: UserMessage,
  findings: LexicalFindings & { readonly judged: JudgedSentences },
  slow: SlowFindings,
  entities: CompiledEntities,
  work: WorkBudget,
): Detection {
  const known = slow.isTrained ? findings : withoutMentions(findings, text, (name) => welcomesQuestions(policy, name));
  const { continues, changes } = continuationFor(text, assistant);
  const selectAt = policy.handshake.selectAt ?? slow.selectAt ?? DEFAULT_SELECT_AT;
  const isSure = slow.guesses.some(({ confidence }) => confidence >= selectAt);
  const isBare = isBareAnswer(text, continues, findings) && !(isSure && beginsWithRequest(text));
  const guesses = isBare ? [] : slow.guesses;
  const isMentioned = slow.isTrained ? doubtsAbout(unwrapped(text), findings, findings.judged) : undefined;
  const isAskedAbout = asksAbout(policy, text);
  const isDoubtful = (intent: DetectedIntent) => isAskedAbout(intent) || isMentioned?.(intent) === true;
  const isFirm = policy.detection.firmPatterns ? askedByPattern(findings, text) : undefined;
  const { intents, discounted } = mergeLayers(policy, known, guesses, slow.isTrained, isDoubtful, isFirm);
  const isEmpty = intents.every(({ layer }) => layer === "fallback") && discounted.length === 0;
  let found: readonly Entity[] | undefined;
  return {
    intents,
    discounted,
    followUp:
      continues >= (soundsLikeOne(intents) ? SURELY_CONTINUES_AT : CONTINUES_AT) ||
      (isEmpty && isSlotAnswer(entities, text, work)),
    mayFollowUp: continues >= MAY_CONTINUE_AT,
    // In a turn only the record reads them, after the reply has ended: they must not delay it.
    get entities() {
      found ??= findEntities(entities, text, intents, work);
      return found;
    },
    keepsTask: changes >= KEEPS_AT && !narrows().test(text),
    afterQuestion: assistant !== undefined && /[?？]/.test(assistant.slice(-ASKING_END)),
    selectAt,
    missed: [...findings.missed, ...slow.missed],
  };
}

/** Whether a pattern of the policy names an intent and the words around it ask for something. */
function askedByPattern({ intents }: LexicalFindings, text: string): (name: string) => boolean {
  const named = intents.flatMap((intent) => {
    const evidence = intent.evidence.filter(({ layer }) => layer === "patterns");
    return evidence.length > 0 ? [{ ...intent, evidence }] : [];
  });
  const requested = once(() => withoutMentions({ intents: named, discounted: [] }, text, () => false).intents);
  return (name) => named.length > 0 && requested().some((intent) => intent.name === name);
}

/** UTF-16 units at the end of a message in which a question is one to the user. */
const ASKING_END = 300;

/** "Only the note" ends the rest of the task. */
const narrows = lazyRegExp(
  String.raw`^\s*(?:only|nur|s[oó]lo|solamente|seulement)\b|^\s*[只仅僅]|だけ[。.]?\s*$`,
  "iu",
);
const soundsLikeOne = (intents: readonly DetectedIntent[]): boolean =>
  intents.some(({ layer, confidence }) => layer !== "fallback" && confidence >= SOUNDS_LIKE_ONE_AT);

/** A bare answer is at most so long, in UTF-16 units; a unit of a script without blanks counts thrice. */
const SHORT = 40;

/** Whether the trained layer hears only the topic of a short answer. If words of the policy name an intent, they count. */
const isBareAnswer = (text: string, continues: number, { intents, discounted }: LexicalFindings): boolean =>
  continues >= ANSWERS_AT && intents.length + discounted.length === 0 && widthOf(text) <= SHORT;

const widthOf = (text: string): number =>
  text.length > SHORT ? Number.POSITIVE_INFINITY : text.length + 2 * (text.match(unspacedUnit())?.length ?? 0);
const unspacedUnit = lazyRegExp(String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]`, "gu");

function findEntities(
  entities: CompiledEntities,
  text: string,
  intents: readonly DetectedIntent[],
  work: WorkBudget,
): readonly Entity[] {
  try {
    return extractEntities(entities, text, intents, work);
  } catch (error) {
    // A late reader has no other layer to fall back on, and the record is worth more than the entities.
    log("error", "entities_failed", describeError(error));
    return [];
  }
}
