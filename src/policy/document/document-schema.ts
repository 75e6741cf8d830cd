/**
 * The shape of the policy document, from which `policies/policy.schema.json` is generated. Pure.
 * Every setting has a secure default and `{}` is valid. Objects are strict: a misspelt setting would have no effect.
 */
import * as z from "zod";
import { once } from "../../lib/once.ts";
import { languages } from "../../lib/text/languages.ts";
import { intentGuard } from "../intent-guard/guard-schema.ts";
import { categories } from "../selectors.ts";
import { channels } from "./channels.ts";
import {
  injection,
  intent,
  mode,
  rateLimits,
  semanticLayer,
  share,
  strategySettings,
  toolSettings,
  withoutWhenMissing,
} from "./document-parts.ts";
import { duration } from "./duration-text.ts";
import { entity } from "./entity-parts.ts";
import { invariants } from "./invariant-parts.ts";
import { enforceModes, localTextOf } from "./rule-parts.ts";
import { mcpServer } from "./run-parts.ts";

/** Separate, because retention reads no more of a document. */
export const auditSettings = once(() =>
  z.strictObject({
    logToolCalls: z.boolean().default(true),
    logConfirmations: z.boolean().default(true),
    logMessages: z.boolean().default(false),
    logMissedMessages: z.boolean().default(false),
    retentionDays: z.int().min(1).max(3_650).default(90),
  }),
);

export const policyDocument = once(() =>
  z.strictObject({
    $schema: z.string().optional(),
    name: z.string().min(1).max(128).default("default"),
    modes: z.record(z.string(), mode()).default({}),
    roles: z.array(z.string().min(1)).min(1).max(100).default(["guest", "user", "premium", "admin"]),
    families: z.record(z.string(), z.array(z.string())).default({}),
    tools: z.record(z.string(), toolSettings()).default({}),
    connections: z
      .record(z.string().min(1).max(128), z.strictObject({ label: localTextOf(z.string().min(1).max(100)).optional() }))
      .optional(),
    mcpServers: z
      .record(z.string().regex(/^[a-zA-Z0-9-]{1,32}$/, "must be 1 to 32 letters, digits or `-`"), mcpServer())
      .default({}),
    unlistedTools: z.enum([...categories, "deny", "infer"]).default("modification"),
    handoffs: z
      .array(z.string().regex(/^[^\s*:][^\s:]{0,127}$/, "must be a name, or the beginning of one and `*`"))
      .default([]),
    directory: z
      .array(
        z
          .string()
          .max(256)
          .regex(/^\*?[^\s*,;]*[^\s*,;.@]$/, "must be a mail address or a host, with `*` at its beginning at most"),
      )
      .max(1_000)
      .default([]),
    words: z
      .strictObject({
        links: z.enum(["allow", "text", "remove"]).default("text"),
        hosts: z
          .array(
            z
              .string()
              .max(256)
              .regex(
                /^(?:\*\.)?(?:[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?)(?::\d{1,5})?$/u,
                "must be a host, with `*.` at its beginning at most",
              ),
          )
          .max(1_000)
          .default([]),
      })
      .prefault({}),
    results: z
      .strictObject({
        mark: z.boolean().default(true),
        instructions: z.enum(["ask", "record", "ignore"]).default("ask"),
      })
      .prefault({}),
    passFields: z.array(z.string().min(1).max(128)).max(64).default([]),
    allowHosted: z
      .array(
        z
          .string()
          .max(128)
          .regex(/^hosted:[\w.:-]+$/, 'must be the name of a hosted tool, such as "hosted:web_search"'),
      )
      .max(64)
      .default([]),
    models: z.record(z.string().min(1).max(256), z.array(z.string().min(1).max(256)).min(1).max(8)).default({}),
    rateLimits: z.record(z.string(), rateLimits()).default({}),
    injection: injection().prefault({}),
    intents: z.record(z.string(), intent()).default({}),
    entities: z.record(z.string(), entity()).default({}),
    detection: z
      .strictObject({
        layers: z.array(z.enum(["keywords", "patterns", "semantic", "model"])).default(["keywords", "patterns"]),
        semanticThreshold: share().default(0.2),
        fallback: z.string().optional(),
        extract: z.string().min(1).optional(),
        semantic: semanticLayer().prefault({}),
        firmPatterns: z.boolean().default(false),
        languages: z.array(z.enum(["en", "de", "es", "fr", "ja", "zh"])).default(["en", "de", "es", "fr", "ja", "zh"]),
        modelTimeoutMs: z.int().min(100).max(30_000).default(3_000),
      })
      .prefault({}),
    handshake: z
      .strictObject({
        select: z.enum(["detected", "model", "off"]).default("detected"),
        selectAt: share().optional(),
        tool: z
          .string()
          .regex(/^[a-zA-Z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, `_` or `-`")
          .default("select_intent"),
        forced: z.enum(["allow", "refuse"]).default("allow"),
        mustMatchDetected: z.enum(["afterUntrusted", "always", "never"]).default("afterUntrusted"),
      })
      .prefault({}),
    intentGuard: intentGuard().optional(),
    confirmation: z
      .strictObject({
        autoConfirmReadOnly: z.boolean().default(true),
        autoConfirmNoteTaking: z.boolean().default(false),
        channel: z.enum(channels).default("inline"),
        timeoutSeconds: z.int().min(1).max(3_600).default(30),
        inlineExpiresAfter: duration().prefault("24h"),
        typedCode: z.enum(["afterUntrusted", "always", "never"]).default("afterUntrusted"),
        channels: z
          .array(z.enum(channels))
          .min(1)
          .default([...channels]),
        grants: z
          .strictObject({
            enabled: z.boolean().default(true),
            longest: duration().prefault("90d"),
          })
          .prefault({}),
        approvers: z.enum(["user", "userOrOperator"]).default("user"),
        language: z.enum(["auto", ...languages]).default("auto"),
        link: z.boolean().default(false),
        discloseUnasked: z.boolean().default(false),
      })
      .prefault({}),
    gates: z
      .strictObject({ requireFirstTime: z.boolean().default(true), persistApprovals: z.boolean().default(true) })
      .prefault({}),
    execution: withoutWhenMissing(
      z.strictObject({
        strategy: strategySettings().strategy.default("llm_first"),
        systemFirstShare: strategySettings().systemFirstShare.default(0),
        maxSteps: z.int().min(1).max(64).default(8),
        maxCorrections: z.int().min(0).max(16).default(2),
        tellRuns: z.boolean().default(false),
        maxResultChars: z.int().min(256).max(400_000).default(32_000),
        speculate: z.boolean().default(true),
      }),
    ).prefault({}),
    plans: z
      .strictObject({
        enabled: z.boolean().default(true),
        maxSteps: z.int().min(1).max(64).default(20),
        approveWhole: z.boolean().default(true),
        keepFor: duration().prefault("30d"),
      })
      .prefault({}),
    enforce: z.enum(enforceModes).default("on"),
    audit: auditSettings().prefault({}),
    invariants: invariants(),
  }),
);

/** As read: defaults filled in, durations in milliseconds. */
export type PolicyDocument = z.output<ReturnType<typeof policyDocument>>;
