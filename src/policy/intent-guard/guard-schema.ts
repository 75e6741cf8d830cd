/** The document's `intentGuard`. Source: reference/intent-guard.md (5, 8 and 9). */
import * as z from "zod";
import { once } from "../../lib/once.ts";
import { guardedFamilySettings } from "../document/family-settings.ts";

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
