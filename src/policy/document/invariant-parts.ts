/** The document's invariants: what must never happen, whatever the other settings. `prove/prove.ts` proves them before a policy is put in force. Pure. */
import * as z from "zod";
import { once } from "../../lib/once.ts";
import { categories, toolClasses } from "../selectors.ts";

const MAX_INVARIANTS = 50;

const oneOrMore = <T extends z.ZodType>(one: T) => z.union([one, z.array(one).min(1).max(100)]);

const invariantEffects = ["offer", "allow", "confirm"] as const;
export type InvariantEffect = (typeof invariantEffects)[number];

const never = once(() =>
  z.strictObject({
    effect: oneOrMore(z.enum(invariantEffects)),
    tool: z.string().max(256).optional(),
    category: z.enum(categories).optional(),
    class: z.enum(toolClasses).optional(),
    family: z.string().max(128).optional(),
  }),
);

const when = once(() =>
  z.strictObject({
    role: oneOrMore(z.string()).optional(),
    mode: oneOrMore(z.string()).optional(),
    state: oneOrMore(z.enum(["request", "reasoning", "action"])).optional(),
    intent: oneOrMore(z.string()).optional(),
    trust: z.enum(["trusted", "untrusted"]).optional(),
    grounded: z.boolean().optional(),
    connection: z.record(z.string().min(1).max(128), z.enum(["linked", "missing"])).optional(),
    listed: z.boolean().optional(),
    arguments: z.record(z.string(), z.unknown()).optional(),
  }),
);

const invariant = once(() =>
  z.strictObject({
    say: z.string().min(1).max(500).regex(/\S/, "must have words"),
    never: never(),
    when: when().prefault({}),
  }),
);

export const invariants = once(() => z.array(invariant()).max(MAX_INVARIANTS).default([]));

export type Invariant = z.output<ReturnType<typeof invariant>>;

/** One value, or a list of them. */
export const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] | undefined =>
  value === undefined ? undefined : Array.isArray(value) ? (value as readonly T[]) : [value as T];
