/** The body of `POST /v1/plans`. Pure. Nothing is passed over: a plan misread would do what nobody asked for. */

import type { JsonObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import { readCommand } from "../../turn/open/user-message.ts";
import { parseBody, readChatRequest } from "../../wire/chat-request.ts";
import { badRequest, type Problem } from "../problem.ts";

export interface PlanAsked {
  /** What the user wants, in the user's words. */
  readonly input: string;
  readonly tools: readonly ToolDefinition[];
  /** In the client's own form, as they are kept with the plan. */
  readonly wire: readonly JsonObject[];
  /** Empty where the client names none. */
  readonly model: string;
  readonly mode: string | undefined;
  readonly stream: boolean;
}

/** UTF-16 units. */
const MAX_INPUT = 32 * 1024;
const MEMBERS: ReadonlySet<string> = new Set(["input", "tools", "model", "mode", "stream"]);
const EXAMPLE = '`{ "input": "…", "tools"?, "model"?, "mode"?, "stream"? }`';

export function readPlanAsked(text: string): Result<PlanAsked, Problem> {
  // A schema's numbers are to be plain ones.
  const parsed = parseBody(text, false);
  if (!parsed.ok) return err(badRequest(undefined, `${parsed.error.message}; send ${EXAMPLE}`, parsed.error.code));
  const body = parsed.value;
  const unknown = Object.keys(body).find((name) => !MEMBERS.has(name));
  if (unknown !== undefined) {
    const message = `unknown member \`${unknown.slice(0, 64)}\`; send ${EXAMPLE}`;
    return err(badRequest(unknown.slice(0, 64), message, "unknown_parameter"));
  }
  const { input, mode, model, stream } = body;
  if (typeof input !== "string" || input.trim() === "" || input.length > MAX_INPUT || !input.isWellFormed()) {
    return err(badRequest("input", `\`input\` must be what the user wants: text of 1 to ${MAX_INPUT} characters`));
  }
  if (readCommand(input) !== undefined) {
    return err(badRequest("input", "`input` is a command to the gateway: send it as a chat's message"));
  }
  if (mode != null && typeof mode !== "string") return err(badRequest("mode", "`mode` must be the name of a mode"));
  // As a chat would bring them, and with its messages.
  const chat = { model: model ?? "any", messages: [{ role: "user", content: input }], tools: body.tools, stream };
  const read = readChatRequest(chat, false);
  if (!read.ok) return err(badRequest(read.error.param ?? undefined, read.error.message, read.error.code));
  return ok({
    input,
    tools: read.value.tools,
    wire: (body.tools ?? []) as readonly JsonObject[],
    model: model == null ? "" : read.value.model,
    mode: mode ?? undefined,
    stream: read.value.stream,
  });
}

/** As they were kept with a plan, which were read before. */
export function readTools(wire: readonly JsonObject[]): readonly ToolDefinition[] {
  const read = readChatRequest({ model: "any", messages: [{ role: "user", content: "" }], tools: wire }, false);
  if (!read.ok) throw new Error(`the tools of a kept plan cannot be read: ${read.error.message}`);
  return read.value.tools;
}
