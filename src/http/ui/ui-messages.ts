/**
 * UI messages as messages of a chat request. Pure.
 *
 * An assistant's UI message holds all steps since the user's; each becomes one assistant message, with the results of its calls after
 * it. For calls that the gateway ran itself, or holds for a person, it does not rely on the client: such parts are left out, so that
 * a client cannot make them up.
 */

import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { ok, type Result } from "../../lib/result.ts";
import { wireCall } from "../../wire/call-parts.ts";
import { invalidRequest, type RequestFault } from "../../wire/request-fault.ts";
import type { PartAnswer } from "./approval-parts.ts";

interface UiMessages {
  readonly messages: readonly JsonObject[];
  readonly answers: readonly PartAnswer[];
  /** Approvals in the last message whose parts show their outcome. */
  readonly settled: ReadonlySet<unknown>;
  /** Calls of the assistant message that the reply continues, by their ids. */
  readonly open: ReadonlyMap<string, OpenPart>;
}

/** A call's part in the message that the reply continues. */
export interface OpenPart {
  /** For a tool that the page does not know: the SDK finds such parts by another name. */
  readonly dynamic: boolean;
  readonly state: string;
  /** The approval that the part asks for. */
  readonly approval: string | undefined;
  readonly approved: boolean | undefined;
}

interface ToolPart extends OpenPart {
  readonly id: string;
  readonly name: string;
  readonly ranHere: boolean;
  readonly part: JsonObject;
  readonly at: string;
}

export function readUiMessages(messages: unknown): Result<UiMessages, RequestFault> {
  if (!Array.isArray(messages) || messages.length === 0)
    return invalidRequest("`messages` must be a non-empty list of UI messages", "messages");
  const read: JsonObject[] = [];
  let last: readonly ToolPart[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    const one = readMessage(message, at);
    if (!one.ok) return one;
    read.push(...one.value.messages);
    last = one.value.tools;
  }
  return ok({
    messages: read,
    answers: last.flatMap(answerIn),
    settled: new Set(
      last.flatMap(({ state, approval }) => (!approval || state.startsWith("approval-") ? [] : [approval])),
    ),
    open: new Map(last.map((part) => [part.id, part])),
  });
}

interface ReadMessage {
  readonly messages: readonly JsonObject[];
  readonly tools: readonly ToolPart[];
}

function readMessage(message: unknown, at: string): Result<ReadMessage, RequestFault> {
  if (!isObject(message) || !Array.isArray(message.parts))
    return invalidRequest(`\`${at}\` must be a UI message with \`parts\`, as AI SDK 5 and later send it`, at);
  const { role } = message;
  for (const [index, part] of message.parts.entries())
    if (!isObject(part) || typeof part.type !== "string") {
      const place = `${at}.parts[${index}]`;
      return invalidRequest(`\`${place}\` must be an object with a \`type\``, place);
    }
  const parts = message.parts as readonly (JsonObject & { readonly type: string })[];
  if (role === "system") return ok({ messages: [{ role, content: textOf(parts, "text") }], tools: [] });
  if (role === "user") return readUser(parts, at);
  if (role === "assistant") return readAssistant(parts, at);
  return invalidRequest(`\`${at}.role\` must be \`system\`, \`user\` or \`assistant\``, `${at}.role`);
}

type UiPart = JsonObject & { readonly type: string };

const textOf = (parts: readonly UiPart[], kind: "text" | "reasoning"): string =>
  parts.map(({ type, text }) => (type === kind && typeof text === "string" ? text : "")).join("");

/** Data parts are the page's own. */
function readUser(parts: readonly UiPart[], at: string): Result<ReadMessage, RequestFault> {
  const content: JsonObject[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.type === "text" && typeof part.text === "string") content.push({ type: "text", text: part.text });
    if (part.type !== "file") continue;
    const file = fileContent(part, `${at}.parts[${index}]`);
    if (!file.ok) return file;
    content.push(file.value);
  }
  const [only] = content;
  const isText = content.length === 1 && only?.type === "text";
  return ok({ messages: [{ role: "user", content: isText ? only.text : content }], tools: [] });
}

interface Step {
  readonly words: UiPart[];
  readonly calls: ToolPart[];
}

function readAssistant(parts: readonly UiPart[], at: string): Result<ReadMessage, RequestFault> {
  const tools: ToolPart[] = [];
  const messages: JsonObject[] = [];
  let step: Step = { words: [], calls: [] };
  for (const [index, part] of parts.entries()) {
    if (part.type === "step-start") {
      messages.push(...stepMessages(step, tools));
      step = { words: [], calls: [] };
    } else if (!isToolPart(part.type)) step.words.push(part);
    else {
      const read = readToolPart(part, `${at}.parts[${index}]`);
      if (!read.ok) return read;
      tools.push(read.value);
      step.calls.push(read.value);
    }
  }
  messages.push(...stepMessages(step, tools));
  return ok({ messages, tools });
}

