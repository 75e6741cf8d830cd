/**
 * The shape of the policy document, from which `policies/policy.schema.json` is generated. Pure.
 * Every setting has a secure default and `{}` is valid. Objects are strict: a misspelt setting would be no setting.
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
} from "./document-parts.ts";
import { duration } from "./duration-text.ts";
import { entity } from "./entity-parts.ts";
import { invariants } from "./invariant-parts.ts";
import { enforceModes } from "./rule-parts.ts";
import { mcpServer } from "./run-parts.ts";

/** By itself: retention reads no more of a document. */
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
    roles: z
      .array(z.string().min(1))
      .min(1)
      .max(100)
      .default(["guest", "user", "premium", "admin"])
      .describe("weakest first"),
    families: z
      .record(z.string(), z.array(z.string()))
      .default({})
      .describe("names, or names with `*`, of each family"),
    tools: z.record(z.string(), toolSettings()).default({}).describe("by name, or by selector for a group"),
    mcpServers: z
      .record(z.string().regex(/^[a-zA-Z0-9-]{1,32}$/, "must be 1 to 32 letters, digits or `-`"), mcpServer())
      .default({})
      .describe("servers whose tools Toolgate offers and runs"),
    unlistedTools: z
      .enum([...categories, "deny", "infer"])
      .default("modification")
      .describe(
        "the category of tools that `tools` does not name; `deny`: they are never offered; `infer`: `read_only` where name and description agree that the tool only reads, else `modification` or more",
      ),
    handoffs: z
      .array(z.string().regex(/^[^\s*:][^\s:]{0,127}$/, "must be a name, or the beginning of one and `*`"))
      .default([])
      .describe(
        "client tools that hand the conversation to another agent of the application, by name or with `*`: those without arguments run without a question, in every state",
      ),
    directory: z
      .array(
        z
          .string()
          .max(256)
          .regex(/^\*?[^\s*,;]*[^\s*,;.@]$/, "must be a mail address or a host, with `*` at its beginning at most"),
      )
      .max(1_000)
      .default([])
      .describe("mail addresses and hosts that a call may go to, whoever named them: `*@example.com`"),
    words: z
      .strictObject({
        links: z
          .enum(["allow", "text", "remove"])
          .default("text")
          .describe(
            "links and images to hosts that neither the user nor a trusted result named, once untrusted text is in the conversation: `text` shows them as plain text, `remove` leaves their addresses out",
          ),
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
          .default([])
          .describe("hosts that links may lead to: `docs.example.com`, or `*.example.com` for those below it"),
      })
      .prefault({}),
    results: z
      .strictObject({
        mark: z
          .boolean()
          .default(true)
          .describe(
            "whether the model gets results of untrusted tools between tags that only the gateway knows, with a sentence in the system text that says what they mean",
          ),
        instructions: z
          .enum(["ask", "record", "ignore"])
          .default("ask")
          .describe(
            "what follows where a result of an untrusted tool holds what looks like instructions to the model: `ask`: calls with effects ask for the rest of the task; `record`: the record says so; `ignore`: nobody looks",
          ),
      })
      .prefault({}),
    passFields: z
      .array(z.string().min(1).max(128))
      .max(64)
      .default([])
      .describe("request fields by which the provider runs tools itself, and which are sent on nevertheless"),
    allowHosted: z
      .array(
        z
          .string()
          .max(128)
          .regex(/^hosted:[\w.:-]+$/, 'must be the name of a hosted tool, such as "hosted:web_search"'),
      )
      .max(64)
      .default([])
      .describe(
        "tools that the provider runs itself and that requests may have: `hosted:web_search`, `hosted:file_search`, `hosted:code_interpreter`, `hosted:image_generation`, or `hosted:mcp:` and a server's host. Their calls are recorded after they ran",
      ),
    models: z
      .record(z.string().min(1).max(256), z.array(z.string().min(1).max(256)).min(1).max(8))
      .default({})
      .describe(
        'what a model\'s name stands for: models that are asked in order until one answers, such as `"smart": ["anthropic/claude-opus-4-5", "gpt-5.1"]`',
      ),
    rateLimits: z
      .record(z.string(), rateLimits())
      .default({})
      .describe("by selector; the selected tools share the windows"),
    injection: injection().prefault({}),
    intents: z.record(z.string(), intent()).default({}),
    entities: z.record(z.string(), entity()).default({}),
    detection: z
      .strictObject({
        layers: z
          .array(z.enum(["keywords", "patterns", "semantic", "model"]))
          .default(["keywords", "patterns"])
          .describe(
            "in this order; where `semantic` or `model` answers, it gives the confidence, else the first that finds an intent",
          ),
        semanticThreshold: share().default(0.2),
        fallback: z.string().optional().describe("the intent, with confidence 0.5, if no layer finds any"),
        extract: z
          .string()
          .min(1)
          .optional()
          .describe(
            "RE2 pattern whose group `text` (else the last group) is the user's own words; without a match the whole message; with different matches nothing, since a pasted document may hold the same marks",
          ),
        semantic: semanticLayer().prefault({}),
        firmPatterns: z
          .boolean()
          .default(false)
          .describe(
            "whether an intent that a pattern names stays as sure as without the layer `semantic`, where the words around it ask for it",
          ),
        languages: z
          .array(z.enum(["en", "de", "es", "ja", "zh"]))
          .default(["en", "de", "es", "ja", "zh"])
          .describe(
            "the layer `semantic` reads these languages by a dictionary, others by pieces of their words; `en` is a list of rare words that are not taken for misspelt ones",
          ),
        modelTimeoutMs: z.int().min(100).max(30_000).default(3_000).describe("the time limit of the layer `model`"),
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
          .default([...channels])
          .describe("the channels that a request may choose with `x-toolgate-approvals`, besides `channel`"),
        grants: z
          .strictObject({
            enabled: z.boolean().default(true),
            longest: duration().prefault("90d").describe("also for a grant without an end"),
          })
          .prefault({}),
        approvers: z
          .enum(["user", "userOrOperator"])
          .default("user")
          .describe("whose approval counts; operators may always deny"),
        language: z
          .enum(["auto", ...languages])
          .default("auto")
          .describe("`auto`: the language of the user's message"),
        link: z
          .boolean()
          .default(false)
          .describe(
            "whether a question in the chat holds a signed link to a page that answers it; everybody who reads the conversation can use the link",
          ),
        discloseUnasked: z
          .boolean()
          .default(false)
          .describe("whether the reply names each call that runs without a question"),
      })
      .prefault({}),
    gates: z
      .strictObject({ requireFirstTime: z.boolean().default(true), persistApprovals: z.boolean().default(true) })
      .prefault({}),
    execution: z
      .strictObject({
        strategy: strategySettings().strategy.default("llm_first"),
        systemFirstShare: strategySettings().systemFirstShare.default(0),
        whenMissing: strategySettings().whenMissing,
        maxSteps: z.int().min(1).max(64).default(8),
        maxCorrections: z.int().min(0).max(16).default(2),
        tellRuns: z
          .boolean()
          .default(false)
          .describe("whether the reply lists managed calls for the client (`toolgate.runs`)"),
        maxResultChars: z
          .int()
          .min(256)
          .max(400_000)
          .default(32_000)
          .describe("the longest managed result that the model gets"),
        speculate: z
          .boolean()
          .default(true)
          .describe(
            "whether the model may be called while the user's object is still asked; nothing of its answer is read before the object has answered",
          ),
      })
      .prefault({}),
    plans: z
      .strictObject({
        enabled: z.boolean().default(true),
        maxSteps: z.int().min(1).max(64).default(20),
        approveWhole: z.boolean().default(true).describe("whether a person may approve a plan as a whole"),
        keepFor: duration().prefault("30d").describe("after its last change"),
      })
      .prefault({}),
    enforce: z
      .enum(enforceModes)
      .default("on")
      .describe(
        "`observe`: everything is decided and recorded as usual, and let through: the model gets the client's request, the client the model's reply",
      ),
    audit: auditSettings().prefault({}),
    invariants: invariants(),
  }),
);

/** As read: defaults filled in, durations in milliseconds. */
export type PolicyDocument = z.output<ReturnType<typeof policyDocument>>;
