/** The settings of tools that Toolgate runs itself. Source: reference/intent-detection-and-safe-tools.md, its executor. */
import * as z from "zod";
import { once } from "../../lib/once.ts";
import { duration } from "./duration-text.ts";

const identifier = once(() => z.string().min(1).max(128));

/** Templates may hold `{{arguments.path}}`, `{{system.name}}` and, in headers only, `{{secret.NAME}}` and `{{connection.token}}`. */
const headers = once(() => z.record(z.string().min(1).max(128), z.string().max(4_096)).default({}));

/** Values that only the gateway knows. They replace the model's, and the model does not see them. */
export const systemValues = ["user.id", "user.tenant", "user.role", "session.id", "connection.token"] as const;

const system = once(() => z.record(identifier(), z.enum(systemValues)).default({}));

/** Limits that apply to every request to another server. */
const reach = once(() => ({
  headers: headers(),
  allowHosts: z.array(z.string().min(1).max(253)).min(1).optional(),
  allowPrivate: z.boolean().default(false),
  timeout: duration().prefault("10s"),
  maxResponseBytes: z.int().min(1).max(8_388_608).default(262_144),
}));

export const httpRun = once(() =>
  z.strictObject({
    kind: z.literal("http"),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).default("POST"),
    url: z.string().min(1).max(2_048),
    query: z.record(z.string(), z.string().max(1_024)).optional(),
    body: z.unknown().optional(),
    form: z.boolean().default(false),
    retries: z.int().min(0).max(5).default(2),
    result: z.string().max(512).optional(),
    system: system(),
    ...reach(),
  }),
);

const mcpRun = once(() =>
  z.strictObject({
    kind: z.literal("mcp"),
    server: identifier(),
    tool: identifier().optional(),
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
    tool: z.enum(builtinNames).optional(),
    url: z.string().min(1).max(2_048).optional(),
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
    tools: z.array(z.string().min(1)).default(["*"]),
    connection: identifier().optional(),
    trustAnnotations: z.boolean().default(false),
    newTools: z.enum(["accept", "wait"]).default("accept"),
    refresh: duration().prefault("5m"),
    relay: z.array(z.enum(["resources", "prompts", "elicitation", "sampling"])).default([]),
    ...reach(),
  }),
);

export type McpServer = z.output<ReturnType<typeof mcpServer>>;