/** The model's text, its calls that have results, and these. */
function stepMessages({ words, calls: made }: Step, tools: readonly ToolPart[]): JsonObject[] {
  const calls = made.filter((call) => isToldAgain(call, tools));
  const content = textOf(words, "text");
  if (calls.length === 0) return content === "" ? [] : [{ role: "assistant", content }];
  const reasoning = textOf(words, "reasoning");
  const message: JsonObject = {
    role: "assistant",
    content: content === "" ? null : content,
    // Some models need it back with their calls.
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    tool_calls: calls.map(callOf),
  };
  return [message, ...calls.map(({ id, part }) => ({ role: "tool", tool_call_id: id, content: resultOf(part) }))];
}

/**
 * Not a call that the gateway runs, holds or refused, nor one without a result, which providers refuse. A call that waited may be
 * present twice, if the gateway had something to say before it was released.
 */
function isToldAgain(call: ToolPart, tools: readonly ToolPart[]): boolean {
  const { id, state, part, ranHere, approval } = call;
  const hasResult = (state === "output-available" && part.preliminary !== true) || state === "output-error";
  if (ranHere || !hasResult) return false;
  return approval === undefined || tools.findLast((one) => one.id === id) === call;
}

function callOf({ id, name, part }: ToolPart): JsonObject {
  const { input = part.rawInput, callProviderMetadata: vendor } = part;
  const extra = isObject(vendor) && isObject(vendor.toolgate) ? vendor.toolgate : undefined;
  return wireCall({ id, tool: name, arguments: isObject(input) ? JSON.stringify(input) : "{}", extra });
}

/** An error is sent as an object, by which it is recognised. */
function resultOf({ state, output, errorText }: JsonObject): string {
  if (state === "output-error") return JSON.stringify({ error: errorText ?? "the tool failed" });
  return typeof output === "string" ? output : (JSON.stringify(output) ?? "null");
}

const isToolPart = (type: string): boolean => type === "dynamic-tool" || type.startsWith("tool-");

function readToolPart(part: UiPart, at: string): Result<ToolPart, RequestFault> {
  const { type, toolName, toolCallId: id, state, approval, providerExecuted } = part;
  const dynamic = type === "dynamic-tool";
  const name = dynamic ? toolName : type.slice("tool-".length);
  if (typeof name !== "string" || name === "") return invalidRequest(`\`${at}\` must name its tool`, at);
  if (typeof id !== "string" || id === "")
    return invalidRequest(`\`${at}.toolCallId\` must be a string`, `${at}.toolCallId`);
  if (typeof state !== "string") return invalidRequest(`\`${at}.state\` must be a string`, `${at}.state`);
  const request = isObject(approval) && typeof approval.id === "string" ? approval : undefined;
  const approved = typeof request?.approved === "boolean" ? request.approved : undefined;
  const ranHere = providerExecuted === true;
  return ok({ id, name, dynamic, state, approval: request?.id as string | undefined, approved, ranHere, part, at });
}

function answerIn({ state, approval: id, approved, part, at }: ToolPart): PartAnswer[] {
  if (state !== "approval-responded" || id === undefined || approved === undefined) return [];
  const { reason } = part.approval as JsonObject;
  return [{ id, approved, reason: typeof reason === "string" ? reason : undefined, at }];
}

const AUDIO = /^data:audio\/(wav|x-wav|wave|mp3|mpeg)(?:;[^,]*)?;base64,(.*)$/s;

/** Never as text: the contents of a file would pass for the user's own words. */
function fileContent(part: JsonObject, at: string): Result<JsonObject, RequestFault> {
  const { mediaType, url, filename } = part;
  if (typeof mediaType !== "string") return invalidRequest(`\`${at}.mediaType\` must be a string`, `${at}.mediaType`);
  if (typeof url !== "string" || !/^(data:|https?:\/\/)/i.test(url))
    return invalidRequest(`\`${at}.url\` must begin with \`data:\`, \`https://\` or \`http://\``, `${at}.url`);
  if (/^image(\/|$)/i.test(mediaType)) return ok({ type: "image_url", image_url: { url } });
  const [, kind, data] = AUDIO.exec(url) ?? [];
  if (kind !== undefined) {
    const format = kind.includes("wav") ? "wav" : "mp3";
    return ok({ type: "input_audio", input_audio: { data, format } });
  }
  if (!/^data:/i.test(url))
    return invalidRequest(`\`${at}.url\` must be a \`data:\` URL: only images may be links`, `${at}.url`);
  const file = { ...(typeof filename === "string" ? { filename } : {}), file_data: url };
  return ok({ type: "file", file });
}
