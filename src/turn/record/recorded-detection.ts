/**
 * The form in which a detection is recorded: the policy's names and where they matched; the user's own words only if the policy asks for
 * them. Pure. Everything is bounded, because a record must fit into one row.
 */

import type { DetectedIntent, Detection, Entity } from "../../intent/detection.ts";
import type { RecordedDetection, RecordedEntity, RecordedIntent } from "../../ports/turns/turn-account.ts";

const MAX_INTENTS = 32;
const MAX_EVIDENCE = 8;
const MAX_ENTITIES = 64;
/** UTF-16 units of a keyword, pattern or example, and of an entity's value. */
const MAX_TEXT = 200;

/**
 * @param words whether the record may hold what the user wrote: if the policy keeps no arguments, it holds no values.
 * @param hidden values that became arguments which the policy redacts.
 * @param kept the parts of the message that the record may hold, in their recorded form.
 */
export function recordDetection(
  detection: Detection,
  words: boolean,
  hidden: readonly string[] = [],
  kept: Pick<RecordedDetection, "message" | "words"> = {},
): RecordedDetection {
  return {
    intents: detection.intents.slice(0, MAX_INTENTS).map(recordIntent),
    discounted: detection.discounted.slice(0, MAX_INTENTS).map(recordIntent),
    followUp: detection.followUp,
    selectAt: detection.selectAt,
    entities: detection.entities.slice(0, MAX_ENTITIES).map((entity) => recordEntity(entity, words, hidden)),
    missed: [...detection.missed],
    ...kept,
  };
}

function recordIntent({ name, confidence, layer, evidence }: DetectedIntent): RecordedIntent {
  return {
    name: cut(name),
    confidence,
    layer,
    evidence: evidence.slice(0, MAX_EVIDENCE).map((one) => ({
      layer: one.layer,
      // A model's reason repeats the message, including its addresses.
      source: one.layer === "model" ? "" : cut(one.source),
      at: one.at,
      ...(one.discounted ? { discounted: one.discounted } : {}),
    })),
  };
}

function recordEntity({ name, value, at, redact }: Entity, words: boolean, hidden: readonly string[]): RecordedEntity {
  if (redact || !words || hidden.some((text) => String(value).includes(text)))
    return { name: cut(name), value: null, at };
  return { name: cut(name), value: typeof value === "string" ? cut(value) : value, at };
}

/** A cut may split a character, and messages hold halves of characters. */
const cut = (text: string): string => text.slice(0, MAX_TEXT).toWellFormed();
