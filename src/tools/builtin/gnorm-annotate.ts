/**
 * Asks an annotation service for the named entities of a text: one POST through the guarded fetch. The validated answer goes to
 * the model with the confidence of each entity. Source: reference/human-centered-tool-calling.md, "GNORM Annotate".
 */

import * as z from "zod";
import { nearestDouble, readExact } from "../../lib/json/exact-json.ts";
import { once } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { visible } from "../../lib/text/visible-text.ts";
import type { BuiltinRun, HttpRun } from "../../policy/document/run-parts.ts";
import { type ExecutionResult, failed, notStarted } from "../run.ts";
import type { PreparedCall } from "../tool-runner.ts";
import { done, objectSchema, readArguments } from "./builtin-tool.ts";

export interface AnnotateParts {
  /** Runs as a tool of the kind `http` does: guarded, with bound secrets, which are masked in its answer. */
  readonly send: (call: PreparedCall, settings: HttpRun) => Promise<ExecutionResult>;
  readonly now: () => number;
}

/** Characters. */
const MAX_TEXT = 50_000;
const MAX_TYPES = 20;

const read = once(() =>
  z.object({
    text: z
      .string({ error: "`text` must be text" })
      .max(MAX_TEXT, { error: `\`text\` is longer than ${MAX_TEXT} characters` })
      .refine((text) => text.trim() !== "", { error: "`text` is empty" }),
    entity_types: z
      .array(z.string().max(100), { error: "`entity_types` must be a list of texts" })
      .max(MAX_TYPES, { error: `\`entity_types\` has more than ${MAX_TYPES} members` })
      .nullish(),
  }),
);

export const gnormDefinition = {
  description: "Annotate text with GNORM named entity recognition",
  parameters: objectSchema(
    {
      text: { type: "string", minLength: 1, maxLength: MAX_TEXT },
      entity_types: { type: ["array", "null"], items: { type: "string" }, maxItems: MAX_TYPES },
    },
    "text",
  ),
};

/** It changes nothing, so an unknown outcome counts as failed. */
export async function runGnorm(
  { send, now }: AnnotateParts,
  call: PreparedCall,
  settings: BuiltinRun,
): Promise<ExecutionResult> {
  const { kind: _, tool: __, url, ...reach } = settings;
  if (url === undefined) return notStarted("unavailable", "the policy names no `url` of the annotation service");
  const args = readArguments(read(), call.arguments);
  if (!args.ok) return args.error;
  const { text, entity_types } = args.value;
  const startedAt = now();
  const request: HttpRun = { kind: "http", method: "POST", url, form: false, retries: 0, system: {}, ...reach };
  const result = await send({ ...call, arguments: { text, entity_types: entity_types ?? null } }, request);
  if (result.status === "unknown") return { ...result, status: "failed" };
  return result.status === "succeeded" ? annotationResult(result, now() - startedAt) : result;
}

function annotationResult(result: ExecutionResult, ms: number): ExecutionResult {
  const { bytes, httpStatus } = result;
  const found = readAnnotations(readExact(result.content));
  if (!found.ok) return failed("unreadable", found.error, { bytes, httpStatus });
  const { annotations, omitted } = found.value;
  const display = annotationsText(found.value, ms);
  return { ...done({ ...(omitted > 0 ? { omitted } : {}), annotations, display }), bytes, httpStatus };
}

interface Annotation {
  readonly text: string;
  readonly type: string;
  /** From 0 to 1; as the service wrote it, if a double cannot hold that. */
  readonly confidence: unknown;
  /** `factual`: stated by the text. `interpretive`: a reading of the text. */
  readonly epistemic_indicator: "factual" | "interpretive";
  readonly warning?: string;
}

/** Below this the user should check it. */
const SURE = 0.7;
const WARNING = "lower confidence: verify this identification";
/** Entities of one answer that are listed; more are counted. */
const MAX_ANNOTATIONS = 150;
const MAX_ENTITY_TEXT = 200;

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

interface Annotations {
  readonly annotations: readonly Annotation[];
  /** How many more there are. */
  readonly omitted: number;
}

/** The error describes what is wrong with the answer without quoting it. */
function readAnnotations(body: unknown): Result<Annotations, string> {
  const read = answer().safeParse(body);
  if (!read.success) {
    const place = read.error.issues[0]?.path.filter((part) => part !== "").join(".") || "its top level";
    return err(`the annotation service's answer is not in the agreed form at \`${place.slice(0, 80)}\``);
  }
  const all = read.data.annotations;
  const annotations = all.slice(0, MAX_ANNOTATIONS).map((one): Annotation => {
    const { entity_text, entity_type, confidence, epistemic_indicator: indicator } = one;
    const sure = Number(nearestDouble(confidence));
    const annotation = {
      text: shown(entity_text),
      type: shown(entity_type),
      confidence,
      epistemic_indicator: indicatorOf(indicator, sure),
    };
    return sure < SURE ? { ...annotation, warning: WARNING } : annotation;
  });
  return ok({ annotations, omitted: all.length - annotations.length });
}

/** Every indicator but `factual` counts as interpretive. */
function indicatorOf(given: string | null | undefined, confidence: number): Annotation["epistemic_indicator"] {
  if (given == null) return confidence >= SURE ? "factual" : "interpretive";
  return given.trim().toLowerCase() === "factual" ? "factual" : "interpretive";
}

/** On one line, without invisible characters. */
const shown = (text: string): string =>
  visible(text.slice(0, MAX_ENTITY_TEXT).toWellFormed()).replace(/\s+/gu, " ").trim();

/** As the reference shows results. @param ms how long it took. */
function annotationsText({ annotations, omitted }: Annotations, ms: number): string {
  const count = annotations.length + omitted;
  const found = count === 0 ? "Found no entities." : `Found ${count} ${count === 1 ? "entity" : "entities"}:`;
  const lines = annotations.flatMap(({ text, type, confidence, epistemic_indicator: indicator, warning }) => {
    // Rounded down: a confidence that is warned of must not look like 70%.
    const percent = `${Math.floor(Number(nearestDouble(confidence)) * 100 + 1e-9)}%${warning === undefined ? " confidence" : ""}`;
    const line = `[${indicator.toUpperCase()}] "${text}" - ${type} (${percent})`;
    return warning === undefined ? [line] : [line, "   ⚠️  Lower confidence - verify this identification"];
  });
  const more = omitted > 0 ? [`… and ${omitted} more`] : [];
  const body = lines.length > 0 ? ["", ...lines, ...more] : [];
  return ["GNORM Annotation Results", "", found, ...body, "", `Execution time: ${Math.round(ms)}ms`].join("\n");
}
