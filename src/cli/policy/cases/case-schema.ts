/**
 * The shape of `policies/<name>.cases.json`, from which `policies/cases.schema.json` is generated. Pure.
 * Objects are strict: a misspelt expectation would expect nothing.
 */
import * as z from "zod";
import { answerActions } from "../../../approvals/approval.ts";
import { detectionLayers } from "../../../intent/detection.ts";
import { duration } from "../../../policy/document/duration-text.ts";
import { reasonNotes } from "../../docs/error-notes.ts";

const toolName = z.string().min(1).max(128);
const reasons = z.array(z.enum(Object.keys(reasonNotes))).describe("codes, in the order of the rules");
const object = z.record(z.string(), z.unknown());
const effect = z.enum(["allow", "confirm", "deny"]);

const scriptedCall = z.strictObject({
  tool: toolName,
  arguments: z.union([object, z.string()]).default({}).describe("an object, or the very text that the model sends"),
});

const scriptedStep = z.strictObject({
  text: z.string().optional(),
  calls: z.array(scriptedCall).default([]),
  finish: z.string().optional().describe("the finish reason; `tool_calls` or `stop` by default"),
});

const spelled = z.string().regex(/^[a-z_]+$/, "is spelled as the API spells it, in snake_case");

const auditFields = z
  .record(spelled, z.unknown())
  .describe("fields that the record must have; of objects inside, those that are given");

const layer = z.enum([...detectionLayers, "fallback"]);

const scriptedAnswer = z.strictObject({
  method: z
    .string()
    .regex(/^[A-Z]+$/)
    .optional()
    .describe("of the request that it answers; absent: any"),
  path: z
    .string()
    .startsWith("/")
    .optional()
    .describe("of the request that it answers, with its query where this has one; absent: any"),
  sent: z
    .strictObject({
      headers: z.record(z.string(), z.string()).optional(),
      body: z.unknown().optional().describe("JSON, of objects the members that are given; a text is the whole body"),
    })
    .optional()
    .describe("what the request must hold"),
  status: z.int().min(200).max(599).default(200),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional().describe("JSON, or a text"),
});

const scriptedHosts = z
  .record(z.string().min(1).max(260), z.array(scriptedAnswer).min(1))
  .default({})
  .describe(
    "what other hosts answer to managed tools, by host. Of a case each answers once, the first that fits, and all must be asked for; those of the file answer any number of times. What nothing answers fails the case",
  );

const results = z
  .record(toolName, z.unknown())
  .default({})
  .describe("by the server's name of the tool: a text, JSON, or a whole result with `content`");

const scriptedServers = z
  .record(
    toolName,
    z.strictObject({
      tools: z
        .array(z.looseObject({ name: toolName, description: z.string().optional(), inputSchema: object.optional() }))
        .default([])
        .describe("as the server lists them"),
      results,
    }),
  )
  .default({})
  .describe("what MCP servers of the policy offer and answer, by their names in `mcpServers`");

const scriptedResults = z
  .record(toolName, z.strictObject({ results }))
  .default({})
  .describe("what MCP servers answer in this case, in place of the file's results");

const expectedRun = z.strictObject({
  tool: toolName,
  status: z.enum(["succeeded", "failed", "unknown", "not_started"]),
  failure: z.string().nullable().optional(),
  text: z.string().min(1).optional().describe("a part of the result that the model gets"),
});

/** A person's answer to one of the pending calls: the first of this tool that no other answer is for. */
const answer = z.strictObject({
  tool: toolName,
  action: z.enum(answerActions).optional().describe("absent only in `native`: to collect what was answered elsewhere"),
  arguments: object.optional().describe("with `edit`: the arguments that change"),
  unset: z.array(z.string()).optional(),
  reason: z.string().optional(),
  grant: object.optional().describe("as `POST /v1/approvals/:id` takes it"),
});

const expectedStep = z.strictObject({
  told: z.array(z.string().min(1)).optional().describe("parts of the tool results that the model was sent, in order"),
  offered: z.array(toolName).optional().describe("the tools that the model was sent, in order, the handshake included"),
  withheld: z.record(toolName, reasons).optional().describe("every tool that was not sent, with its reasons"),
});

