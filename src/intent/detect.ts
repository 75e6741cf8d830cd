/**
 * Step 3 of a turn: what the user wants, detected in the user's own words. Runs the policy's layers in their order.
 *
 *  1 extract    the user's words, where a frontend pastes documents around them
 *  2 lexical    keywords and patterns
 *  3 slow       only where those are not conclusive, and until one of them is certain: semantic, model
 *  4 merge      the more specific evidence decides
 *  5 entities   when they are read
 *
 * `missed` names a layer that fails or is late, and the others decide: detection never stops a turn.
 */
import { describeError, log } from "../lib/log.ts";
import { type WorkBudget, workBudget } from "../lib/work-budget.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import type { DetectorPort } from "../ports/detector-port.ts";
import type { DetectedIntent, Detection, DetectionLayer, Entity } from "./detection.ts";
import { type CompiledEntities, compileEntities } from "./entities/compile-entities.ts";
import { extractEntities } from "./entities/extract-entities.ts";
import { isSlotAnswer } from "./entities/slot-answer.ts";
import { compileLexical, findLexical, type Lexical, type LexicalFindings } from "./lexical/lexical.ts";
import { userTextOf } from "./lexical/user-text.ts";
import { mergeLayers } from "./merge-layers.ts";
import type { LayerRequest, SlowLayer } from "./slow-layer.ts";

export interface DetectorDeps {
  readonly slow: Readonly<Record<"semantic" | "model", SlowLayer>>;
  /** Called for each layer that could not answer, and for each fault of ours. Never throws. */
  readonly onMissed: (layer: DetectionLayer, why: string, error?: unknown) => void;
}

export function createDetector(deps: DetectorDeps): DetectorPort {
  /** A policy compiles to the same for ever. Its entry goes when the policy leaves the cache of policies. */
  const compiled = new WeakMap<CompiledPolicy, { readonly lexical: Lexical; readonly entities: CompiledEntities }>();
  return {
    async detect(policy, { text: message }, signal, modelAccess) {
      try {
        const work = workBudget();
        const text = userTextOf(policy, message, work);
        const { lexical, entities } = compiled.get(policy) ?? {
          lexical: compileLexical(policy),
          entities: compileEntities(policy),
        };
        compiled.set(policy, { lexical, entities });
        const findings = findLexical(lexical, text, work);
        for (const layer of findings.missed) deps.onMissed(layer, "too costly");
        const request = { policy, clauses: findings.clauses, signal, modelAccess };
        const slow = findings.conclusive ? { guesses: [], missed: [] as const } : await runSlowLayers(deps, request);
        return detectionOf(policy, text, findings, slow, entities, work);
      } catch (error) {
        // A fault of ours. Nothing is found, so nothing is selected: the model is offered the handshake.
        for (const layer of policy.detection.layers) deps.onMissed(layer, "failed", error);
        return {
          intents: [],
          discounted: [],
          followUp: false,
          entities: [],
          selectAt: 1,
          missed: [...policy.detection.layers],
        };
      }
    },
  };
}

/** Where neither the policy nor a trained layer says from which confidence an intent is selected. */
const DEFAULT_SELECT_AT = 0.9;

interface SlowFindings {
  readonly guesses: readonly DetectedIntent[];
  readonly missed: readonly DetectionLayer[];
  /** At most 2 % of what is told from here on is wrong, as far as the policy's own examples show. */
  readonly selectAt?: number | undefined;
}

/** The slow layers one after the other, until one is certain. */
async function runSlowLayers({ slow, onMissed }: DetectorDeps, request: LayerRequest): Promise<SlowFindings> {
  const { layers, semanticThreshold } = request.policy.detection;
  const guesses: DetectedIntent[] = [];
  const missed: DetectionLayer[] = [];
  let selectAt: number | undefined;
  for (const layer of layers) {
    if (layer !== "semantic" && layer !== "model") continue;
    const answer = await slow[layer](request);
    if ("guesses" in answer) {
      guesses.push(...answer.guesses);
      selectAt ??= answer.selectAt;
    } else {
      onMissed(layer, answer.missed);
      missed.push(layer);
    }
    // A model's verdict always counts; a similarity counts from the policy's threshold on.
    if (guesses.some((guess) => guess.layer === "model" || guess.confidence >= semanticThreshold)) break;
  }
  return { guesses, missed, selectAt };
}

function detectionOf(
  policy: CompiledPolicy,
  text: string,
  findings: LexicalFindings,
  slow: SlowFindings,
  entities: CompiledEntities,
  work: WorkBudget,
): Detection {
  const { intents, discounted } = mergeLayers(policy, findings, slow.guesses);
  const isEmpty = intents.every(({ layer }) => layer === "fallback") && discounted.length === 0;
  let found: readonly Entity[] | undefined;
  return {
    intents,
    discounted,
    followUp: findings.followUp || (isEmpty && isSlotAnswer(entities, text, work)),
    // In a turn only the record reads them, after the reply has ended: they must not delay it.
    get entities() {
      found ??= findEntities(entities, text, intents, work);
      return found;
    },
    selectAt: policy.handshake.selectAt ?? slow.selectAt ?? DEFAULT_SELECT_AT,
    missed: [...findings.missed, ...slow.missed],
  };
}

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
