/** The settings of tools that Toolgate runs itself. Source: reference/intent-detection-and-safe-tools.md, its executor. */
import * as z from "zod";
import { once } from "../../lib/once.ts";
import { duration } from "./duration-text.ts";

const identifier = once(() => z.string().min(1).max(128));

/** Templates may hold `{{arguments.path}}`, `{{system.name}}` and, in headers only, `{{secret.NAME}}` and `{{connection.token}}`. */
const headers = once(() => z.record(z.string().min(1).max(128), z.string().max(4_096)).default({}));

/** Values that only the gateway knows. They replace the model's, and the model does not see them. */
export const systemValues = ["user.id", "user.tenant", "user.role", "session.id", "connection.token"] as const;

const system = once(() =>
  z
    .record(identifier(), z.enum(systemValues))
    .default({})
    .describe("arguments that the gateway sets in place of the model's; the model does not see them"),
);

/** The limits of every request to another server. */
const reach = once(() => ({
  headers: headers().describe(
    "`{{secret.NAME}}` stands for a secret that the gateway's settings bind to this tenant and host",
  ),
  allowHosts: z
    .array(z.string().min(1).max(253))
    .min(1)
    .optional()
    .describe("the hosts (`crm.example.com`, `localhost:8787`) that it may reach; absent: the URL's host"),
  allowPrivate: z.boolean().default(false).describe("also loopback and private addresses; only in development"),
  timeout: duration().prefault("10s"),
  maxResponseBytes: z.int().min(1).max(8_388_608).default(262_144),
}));

export const httpRun = once(() =>
  z.strictObject({
    kind: z.literal("http"),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).default("POST"),
    url: z
      .string()
      .min(1)
      .max(2_048)
      .describe("the path and the query may hold `{{arguments.name}}`, the host may not"),
    query: z
      .record(z.string(), z.string().max(1_024))
      .optional()
      .describe("added to the URL; absent with GET and DELETE: all arguments that the URL does not hold"),
    body: z
      .unknown()
      .optional()
      .describe(
        "JSON whose texts may hold templates; absent with POST, PUT and PATCH: all arguments that the URL does not hold",
      ),
    form: z.boolean().default(false).describe("sends the body as a form, not as JSON"),
    retries: z.int().min(0).max(5).default(2).describe("for GET, PUT and DELETE only, which may be sent twice"),
    result: z
      .string()
      .max(512)
      .optional()
      .describe("JSON path (RFC 9535) to the part of the answer that the model gets; absent: all of it"),
    system: system(),
    ...reach(),
  }),
);

const mcpRun = once(() =>
  z.strictObject({
    kind: z.literal("mcp"),
    server: identifier().describe("a name in `mcpServers`"),
    tool: identifier().optional().describe("the server's name of it; absent: the tool's own"),
    system: system(),
  }),
);

export const builtinNames = [
  "search_bibliography",
  "search_notes",
  "create_note",
  "edit_note",
  "delete_note",
  "restore_note",
  "gnorm_annotate",
] as const;

const builtinRun = once(() =>
  z.strictObject({
    kind: z.literal("builtin"),
    tool: z.enum(builtinNames).optional().describe("absent: the tool's own name"),
    url: z.string().min(1).max(2_048).optional().describe("of the annotation service; for `gnorm_annotate` alone"),
    ...reach(),
  }),
);

export const run = once(() =>
  z.discriminatedUnion("kind", [httpRun(), mcpRun(), builtinRun()], "must have a `kind` of http, mcp or builtin"),
);

export type HttpRun = z.output<ReturnType<typeof httpRun>>;
export type BuiltinRun = z.output<ReturnType<typeof builtinRun>>;
export type RunSettings = z.output<ReturnType<typeof run>>;

/** A server with MCP over Streamable HTTP. Its tools are `mcp__<server>__<tool>`, unless a tool's `run` gives them another name. */
export const mcpServer = once(() =>
  z.strictObject({
    url: z.string().min(1).max(2_048),
    tools: z
      .array(z.string().min(1))
      .default(["*"])
      .describe("the tools that are offered, by the server's names or with `*`"),
    connection: identifier().optional().describe("the provider that a user must have linked"),
    trustAnnotations: z
      .boolean()
      .default(false)
      .describe("whether its hints (`readOnlyHint` and others) may loosen rules; they may always tighten them"),
    newTools: z
      .enum(["accept", "wait"])
      .default("accept")
      .describe("whether a new tool of the server is accepted as it is, or waits for an operator"),
    refresh: duration().prefault("5m").describe("the maximum age of its list of tools"),
    relay: z
      .array(z.enum(["resources", "prompts", "elicitation", "sampling"]))
      .default([])
      .describe(
        "what of it besides tools clients of `/mcp` get: what they may read, and what it may ask of the person (`elicitation`) and " +
          "of the client's model (`sampling`) while a tool runs",
      ),
    ...reach(),
  }),
);

export type McpServer = z.output<ReturnType<typeof mcpServer>>;
