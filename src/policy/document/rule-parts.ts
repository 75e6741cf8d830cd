/** The policy's own rules about the calls of a tool. They add up: those of a tool and of all its groups apply. */
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

export const ruleSettings = once(() => ({
  conditions: z
    .array(condition())
    .max(MAX_CONDITIONS)
    .optional()
    .describe(
      "rules on its arguments; those of the tool and of its groups all apply, in whatever order, and `deny` wins",
    ),
}));

export type Condition = z.output<ReturnType<typeof condition>>;
