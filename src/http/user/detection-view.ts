/** A detection as the API returns it to authors of policies: every intent with its evidence. Pure. */
import type { DetectedIntent, Detection, Evidence } from "../../intent/detection.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { deriveState } from "../../session/state.ts";

export function detectionView(detection: Detection, policy: CompiledPolicy): Record<string, unknown> {
  const [best] = detection.intents;
  const { select } = policy.handshake;
  const confident = detection.intents.filter(
    ({ name, confidence }) => confidence >= detection.selectAt && policy.intents.has(name),
  );
  const selected = select === "model" ? [] : confident.map(({ name }) => name);
  return {
    object: "intent.detection",
    intent: best?.name ?? null,
    confidence: best?.confidence ?? null,
    intents: detection.intents.map(presentIntent),
    discounted: detection.discounted.map(presentIntent),
    follow_up: detection.followUp,
    entities: detection.entities.map(({ name, value, text, at, redact }) => ({ name, value, text, at, redact })),
    missed: detection.missed,
    // An intent is selected from this confidence on: the policy's own, or what its training found.
    select_at: detection.selectAt,
    // In a session without intents.
    would_select: selected,
    state: deriveState({ select, intents: selected, modelCalled: true }),
  };
}

function presentIntent({ name, confidence, layer, evidence }: DetectedIntent): Record<string, unknown> {
  return { name, confidence, layer, evidence: evidence.map(presentEvidence) };
}

function presentEvidence({ layer, source, text, at, discounted, corrections }: Evidence): Record<string, unknown> {
  return { layer, source, text, at, discounted, corrections };
}
