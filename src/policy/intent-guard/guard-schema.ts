/** The document's `intentGuard`, as reference/intent-guard.md has it (5, 8 and 9). */
import * as z from "zod";
import { once } from "../../lib/once.ts";

const families = once(() => z.array(z.string().min(1).max(128)).optional());

/** What is not given comes from the built-in policy of that intent. */
const guardPolicy = once(() =>
  z.strictObject({
    enabled: z
      .boolean()
      .optional()
      .describe("`browser_access` is on unless switched off, any other must be switched on"),
    allowedFamilies: families(),
    softAllowedFamilies: families().describe("detours, `softBlockAfter` of them a task"),
    softBlockAfter: z.int().min(0).optional(),
    requiredSuccessFamilies: families().describe("a tool of one of them must have succeeded before the task ends"),
    noFallback: z
      .boolean()
      .optional()
      .describe("the task fails before it begins where its key families are out of reach"),
    failTaskIfUnmet: z.boolean().optional().describe("the task fails where no required family succeeded"),
    remind: z.boolean().optional().describe("whether the model is reminded once before the task fails"),
  }),
);

export const intentGuard = once(() =>
  z.strictObject({
    enabled: z.boolean().default(true),
    detector: z.enum(["heuristic", "model"]).default("heuristic"),
    softBlockAfter: z.int().min(0).optional().describe("of intents that do not say their own"),
    intents: z.record(z.string(), guardPolicy()).default({}),
    browser: guardPolicy().optional().describe("the older form of `intents.browser_access`, which wins over this one"),
  }),
);

export type IntentGuard = z.output<ReturnType<typeof intentGuard>>;
export type GuardPolicy = z.output<ReturnType<typeof guardPolicy>>;
