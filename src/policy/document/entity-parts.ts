/** The document's entities: how a value is found in the user's words, and how it is normalised. */
import * as z from "zod";
import { once } from "../../lib/once.ts";

/** Looked for in every message. A policy's own entity of the same name replaces a built-in one. */
export const builtInEntities = ["date", "email", "url", "quantity", "quoted"] as const;
export type BuiltInEntity = (typeof builtInEntities)[number];

const patternText = once(() => z.string().min(1));
const patternItem = once(() =>
  z.union(
    [
      patternText(),
      z.strictObject({
        match: patternText(),
        value: z.string().min(1).max(200),
      }),
    ],
    "must be a pattern, or an object with `match` and `value`",
  ),
);
const words = once(() =>
  z.record(z.string().min(1).max(200), z.array(z.string().trim().min(1).max(100)).min(1).max(500)),
);

const step = once(() =>
  z.union(
    [z.enum(["trim", "spaces", "lower", "upper"]), z.strictObject({ words: words() })],
    "must be trim, spaces, lower, upper, or an object with `words`",
  ),
);

/** Source: reference/intent-detection-and-safe-tools.md, part 2. */
export const entity = once(() =>
  z.strictObject({
    pattern: z
      .union([patternText(), z.array(patternItem()).min(1).max(32)], "must be a pattern or a list of patterns")
      .optional(),
    synonyms: words().optional(),
    normalise: z.array(step()).max(16).default([]),
    type: z.enum(["string", "integer", "number", "date"]).default("string"),
    min: z.number().optional(),
    max: z.number().optional(),
    redact: z.boolean().default(false),
  }),
);

export type EntitySettings = z.output<ReturnType<typeof entity>>;
export type NormaliseStep = EntitySettings["normalise"][number];

export interface EntityPattern {
  readonly match: string;
  /** Absent: a group of the match is the value. */
  readonly value?: string;
  /** Its path below the entity. */
  readonly path: readonly (string | number)[];
}

/** Every pattern of an entity, however it is written. */
export function patternsOf({ pattern }: EntitySettings): readonly EntityPattern[] {
  if (pattern === undefined) return [];
  if (typeof pattern === "string") return [{ match: pattern, path: ["pattern"] }];
  return pattern.map((item, index) =>
    typeof item === "string"
      ? { match: item, path: ["pattern", index] }
      : { match: item.match, value: item.value, path: ["pattern", index, "match"] },
  );
}
