/** The policy's own rules about the calls of a tool. They add up: those of a tool and of all its groups apply. Pure. */
import * as z from "zod";
import { once } from "../../lib/once.ts";
import { languages, oneForm } from "../../lib/text/languages.ts";

/** Each is tried with each call of the tool. */
const MAX_CONDITIONS = 50;

/** `LocalText`: one text, or one for each language. */
export const localTextOf = (text: z.ZodString) => z.union([text, z.partialRecord(z.enum(languages), text)]);

const condition = once(() =>
  z.strictObject({
    if: z.record(z.string(), z.unknown()),
    roles: z.array(z.string()).min(1).max(100).optional(),
    modes: z.array(z.string()).min(1).max(100).optional(),
    effect: z.enum(["deny", "ask"]),
    say: localTextOf(z.string().min(1).max(500).regex(/\S/, "must have words")).refine(
      (say) => oneForm(say) !== "",
      "must have words",
    ),
  }),
);

const uses = once(() => z.int().min(0, "must be 0 or more").optional());
const selectors = once(() => z.array(z.string()).max(100).optional());

/** `observe`: decided and recorded as usual, but allowed. */
export const enforceModes = ["on", "observe"] as const;
export type EnforceMode = (typeof enforceModes)[number];

export const ruleSettings = once(() => ({
  enforce: z.enum(enforceModes).optional(),
  conditions: z.array(condition()).max(MAX_CONDITIONS).optional(),
  after: selectors(),
  neverAfter: selectors(),
  atMost: z
    .strictObject({
      turn: uses(),
      task: uses(),
      session: uses(),
    })
    .optional(),
}));

export interface RuleSettings {
  readonly enforce?: EnforceMode | undefined;
  readonly conditions?: readonly Condition[] | undefined;
  readonly after?: readonly string[] | undefined;
  readonly neverAfter?: readonly string[] | undefined;
  readonly atMost?: { readonly [per in UsePeriod]?: number | undefined } | undefined;
}

export type UsePeriod = "turn" | "task" | "session";
export type Condition = z.output<ReturnType<typeof condition>>;
