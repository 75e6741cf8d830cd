/**
 * How a task's intents move when a request comes in. Pure. Source: DESIGN's table "States and the handshake".
 *
 * A turn tells the move; where the held intents are kept, it is carried out (`moveHeld`), since only there is it
 * known what is held.
 */
export type IntentMove =
  /** These are what the user wants now. */
  | { readonly kind: "replace"; readonly intents: readonly string[] }
  /** What is held stays; with `only`, what of it is among these, and where nothing is, it is cleared. */
  | { readonly kind: "keep"; readonly only?: readonly string[] }
  | { readonly kind: "clear" };

/** The part of a detection that moves intents. */
export interface MessageDetection {
  /** `layer` is `fallback` where nothing was found. */
  readonly intents: readonly { readonly name: string; readonly confidence: number; readonly layer: string }[];
  readonly followUp: boolean;
}

export interface MoveInputs {
  readonly newMessage: boolean;
  /** Undefined where nothing was detected: a continuation, or a command to the gateway. */
  readonly detection: MessageDetection | undefined;
  /** The policy's `handshake.select` and `handshake.selectAt`. */
  readonly select: "detected" | "model" | "off";
  readonly selectAt: number;
  /** Whether the policy has such an intent: a detector's model may name any. */
  readonly knows: (intent: string) => boolean;
}

/**
 * All confident intents of a message are held together. The fallback is what a message is taken for that says nothing by
 * itself, so it yields to a follow-up. Where only the handshake selects, a message never adds an intent: it can only
 * say again what is held.
 */
export function moveIntents({ newMessage, detection, select, selectAt, knows }: MoveInputs): IntentMove {
  if (!newMessage) return { kind: "keep" };
  if (!detection) return { kind: "clear" };
  const confident = detection.intents.filter(({ name, confidence }) => confidence >= selectAt && knows(name));
  const said = confident.filter(({ layer }) => layer !== "fallback");
  if (said.length === 0 && detection.followUp) return { kind: "keep" };
  const intents = [...new Set((said.length > 0 ? said : confident).map(({ name }) => name))];
  if (intents.length === 0) return { kind: "clear" };
  return select === "model" ? { kind: "keep", only: intents } : { kind: "replace", intents };
}
