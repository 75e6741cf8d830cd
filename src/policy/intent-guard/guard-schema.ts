/** The document's `intentGuard`. Source: reference/intent-guard.md (5, 8 and 9). */
import * as z from "zod";
import { once } from "../../lib/once.ts";

export const intentGuard = once(() =>
  z.strictObject({
    enabled: z.boolean().default(true),
    detector: z.enum(["heuristic", "model"]).default("heuristic"),
    softBlockAfter: z.int().min(0).optional().describe("for intents that do not set their own"),
    intents: z.record(z.string(), guardedFamilySettings()).default({}),
    browser: guardedFamilySettings()
      .optional()
      .describe("the older form of `intents.browser_access`, which wins over this one"),
  }),
);

export type IntentGuard = z.output<ReturnType<typeof intentGuard>>;

const familyList = once(() => z.array(z.string().min(1).max(128)));

/** An intent that has these settings has them in force: `enabled` must be switched off, not on. */
export const familySettings = once(() =>
  z.strictObject({
    enabled: z.boolean().default(true),
    allowedFamilies: familyList().default([]),
    softAllowedFamilies: familyList().describe("detours, `softBlockAfter` of them a task").default([]),
    softBlockAfter: z.int().min(0).default(2),
    requiredSuccessFamilies: familyList()
      .describe("a tool of one of them must have succeeded before the task ends")
      .default([]),
    noFallback: z
      .boolean()
      .describe("the task fails before it begins where its key families are out of reach")
      .default(false),
    failTaskIfUnmet: z.boolean().describe("the task fails where no required family succeeded").default(false),
    remind: z.boolean().describe("whether the model is reminded once before the task fails").default(true),
  }),
);

/** The same in `intentGuard`: a setting that is left out keeps the value of the built-in intent. */
const guardedFamilySettings = once(() =>
  z.strictObject({
    ...optionalFields(familySettings().shape),
    enabled: z
      .boolean()
      .optional()
      .describe("`browser_access` is on unless switched off, any other must be switched on"),
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
