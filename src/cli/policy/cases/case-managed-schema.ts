/** The parts of a case file that are about managed tools: what other hosts answer, and what came of runs. Pure. */
import * as z from "zod";

const name = z.string().min(1).max(128);
const object = z.record(z.string(), z.unknown());

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

export const scriptedHosts = z
  .record(z.string().min(1).max(260), z.array(scriptedAnswer).min(1))
  .default({})
  .describe(
    "what other hosts answer to managed tools, by host. Of a case each answers once, the first that fits, and all must be asked for; those of the file answer any number of times. What nothing answers fails the case",
  );

const results = z
  .record(name, z.unknown())
  .default({})
  .describe("by the server's name of the tool: a text, JSON, or a whole result with `content`");

export const scriptedServers = z
  .record(
    name,
    z.strictObject({
      tools: z
        .array(z.looseObject({ name, description: z.string().optional(), inputSchema: object.optional() }))
        .default([])
        .describe("as the server lists them"),
      results,
    }),
  )
  .default({})
  .describe("what MCP servers of the policy offer and answer, by their names in `mcpServers`");

export const scriptedResults = z
  .record(name, z.strictObject({ results }))
  .default({})
  .describe("what MCP servers answer in this case, in place of the file's results");

export const expectedRun = z.strictObject({
  tool: name,
  status: z.enum(["succeeded", "failed", "unknown", "not_started"]),
  failure: z.string().nullable().optional(),
  text: z.string().min(1).optional().describe("a part of what the model was told of it"),
});

export type ScriptedAnswer = z.output<typeof scriptedAnswer>;
export type ScriptedHosts = z.output<typeof scriptedHosts>;
export type ScriptedServers = z.output<typeof scriptedServers>;
export type ScriptedResults = z.output<typeof scriptedResults>;
