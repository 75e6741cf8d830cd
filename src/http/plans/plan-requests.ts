/** The bodies of requests about plans. A misread body would run what was not requested, so nothing is ignored. Pure. */
import * as z from "zod";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { once } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import { readCommand } from "../../turn/open/user-message.ts";
import { readChatRequest } from "../../wire/chat-request.ts";
import { textOf } from "../../wire/conversation.ts";
import { badRequest, type Problem } from "../problem.ts";
import { parseJson } from "../read-json.ts";

export interface CreatePlanRequest {
  /** The user's request, in the user's words. */
  readonly input: string;
  readonly tools: readonly ToolDefinition[];
  /** The tools in the client's own form, as they are stored with the plan. */
  readonly wire: readonly JsonObject[];
  /** Empty if the client names none. */
  readonly model: string;
  readonly mode: string | undefined;
  readonly stream: boolean;
}

/** UTF-16 units. */
const MAX_INPUT = 32 * 1024;

const createBody = {
  schema: once(() =>
    z.strictObject({
      input: z
        .string()
        .max(MAX_INPUT)
        .refine((text) => text.trim() !== "" && text.isWellFormed(), "must be what the user wants, in words")
        .refine((text) => readCommand(text) === undefined, "is a command to the gateway: send it as a chat's message"),
      mode: z.string().nullish(),
      // These three are read as a chat's are.
      tools: z.unknown().optional(),
      model: z.unknown().optional(),
      stream: z.unknown().optional(),
    }),
  ),
  example: '`{ "input": "…", "tools"?, "model"?, "mode"?, "stream"? }`',
  numbers: "nearest",
} as const;

export function readCreatePlan(bytes: ArrayBuffer): Result<CreatePlanRequest, Problem> {
  const body = parseJson(bytes, createBody);
  if (!body.ok) return body;
  const { input, tools, model, mode, stream } = body.value;
  const chat = { model: model ?? "any", messages: [{ role: "user", content: input }], tools, stream };
  const read = readChatRequest(chat, false);
  if (!read.ok) return err(badRequest(read.error.param ?? undefined, read.error.message, read.error.code));
  return ok({
    input,
    tools: read.value.tools,
    wire: (tools ?? []) as readonly JsonObject[],
    model: model == null ? "" : read.value.model,
    mode: mode ?? undefined,
    stream: read.value.stream,
  });
}

/** @param wire tools that were read before they were stored with a plan. */
export function readStoredTools(wire: readonly JsonObject[]): readonly ToolDefinition[] {
  const read = readChatRequest({ model: "any", messages: [{ role: "user", content: "" }], tools: wire }, false);
  if (!read.ok) throw new Error(`the tools of a stored plan cannot be read: ${read.error.message}`);
  return read.value.tools;
}

const placeholders = () =>
  z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((values): JsonObject => values ?? {});

const MAX_RESULTS = 64;

/** OpenAI's tool message; `is_error` says that the call failed. */
const toolMessage = () =>
  z
    .strictObject({
      role: z.literal("tool").optional(),
      tool_call_id: z.string(),
      content: z.unknown().refine((content) => content !== undefined, "is missing"),
      is_error: z.boolean().default(false),
    })
    .transform(({ tool_call_id, content, is_error }) => ({
      callId: tool_call_id,
      text: contentText(content),
      isError: is_error,
    }));

const runPlanBody = {
  schema: once(() =>
    z
      .strictObject({
        placeholders: placeholders(),
        results: z
          .array(toolMessage())
          .max(MAX_RESULTS)
          .superRefine((results, context) => {
            for (const [index, { callId }] of results.entries())
              if (results.findIndex((other) => other.callId === callId) < index)
                context.addIssue({ code: "custom", path: [index], message: "is a second result of the same call" });
          })
          .nullish(),
        repeat_unknown: z.boolean().nullish(),
        stream: z.boolean().nullish(),
      })
      .transform(({ placeholders: values, results, repeat_unknown, stream }) => ({
        values,
        results: results ?? [],
        repeatUnknown: repeat_unknown === true,
        stream: stream !== false,
      })),
  ),
  example: '`{ "placeholders"?, "results"?, "repeat_unknown"?, "stream"? }`',
  optional: true,
} as const;

export type RunPlanRequest = z.output<ReturnType<typeof runPlanBody.schema>>;

export const readRunPlan = (bytes: ArrayBuffer): Result<RunPlanRequest, Problem> => parseJson(bytes, runPlanBody);

export const approvePlanBody = {
  schema: once(() =>
    z
      .strictObject({
        digest: z.string().min(1, "must be the plan's own, as it was shown: it says what is approved"),
        placeholders: placeholders(),
      })
      .transform(({ digest, placeholders: values }) => ({ digest, values })),
  ),
  example: '`{ "digest": "…", "placeholders"? }`',
};

export type ApprovePlanRequest = z.output<ReturnType<typeof approvePlanBody.schema>>;

export const cancelPlanBody = {
  schema: once(() => z.strictObject({})),
  example: "`{}`, or no body",
  optional: true,
} as const;

/** A list of content parts becomes their text; any other JSON stays JSON. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  const isParts = Array.isArray(content) && content.length > 0 && content.every(isTextPart);
  return isParts ? textOf(content) : JSON.stringify(content);
}

const isTextPart = (part: unknown): boolean => isObject(part) && part.type === "text" && typeof part.text === "string";
