/** The result of detection: what the user wants in a message. Pure data. Source: reference/intent-detection-and-safe-tools.md, parts 1 and 2. */

export const detectionLayers = ["keywords", "patterns", "semantic", "model"] as const;
export type DetectionLayer = (typeof detectionLayers)[number] | "fallback";

/** The evidence for an intent: the policy's part, and the words of the message that match it. */
export interface Evidence {
  readonly layer: DetectionLayer;
  /** The policy's keyword, pattern or example; of the layer `model`, its reason. */
  readonly source: string;
  /** The user's own words that match; empty if it is the whole message. */
  readonly text: string;
  /** Index of `text` in the message, in UTF-16 units. */
  readonly at: number;
  /** Why it does not count: the user said *not* this, more specific evidence covers it, or it is only mentioned. */
  readonly discounted?: "negated" | "overruled" | "mentioned";
  /** Words of the user that were taken for misspelt ones. */
  readonly corrections?: readonly { readonly from: string; readonly to: string }[];
}

export interface DetectedIntent {
  readonly name: string;
  /** 1 for a keyword, 0.9 for a pattern, calibrated for `semantic`, 0.5 for the fallback. */
  readonly confidence: number;
  /** The one that decided. */
  readonly layer: DetectionLayer;
  readonly evidence: readonly Evidence[];
}

export interface Entity {
  /** As the policy names it, or a built-in one: `date`, `email`, `url`, `quantity`, `quoted`. */
  readonly name: string;
  /** Normalised. */
  readonly value: string | number;
  readonly text: string;
  /** Index of `text` in the message, in UTF-16 units. */
  readonly at: number;
  /** The record shows only its name, not its value. */
  readonly redact: boolean;
}

export interface Detection {
  /** Best first, each once; only the fallback if no layer found any. */
  readonly intents: readonly DetectedIntent[];
  /** Those that only discounted evidence speaks for. */
  readonly discounted: readonly DetectedIntent[];
  /** The message makes sense only after another one: "yes", "the second one". */
  readonly followUp: boolean;
  /** It may go on with the task: less surely, it does so only if it also sounds like the task's intent. */
  readonly mayFollowUp: boolean;
  /** It surely goes on with the task, also if it asks for more: "and put it into the calendar". */
  readonly keepsTask: boolean;
  /** The assistant's message before it asks something. */
  readonly afterQuestion: boolean;
  readonly entities: readonly Entity[];
  /** The confidence from which an intent is selected: the policy's `handshake.selectAt`, else the trained layer's own. */
  readonly selectAt: number;
  /** Layers of the policy that should have run and could not answer. */
  readonly missed: readonly DetectionLayer[];
}
