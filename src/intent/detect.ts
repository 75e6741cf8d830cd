/**
 * Step 3 of a turn: what the user wants, told from the user's own words. Asks the policy's layers in their order and holds
 * no rule of its own.
 *
 *  1 extract    the user's words, where a frontend pastes documents around them
 *  2 lexical    keywords and patterns, at once
 *  3 slower     only where those are not conclusive, and until one of them is sure: semantic, model
 *  4 conclude   the more specific evidence decides
 *  5 entities   when they are asked for
 *
 * A layer that fails or is late is told in `missed`, and the others decide: detection never stops a turn.
 */
import { describeError, log } from "../lib/log.ts";
import { type WorkBudget, workBudget } from "../lib/work-budget.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import { conclude } from "./conclude.ts";
import type { DetectedIntent, Detection, DetectionLayer, Entity } from "./detection.ts";
import { type CompiledEntities, compileEntities } from "./entities/compile-entities.ts";
import { extractEntities } from "./entities/extract-entities.ts";
import { compileLexical, findLexical, type Lexical, type LexicalFindings } from "./lexical/lexical.ts";
import { userTextOf } from "./lexical/user-text.ts";
import { isSlotAnswer } from "./slot-answer.ts";
import type { Answer, Asking, Question, SlowLayer } from "./slow-layer.ts";

type SlowLayerName = "semantic" | "model";

/** As the turn's port `DetectorPort` states it. */
export interface Detector {
  detect(policy: CompiledPolicy, text: string, signal: AbortSignal, asking?: Asking): Promise<Detection>;
}

export interface DetectorDeps {
  readonly slow: Readonly<Record<SlowLayerName, SlowLayer>>;
  /** Told of each layer that could not answer, and of each failure of ours. Never throws. */
  readonly onMissed: (layer: DetectionLayer, why: string, error?: unknown) => void;
}

export function createDetector(deps: DetectorDeps): Detector {
  const compiledFor = compiled();
  return {
    async detect(policy, message, signal, asking) {
      try {
        const work = workBudget();
        const text = userTextOf(policy, message, work);
        const { lexical, entities } = compiledFor(policy);
        const findings = findLexical(lexical, text, work);
        for (const layer of findings.missed) deps.onMissed(layer, "too costly");
        const slower = await askSlower(deps, { policy, clauses: findings.clauses, signal, asking }, findings);
        return finish(policy, text, findings, slower, entities, work);
      } catch (error) {
        return failed(deps, policy, error);
      }
    },
  };
}

interface Compiled {
  readonly lexical: Lexical;
  readonly entities: CompiledEntities;
}

/** A policy compiles to the same for ever, and goes from here when it goes from the cache of policies. */
function compiled(): (policy: CompiledPolicy) => Compiled {
  const held = new WeakMap<CompiledPolicy, Compiled>();
  return (policy) => {
    const known = held.get(policy);
    if (known) return known;
    const made = { lexical: compileLexical(policy), entities: compileEntities(policy) };
    held.set(policy, made);
    return made;
  };
}

interface Slower {
  /** Undefined where no slower layer was asked or could answer. */
  readonly guesses: readonly DetectedIntent[] | undefined;
  readonly missed: readonly DetectionLayer[];
}

const notAsked: Slower = { guesses: undefined, missed: [] };

/** The slower layers one after the other, until one is certain. */
async function askSlower(deps: DetectorDeps, question: Question, { conclusive }: LexicalFindings): Promise<Slower> {
  if (conclusive) return notAsked;
  let found = notAsked;
  for (const layer of question.policy.detection.layers) {
    if (layer !== "semantic" && layer !== "model") continue;
    found = join(deps, layer, found, await deps.slow[layer](question));
    if (sure(question.policy, found)) break;
  }
  return found;
}

function join({ onMissed }: DetectorDeps, layer: SlowLayerName, before: Slower, answer: Answer): Slower {
  if ("missed" in answer) {
    onMissed(layer, answer.missed);
    return { ...before, missed: [...before.missed, layer] };
  }
  return { ...before, guesses: [...(before.guesses ?? []), ...answer.guesses] };
}

/** A model that was asked has judged; a likeness counts from the policy's threshold on. */
const sure = ({ detection }: CompiledPolicy, { guesses = [] }: Slower): boolean =>
  guesses.some(({ layer, confidence }) => layer === "model" || confidence >= detection.semanticThreshold);

function finish(
  policy: CompiledPolicy,
  text: string,
  findings: LexicalFindings,
  { guesses, missed }: Slower,
  entities: CompiledEntities,
  work: WorkBudget,
): Detection {
  const { intents, discounted } = conclude(policy, findings, guesses);
  const nothing = intents.every(({ layer }) => layer === "fallback") && discounted.length === 0;
  let found: readonly Entity[] | undefined;
  return {
    intents,
    discounted,
    followUp: findings.followUp || (nothing && isSlotAnswer(entities, text, work)),
    // Of a turn only the record asks for them, once the reply has ended: they need not hold it up.
    get entities() {
      found ??= findEntities(entities, text, intents, work);
      return found;
    },
    missed: [...findings.missed, ...missed],
  };
}

function findEntities(
  entities: CompiledEntities,
  text: string,
  intents: readonly Pick<DetectedIntent, "name">[],
  work: WorkBudget,
): readonly Entity[] {
  try {
    return extractEntities(entities, text, intents, work);
  } catch (error) {
    // Who asks late has nothing to fall back on, and the record is worth more than they are.
    log("error", "entities_failed", describeError(error));
    return [];
  }
}

/** A fault of ours. Nothing is found, so nothing is selected: the model is offered the handshake. */
function failed({ onMissed }: DetectorDeps, { detection }: CompiledPolicy, error: unknown): Detection {
  for (const layer of detection.layers) onMissed(layer, "failed", error);
  return { intents: [], discounted: [], followUp: false, entities: [], missed: [...detection.layers] };
}
