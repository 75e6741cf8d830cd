/** Parts of the policy document that are long or occur more than once. */
import * as z from "zod";
import { isObject } from "../../lib/json/json-value.ts";
import { once } from "../../lib/once.ts";
import { familySettings } from "../intent-guard/guard-schema.ts";
import { argumentRoles } from "../origin/roles/roles.ts";
import { categories, toolClasses } from "../selectors.ts";
import { duration } from "./duration-text.ts";
import { localTextOf, ruleSettings } from "./rule-parts.ts";
import { run } from "./run-parts.ts";

const identifier = once(() => z.string().min(1).max(128));
const selectorList = once(() => z.array(z.string()));

/** At most `max` uses within any `window` that ends now. All limits of a list apply. */
export const rateLimits = once(() =>
  z.array(
    z.strictObject({
      max: z.int().min(0, "must be 0 or more"),
      window: duration(),
    }),
  ),
);

const injectionAction = once(() => z.enum(["ask", "deny"]));

/** Sets that are always known; `custom` adds others. Named here so that editors complete them. */
export const injectionSetNames = ["shell", "sql", "path_traversal", "prompt_injection", "markup"] as const;

/**
 * The default for every tool. `ask`, not `deny`, so that a coding agent is not refused for text that only looks like an
 * attack. And only the two sets that ordinary arguments seldom match: `run_command` needs shell text, and `write_file`
 * writes markup.
 */
export const injection = once(() =>
  z.strictObject({
    sets: z.array(identifier()).default(["path_traversal", "prompt_injection"]),
    action: injectionAction().default("ask"),
    custom: z.record(identifier(), z.array(z.string()).min(1)).default({}),
  }),
);

const toolInjection = once(() =>
  z.union(
    [
      z.literal(false),
      z.strictObject({
        sets: z.array(identifier()).optional(),
        action: injectionAction().optional(),
        except: z.array(z.string().min(1)).optional(),
      }),
    ],
    "must be false or an object with `sets`, `action`, `except`",
  ),
);

const localText = once(() => localTextOf(z.string().min(1).max(4_096)));

const pointer = once(() => z.string().regex(/^(\/[^/]*)+$/, "must be a JSON pointer such as `/old_string`"));

const fieldPattern = once(() =>
  z
    .string()
    .max(256)
    .regex(/^(\/[^/]+)+$/, "must be a JSON pointer such as `/id`, with `*` for each element"),
);

/** Settings of one tool, or, if the key is a selector, of a group. Absent means: not set here. */
export const toolSettings = once(() =>
  z.strictObject({
    category: z.enum(categories).optional(),
    class: z.enum(toolClasses).optional(),
    families: z.array(identifier()).optional(),
    description: z.string().max(4_096).optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
    roles: z.array(z.string()).max(100).optional(),
    requiresAuth: z.boolean().optional(),
    connection: identifier().optional(),
    confirm: z.enum(["auto", "ungrounded", "ask"]).optional(),
    firstTime: z.boolean().optional(),
    timeoutSeconds: z.int().min(1).max(86_400).optional(),
    disclosure: localText().optional(),
    learnMore: localText().optional(),
    preview: z.strictObject({ before: pointer().optional(), after: pointer() }).optional(),
    rateLimits: rateLimits().optional(),
    redact: z.array(z.string()).max(200).optional(),
    hideFromApprover: z.array(z.string()).max(200).optional(),
    reversible: z.boolean().optional(),
    undo: z
      .union([
        identifier(),
        z.strictObject({
          tool: identifier(),
          arguments: z.record(identifier(), z.string().max(1_024)).optional(),
        }),
      ])
      .optional(),
    destination: localTextOf(z.string().max(200)).optional(),
    sensitive: z.boolean().optional(),
    trusted: z.union([z.boolean(), z.array(fieldPattern()).min(1).max(64)]).optional(),
    directory: z.boolean().optional(),
    arguments: z
      .record(z.string().min(1).max(256), z.strictObject({ role: z.enum(argumentRoles).optional() }))
      .optional(),
    injection: toolInjection().optional(),
    ...ruleSettings(),
    run: run().optional(),
  }),
);

export type ToolSettings = z.output<ReturnType<typeof toolSettings>>;
export type ToolInjection = z.output<ReturnType<typeof toolInjection>>;

/** A named baseline of permitted tools. One that only denies permits all else. Source: reference/proactive-tool-filtering.md. */
export const mode = once(() =>
  z.strictObject({
    description: z.string().optional(),
    allow: selectorList().default(["*"]),
    deny: selectorList().default([]),
    roles: z.array(z.string()).max(100).optional(),
  }),
);

export const share = once(() => z.number().min(0).max(1));

/** Source: reference/intent-detection-and-safe-tools.md, part 4. */
const strategies = ["llm_first", "system_first"] as const;

export const strategySettings = once(() => ({
  strategy: z.enum(strategies),
  systemFirstShare: share(),
}));

/** Stored policies may have `whenMissing`, which has no effect: it is left out. */
export const withoutWhenMissing = <S extends z.ZodType>(execution: S) =>
  z.preprocess((value) => {
    if (!isObject(value)) return value;
    const { whenMissing: _, ...settings } = value;
    return settings;
  }, execution);

const intentExecution = once(() => withoutWhenMissing(z.strictObject(strategySettings()).partial()));

export const intent = once(() =>
  z.strictObject({
    description: z.string().max(500).default(""),
    keywords: z.array(z.string().min(1)).default([]),
    patterns: z.array(z.string().min(1)).default([]),
    examples: z.array(z.string().min(1)).default([]),
    tools: selectorList().optional(),
    primaryTool: identifier().optional(),
    families: familySettings().optional(),
    entities: z.array(identifier()).default([]),
    execution: intentExecution().optional(),
  }),
);

/** The source of vectors for the layer `semantic`: word vectors that ship with the gateway, or a model from its settings. */
export const semanticLayer = once(() =>
  z.strictObject({
    source: z.enum(["builtin", "embeddings"]).default("builtin"),
    timeoutMs: z.int().min(50).max(10_000).default(1_000),
  }),
);
