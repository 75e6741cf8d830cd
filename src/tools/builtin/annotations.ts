/** What an annotation service found in a text, as the model and the user are told. Pure. Source: reference/human-centered-tool-calling.md. */
import * as z from "zod";
import { nearestDouble } from "../../lib/json/exact-json.ts";
import { once } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { visible } from "../../lib/text/visible-text.ts";

export interface Annotation {
  readonly text: string;
  readonly type: string;
  /** From 0 to 1; as the service wrote it, where a double cannot hold that. */
  readonly confidence: unknown;
  /** `factual`: the text says so. `interpretive`: it is a reading of the text. */
  readonly epistemic_indicator: "factual" | "interpretive";
  readonly warning?: string;
}

/** Below this a person should look again. */
const SURE = 0.7;
const WARNING = "lower confidence: verify this identification";
/** Of one answer; more are counted. */
const MAX_ANNOTATIONS = 150;
const MAX_TEXT = 200;

const answer = once(() =>
  z.looseObject({
    annotations: z
      .array(
        z.looseObject({
          entity_text: z.string(),
          entity_type: z.string(),
          confidence: z.unknown().refine((one) => z.number().min(0).max(1).safeParse(nearestDouble(one)).success),
          epistemic_indicator: z.string().nullish(),
        }),
      )
      .max(20_000),
  }),
);

export interface Annotations {
  readonly annotations: readonly Annotation[];
  /** How many there are that are not told. */
  readonly omitted: number;
}

/** The error says what is wrong with the answer, and cites nothing of it. */
export function readAnnotations(body: unknown): Result<Annotations, string> {
  const read = answer().safeParse(body);
  if (!read.success) {
    const place = read.error.issues[0]?.path.filter((part) => part !== "").join(".") || "its top level";
    return err(`the annotation service's answer is not in the agreed form at \`${place.slice(0, 80)}\``);
  }
  const all = read.data.annotations;
  const annotations = all.slice(0, MAX_ANNOTATIONS).map((one): Annotation => {
    const { entity_text, entity_type, confidence, epistemic_indicator: indicator } = one;
    const sure = Number(nearestDouble(confidence));
    const told = {
      text: shown(entity_text),
      type: shown(entity_type),
      confidence,
      epistemic_indicator: indicatorOf(indicator, sure),
    };
    return sure < SURE ? { ...told, warning: WARNING } : told;
  });
  return ok({ annotations, omitted: all.length - annotations.length });
}

/** What nobody agreed on is no fact. */
function indicatorOf(given: string | null | undefined, confidence: number): Annotation["epistemic_indicator"] {
  if (given == null) return confidence >= SURE ? "factual" : "interpretive";
  return given.trim().toLowerCase() === "factual" ? "factual" : "interpretive";
}

/** On one line, nothing unseen in it. */
const shown = (text: string): string => visible(text.slice(0, MAX_TEXT).toWellFormed()).replace(/\s+/gu, " ").trim();

/** As the reference shows results. @param ms how long it took. */
export function annotationsText({ annotations, omitted }: Annotations, ms: number): string {
  const count = annotations.length + omitted;
  const found = count === 0 ? "Found no entities." : `Found ${count} ${count === 1 ? "entity" : "entities"}:`;
  const lines = annotations.flatMap(({ text, type, confidence, epistemic_indicator: indicator, warning }) => {
    // Never more than it is: what is warned of must not look like 70%.
    const percent = `${Math.floor(Number(nearestDouble(confidence)) * 100 + 1e-9)}%${warning === undefined ? " confidence" : ""}`;
    const line = `[${indicator.toUpperCase()}] "${text}" - ${type} (${percent})`;
    return warning === undefined ? [line] : [line, "   ⚠️  Lower confidence - verify this identification"];
  });
  const more = omitted > 0 ? [`… and ${omitted} more`] : [];
  const body = lines.length > 0 ? ["", ...lines, ...more] : [];
  return ["GNORM Annotation Results", "", found, ...body, "", `Execution time: ${Math.round(ms)}ms`].join("\n");
}