const expectation = z.strictObject({
  status: z.int().min(100).max(599).default(200),
  error: z.string().optional().describe("the error's code"),
  steps: z.array(expectedStep).optional().describe("one entry a step"),
  decisions: z
    .array(
      z.strictObject({
        tool: z.string(),
        effect: effect.optional(),
        reasons: reasons.optional(),
        madeBy: z.enum(["model", "system", "plan"]).optional().describe("who made the call"),
      }),
    )
    .optional()
    .describe("in order, handshakes included"),
  released: z
    .array(z.strictObject({ tool: toolName, arguments: object.optional() }))
    .optional()
    .describe("the calls that reached the client"),
  runs: z.array(expectedRun).optional().describe("of managed calls, in the order of their decisions"),
  state: z.enum(["request", "reasoning", "action"]).optional().describe("at the turn's end"),
  intent: z.string().nullable().optional(),
  intents: z.array(z.string()).optional().describe("all that are held at the turn's end"),
  detection: z
    .array(z.strictObject({ name: z.string(), layer: layer.optional(), confidence: z.number().optional() }))
    .nullable()
    .optional()
    .describe("what the user's message was found to want, best first; null on a continuation"),
  text: z.array(z.string().min(1)).optional().describe("what the visible reply contains, in order"),
  approvals: z
    .array(z.record(spelled, z.unknown()))
    .optional()
    .describe("the reply's `toolgate.approvals`, in order: of each the fields that are given"),
  stopReason: z.string().optional(),
  audit: z
    .strictObject({
      turn: auditFields.optional(),
      decisions: z.array(auditFields).optional(),
      runs: z.array(auditFields).optional().describe("of managed calls, in the order of their decisions"),
      approvals: z
        .array(auditFields)
        .optional()
        .describe("what had become, by the end of the case, of what this turn asked a person, in order"),
    })
    .optional(),
});

const turn = z.strictObject({
  user: z
    .string()
    .optional()
    .describe("the new user message; `{code}` stands for the code of the call that waits, `{code 2}` for the second's"),
  results: z
    .array(z.strictObject({ tool: toolName, content: z.unknown() }))
    .optional()
    .describe("results of the calls that the turn before released, in order"),
  tools: z.array(toolName).optional().describe("what the client brings; all of the file's tools by default"),
  request: object.default({}).describe("other fields of the request's body"),
  headers: z.record(z.string(), z.string()).default({}),
  consent: z.array(toolName).default([]).describe("first-time gates opened before this turn"),
  advance: duration().optional().describe("time that passes before this turn"),
  verdict: z
    .union([z.string(), object])
    .optional()
    .describe("what the model answers where the layer `model` asks it; an error by default"),
  inbox: z.array(answer).default([]).describe("what is answered by `POST /v1/approvals/:id` before this turn"),
  native: z
    .array(answer)
    .default([])
    .describe(
      "what the request itself answers in `toolgate.approvals`; without `user` and `results` it is the one before, sent again",
    ),
  held: z.array(answer).default([]).describe("what is answered by `POST /v1/approvals/:id` while the reply is held"),
  model: z.array(scriptedStep).default([]).describe("what the model does, one entry a step"),
  expect: expectation.prefault({}),
});

/** A message and the intents that are detected in it, without a turn. */
const wording = z.strictObject({
  text: z.string().min(1),
  description: z.string().optional(),
  intents: z.array(z.string()).optional().describe("names, best first; the fallback alone where nothing else is found"),
  layer: layer.optional().describe("the one that decided for the first"),
  discounted: z.array(z.string()).optional().describe("names that only discounted evidence speaks for"),
  selects: z.array(z.string()).optional().describe("what a session that holds nothing would hold after it"),
  followUp: z.boolean().optional(),
  entities: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe("every entity, by name"),
});

const policyCase = z.strictObject({
  name: z.string().min(1).max(200),
  description: z.string().optional(),
  principal: z
    .strictObject({
      role: z.string().min(1).default("user"),
      connections: z.array(z.string()).default([]),
      anonymous: z.boolean().default(false),
    })
    .prefault({}),
  session: z.strictObject({ mode: z.string().optional() }).prefault({}),
  hosts: scriptedHosts,
  mcp: scriptedResults,
  turns: z.array(turn).min(1),
});

/** A file may hold only `wordings`; `read-case-file.ts` refuses one with neither. */
export const caseFile = z.strictObject({
  $schema: z.string().optional(),
  tools: z
    .record(
      toolName,
      z.strictObject({
        description: z.string().optional(),
        parameters: object.optional(),
        strict: z.boolean().optional(),
      }),
    )
    .default({})
    .describe("the tools that the client brings"),
  hosts: scriptedHosts,
  mcp: scriptedServers,
  cases: z.array(policyCase).default([]),
  wordings: z.array(wording).default([]).describe("messages, and what is detected in each"),
});

export type CaseFile = z.output<typeof caseFile>;
export type PolicyCase = z.output<typeof policyCase>;
export type CaseTurn = z.output<typeof turn>;
export type CaseAnswer = z.output<typeof answer>;
export type CaseWording = z.output<typeof wording>;
export type Expectation = z.output<typeof expectation>;
export type ScriptedStep = z.output<typeof scriptedStep>;

export type ScriptedAnswer = z.output<typeof scriptedAnswer>;
export type ScriptedHosts = z.output<typeof scriptedHosts>;
export type ScriptedServers = z.output<typeof scriptedServers>;
