/** The API as an OpenAPI 3.1 document: the declared operations, with schemas from the code if it has them. */
import * as z from "zod";
import { createKeyBody, rotateKeyBody } from "../../../http/admin/create-key-request.ts";
import type { SchemaNode } from "../described-schema.ts";
import { type JsonSchema, type Operation, object, TEXT } from "./operation.ts";
import { operatorOperations } from "./operator-operations.ts";
import { personOperations } from "./person-operations.ts";

export const operations: readonly Operation[] = [...personOperations, ...operatorOperations];

const ERROR = object(
  {
    error: object(
      { message: TEXT, type: TEXT, code: TEXT, param: { type: ["string", "null"] }, docs: TEXT },
      ...["message", "type", "code", "param"],
    ),
  },
  "error",
);

const NAMES: JsonSchema = { type: "array", items: TEXT };
const REASONS: JsonSchema = { type: "array", items: object({ code: TEXT, message: TEXT }, "code", "message") };
const TOOLGATE = object({
  turn_id: TEXT,
  session_id: TEXT,
  timeline: TEXT,
  state: { type: "string", enum: ["request", "reasoning", "action"] },
  intent: { type: ["string", "null"] },
  stop_reason: TEXT,
  offered: NAMES,
  withheld: { type: "array", items: object({ name: TEXT, reasons: NAMES }, "name", "reasons") },
  tokens_saved: { type: "number" },
  decisions: {
    type: "array",
    items: object({ call_id: TEXT, tool: TEXT, effect: { enum: ["allow", "confirm", "deny"] }, reasons: REASONS }),
  },
  approvals: { type: "array", items: { $ref: "#/components/schemas/Approval" } },
  links: object({ changed: { type: "integer" }, hosts: NAMES }, "changed", "hosts"),
});
const OBJECT: JsonSchema = { type: "object" };
const APPROVAL = object({
  object: { const: "approval" },
  id: TEXT,
  code: TEXT,
  status: TEXT,
  tool: TEXT,
  session_id: TEXT,
  turn_id: TEXT,
  channel: { enum: ["inline", "hold", "native"] },
  asks: NAMES,
  user_words: {
    type: ["string", "null"],
    description:
      "what the user wrote when the task began, cut at 600 characters; at `/v1/approvals` alone, for who may approve",
  },
  arguments: OBJECT,
  question: TEXT,
  disclosure: TEXT,
  reversible: { type: "boolean" },
  first_use: { type: ["object", "null"] },
  editable: { type: "boolean" },
  grantable: { type: "boolean" },
  endorsable: { type: ["object", "null"], description: "the tool and `call_id` of the result that `endorse` is about" },
  created_at: TEXT,
  expires_at: TEXT,
  answered_at: { type: ["string", "null"] },
});
const ANSWER = object(
  {
    action: { enum: ["approve", "deny", "edit"] },
    arguments: { type: "object", description: "with `edit`: members to replace" },
    unset: { ...NAMES, description: "with `edit`: members to leave out" },
    reason: { type: "string", description: "with `deny`: what the model hears" },
    grant: object({
      until: { type: "string", description: "`session`, `withdrawn`, or a duration" },
      arguments: OBJECT,
    }),
    enable: { type: "boolean", description: "enables the tool beyond this call, where its first use is asked about" },
    endorse: {
      type: "boolean",
      description: "with `approve`: the rest of the task may use the values of the result in `endorsable`",
    },
  },
  "action",
);
const MESSAGES: JsonSchema = { type: "array", minItems: 1, items: object({ role: TEXT }, "role") };

export function openApiDocument(policy: SchemaNode): JsonSchema {
  return {
    openapi: "3.1.0",
    info: {
      title: "Toolgate",
      version: "1",
      description:
        "OpenAI-compatible gateway that governs tool calls. Lists have `limit`, `after` and `order`; times are ISO 8601.",
    },
    security: [{ key: [] }],
    tags: [...new Set(operations.map(({ topic }) => topic))].map((name) => ({ name })),
    paths: paths(),
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "an API key, a service key or a JWT" } },
      schemas: {
        Error: ERROR,
        Approval: APPROVAL,
        ApprovalAnswer: ANSWER,
        ChatCompletionRequest: {
          ...object(
            { model: TEXT, messages: MESSAGES, stream: { type: "boolean" }, tools: { type: "array", items: OBJECT } },
            ...["model", "messages"],
          ),
          description: "OpenAI's, with members of the provider's own; `toolgate.approvals` answers questions natively",
        },
        ChatCompletion: {
          ...object({ choices: { type: "array", items: OBJECT }, toolgate: TOOLGATE }),
          description: "OpenAI's",
        },
        UiChatRequest: {
          ...object(
            {
              id: { type: "string", description: "the chat; it names the session" },
              messages: {
                type: "array",
                minItems: 1,
                items: object({ role: TEXT, parts: { type: "array" } }, "role", "parts"),
              },
              model: { type: "string", description: "absent: that of the gateway's first upstream" },
              system: TEXT,
              tools: { description: "OpenAI's list, or definitions by name", type: ["array", "object"] },
            },
            "messages",
          ),
          description: "As `useChat` sends it; `toolgate.approvals` holds answers that say more than yes or no",
        },
        ResponseRequest: {
          ...object(
            {
              model: TEXT,
              input: { type: ["string", "array"] },
              stream: { type: "boolean" },
              tools: { type: "array", items: OBJECT },
            },
            ...["model", "input"],
          ),
          description: "OpenAI's, with members of the provider's own; `toolgate.approvals` answers questions natively",
        },
        Response: {
          ...object({ id: TEXT, status: TEXT, output: { type: "array", items: OBJECT }, toolgate: TOOLGATE }),
          description: "OpenAI's",
        },
        CreateKey: schemaOf(createKeyBody.schema()),
        RotateKey: schemaOf(rotateKeyBody.schema()),
        Policy: withoutMarks({ ...policy }),
      },
    },
  };
}

/** The schema of the body as it is sent, not of the values (dates, sets) that it is read into. */
const schemaOf = (schema: z.ZodType): JsonSchema =>
  withoutMarks({ ...z.toJSONSchema(schema, { io: "input", target: "draft-2020-12", unrepresentable: "any" }) });

const withoutMarks = ({ $schema: _, ...schema }: JsonSchema): JsonSchema => schema;

/** Statuses of the operations that do not answer with 200. */
const STATUS: Readonly<Record<string, string>> = { "post /admin/keys": "201", "delete /v1/users/{id}": "202" };

function paths(): JsonSchema {
  const found: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    const path = found[operation.path] ?? {};
    found[operation.path] = { ...path, [operation.method]: presented(operation) };
  }
  return found;
}

function presented({ path, method, topic, summary, access, parameters, body, reply }: Operation): JsonSchema {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: TEXT,
  }));
  const content = { [reply.type ?? "application/json"]: { schema: reply.schema ?? (reply.type ? TEXT : OBJECT) } };
  return {
    operationId: `${method}${path.replace(/[^a-zA-Z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W/g, "")}`,
    summary: access === "admin" || access === "operator" ? `${summary} (${access}s)` : summary,
    tags: [topic],
    ...(access === "open" ? { security: [] } : {}),
    parameters: [...inPath, ...parameters],
    ...(body ? { requestBody: { required: true, content: { "application/json": { schema: body } } } } : {}),
    responses: {
      [STATUS[`${method} ${path}`] ?? "200"]: { description: reply.description, content },
      default: {
        description: "an error",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}
