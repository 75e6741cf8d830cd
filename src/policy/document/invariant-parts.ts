/** What must never happen, whatever else the policy says. `prove/prove.ts` proves it before a policy is put in force. Pure. */
import * as z from "zod";
import { once } from "../../lib/once.ts";
import { categories, toolClasses } from "../selectors.ts";

const MAX_INVARIANTS = 50;

const oneOrMore = <T extends z.ZodType>(one: T) => z.union([one, z.array(one).min(1).max(100)]);

const invariantEffects = ["offer", "allow", "confirm"] as const;
export type InvariantEffect = (typeof invariantEffects)[number];

const never = once(() =>
  z.strictObject({
    effect: oneOrMore(z.enum(invariantEffects)).describe(
      "`allow`: a call runs and no person ever agreed; `confirm`: it runs once a person agrees, now or by an earlier consent; `offer`: the model sees the tool",
    ),
    tool: z.string().max(256).optional().describe("a name or a selector; absent: every tool"),
    category: z.enum(categories).optional(),
    class: z.enum(toolClasses).optional(),
    family: z.string().max(128).optional(),
  }),
);

const when = once(() =>
  z.strictObject({
    role: oneOrMore(z.string()).optional().describe("absent: every role, and one that the policy does not list"),
    mode: oneOrMore(z.string()).optional(),
    state: oneOrMore(z.enum(["request", "reasoning", "action"])).optional(),
    intent: oneOrMore(z.string()).optional().describe("the task holds it, alone or among others"),
    trust: z
      .enum(["trusted", "untrusted"])
      .optional()
      .describe("`untrusted`: text of an untrusted tool is in the conversation"),
    grounded: z
      .boolean()
      .optional()
      .describe(
        "whether the values that matter come from the user or a trusted source; judged where `trust` is `untrusted`",
      ),
    connection: z
      .record(z.string().min(1).max(128), z.enum(["linked", "missing"]))
      .optional()
      .describe("by provider: whether the user has linked it"),
    listed: z.boolean().optional().describe("whether `tools` names the tool itself"),
    arguments: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("a JSON Schema that the call's arguments match, as the `if` of a condition"),
  }),
);

const invariant = once(() =>
  z.strictObject({
    say: z.string().min(1).max(500).regex(/\S/, "must have words").describe("the rule in a sentence"),
    never: never(),
    when: when().prefault({}),
  }),
);

export const invariants = once(() =>
  z
    .array(invariant())
    .max(MAX_INVARIANTS)
    .default([])
    .describe(
      "what must never happen, whatever else the policy says: proved for every situation before the policy is put in force",
    ),
);

export type Invariant = z.output<ReturnType<typeof invariant>>;

/** One value, or a list of them. */
export const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] | undefined =>
  value === undefined ? undefined : Array.isArray(value) ? (value as readonly T[]) : [value as T];
