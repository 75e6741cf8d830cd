/** The policy's own rules about the calls of a tool. They add up: those of a tool and of all its groups apply. Pure. */
import * as z from "zod";
import { once } from "../../lib/once.ts";

/** Each is tried with each call of the tool. */
const MAX_CONDITIONS = 50;

const condition = once(() =>
  z.strictObject({
    if: z
      .record(z.string(), z.unknown())
      .describe(
        "a JSON Schema; the condition holds for arguments that match it. A property that is not `required` also matches where it is absent",
      ),
    roles: z
      .array(z.string())
      .min(1)
      .max(100)
      .optional()
      .describe("it holds for callers with one of these roles; absent: for all"),
    modes: z.array(z.string()).min(1).max(100).optional().describe("it holds in these modes; absent: in all"),
    effect: z.enum(["deny", "ask"]).describe("`deny`: the call is refused; `ask`: a person is asked, also of a grant"),
    say: z
      .string()
      .min(1)
      .max(500)
      .regex(/\S/, "must have words")
      .describe("the reason, for the model and for the person who is asked; arguments are not filled in"),
  }),
);

const uses = once(() => z.int().min(0, "must be 0 or more").optional());
const selectors = once(() => z.array(z.string()).max(100).optional());

/** `observe`: decided and recorded as usual, and let through. */
export const enforceModes = ["on", "observe"] as const;
export type EnforceMode = (typeof enforceModes)[number];

export const ruleSettings = once(() => ({
  enforce: z
    .enum(enforceModes)
    .optional()
    .describe(
      "`observe`: its calls are decided and recorded as usual, and let through; absent: as the policy's `enforce`",
    ),
  conditions: z
    .array(condition())
    .max(MAX_CONDITIONS)
    .optional()
    .describe(
      "rules on its arguments; those of the tool and of its groups all apply, in whatever order, and `deny` wins",
    ),
  after: selectors().describe(
    "it may be called only once a tool has succeeded in this session for each of these names or selectors; a call in the same reply does not count",
  ),
  neverAfter: selectors().describe(
    "it may not be called once a result of such a tool has come into this session, or stands in the request; names or selectors",
  ),
  atMost: z
    .strictObject({
      turn: uses().describe("in one request"),
      task: uses().describe("from a message of the user to the next"),
      session: uses().describe("until a reset"),
    })
    .optional()
    .describe("how often it may be called; the tools of a group share the count"),
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
