/** The document's `intentGuard`. Source: reference/intent-guard.md (5, 8 and 9). */
import * as z from "zod";
import { once } from "../../lib/once.ts";

export const intentGuard = once(() =>
  z.strictObject({
    enabled: z.boolean().default(true),
    detector: z.enum(["heuristic", "model"]).default("heuristic"),
    softBlockAfter: z.int().min(0).optional(),
    intents: z.record(z.string(), guardedFamilySettings()).default({}),
    browser: guardedFamilySettings().optional(),
  }),
);

export type IntentGuard = z.output<ReturnType<typeof intentGuard>>;

const familyList = once(() => z.array(z.string().min(1).max(128)));

/** An intent that has these settings has them in force: `enabled` must be switched off, not on. */
export const familySettings = once(() =>
  z.strictObject({
    enabled: z.boolean().default(true),
    allowedFamilies: familyList().default([]),
    softAllowedFamilies: familyList().default([]),
    softBlockAfter: z.int().min(0).default(2),
    requiredSuccessFamilies: familyList().default([]),
    noFallback: z.boolean().default(false),
    failTaskIfUnmet: z.boolean().default(false),
    remind: z.boolean().default(true),
  }),
);

/** The same in `intentGuard`: a setting that is left out keeps the value of the built-in intent. */
const guardedFamilySettings = once(() =>
  z.strictObject({
    ...optionalFields(familySettings().shape),
    enabled: z.boolean().optional(),
  }),
);

export type FamilySettings = z.output<ReturnType<typeof familySettings>>;
export type GuardedFamilySettings = z.output<ReturnType<typeof guardedFamilySettings>>;

type OptionalFields<S extends Readonly<Record<string, z.ZodDefault>>> = {
  [K in keyof S]: z.ZodOptional<ReturnType<S[K]["unwrap"]>>;
};

/** zod's `partial()` would keep the defaults. */
const optionalFields = <S extends Readonly<Record<string, z.ZodDefault>>>(shape: S): OptionalFields<S> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, z.optional(field.unwrap())]),
  ) as OptionalFields<S>;
