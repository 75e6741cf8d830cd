/**
 * Reads the parts of an AI SDK stream: text goes to the reply as events of a chat completion; calls are kept until the end has shown
 * whether they count. A stream that errs, breaks off or does not account for every byte of its calls has a `fault`.
 */
import type { LanguageModelV4File, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import type { StepRequest } from "../../ports/model-port.ts";
import { callFault, MAX_ARGUMENT_UNITS, MAX_CALLS, TOO_LONG, TOO_MANY_CALLS } from "../../wire/call-parts.ts";
import { ownChunk } from "../../wire/envelope.ts";
import { notComplete } from "../../wire/finish-reasons.ts";
import type { ReplySink } from "../../wire/reply-sink.ts";
import { dataEvent } from "../../wire/write-event.ts";
import { MAX_KEPT_TEXT } from "../relay/relay-stream.ts";
import type { UpstreamDeadline } from "../upstream/time-limit.ts";
import { encryptedIn, signatureIn } from "./carried-thoughts.ts";
import type { ExactArguments } from "./exact-arguments.ts";
import type { SdkReport } from "./sdk-report.ts";
import { errorFault } from "./stream-fault.ts";
import type { SummaryParts } from "./summary-parts.ts";

type StreamPart = LanguageModelV4StreamPart;

interface ReadOptions {
  readonly request: StepRequest;
  readonly words: ReplySink;
  readonly watch: UpstreamDeadline;
  readonly now: () => number;
  /** Sends the client the answer's head: before its first text, or when that is slow to come. */
  readonly tellHead: () => void;
  /** Absent: all thoughts are text of one kind. */
  readonly summaries?: SummaryParts | undefined;
  /** Absent: the parts have the arguments as they were written. */
  readonly written?: ExactArguments | undefined;
}

/** UTF-16 units of an answer that is sent whole. */
const MAX_WHOLE_TEXT = 8 * 1024 * 1024;

interface ReadState extends ReadOptions {
  readonly report: SdkReport;
  /** By the ids of calls that have begun: how many units of arguments came. */
  readonly units: Map<string, number>;
  /** Of all calls, also of those that never end. */
  argumentUnits: number;
  readonly thinking: Map<string, { text: string }>;
  /** The answer's id. */
  id?: string;
}

/** Never throws. */
export async function readParts(stream: ReadableStream<StreamPart>, options: ReadOptions): Promise<SdkReport> {
  const report: SdkReport = {
    begun: false,
    calls: [],
    names: [],
    text: "",
    reasoning: "",
    thoughts: [],
    encrypted: [],
    images: [],
  };
  const state: ReadState = { ...options, report, units: new Map(), argumentUnits: 0, thinking: new Map() };
  const { watch, words } = options;
  const reader = stream.getReader();
  watch.onEnd((reason) => reader.cancel(reason).catch(() => {}));
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || watch.signal.aborted) break;
      readPart(value, state);
      if (report.fault) break;
      if (!report.begun || !words.full) continue;
      // The upstream is not at fault if a client reads slowly.
      watch.pause();
      await words.ready();
      watch.resume();
    }
  } catch (error) {
    const cause = error instanceof Error ? error.message : "unknown cause";
    report.fault ??= { detail: `the stream broke off: ${cause}`, isTransient: true };
  }
  if (watch.signal.aborted) report.fault = abortFault(watch);
  report.fault ??= faultAtEnd(state);
  for (const held of (options.request.stream && options.request.links?.end()) || []) {
    if (held.member === "content") report.text += held.text;
    else report.reasoning += held.text;
    writeWords(state, held.member, held.text);
  }
  if (report.fault) reader.cancel(report.fault.detail).catch(() => {});
  return report;
}

const abortFault = ({ expired }: UpstreamDeadline): SdkReport["fault"] =>
  expired ? { detail: expired.message, error: expired.error } : { detail: "the client went away" };

/** The fault of a stream that has ended without an error. */
function faultAtEnd({ report: { finish, calls }, units }: ReadState): SdkReport["fault"] {
  if (!finish || finish.unified === "interrupted")
    return { detail: "the stream broke off before its end", isTransient: true };
  const { unified, raw } = finish;
  // No call of a cut-off answer counts.
  if (unified === "length" || unified === "content-filter") return undefined;
  const isOrderly = unified === "stop" || unified === "tool-calls";
  if (!isOrderly && (calls.length > 0 || units.size > 0)) return { detail: notComplete(raw ?? unified) };
  if (!isOrderly) return { detail: `the provider ended its answer with \`${raw ?? unified}\`` };
  const whole = new Set(calls.map(({ id }) => id));
  if (whole.size < calls.length) return { detail: "two tool calls have the same id" };
  const cut = [...units.keys()].some((id) => !whole.has(id));
  return cut ? { detail: "the fragments of the tool calls do not add up to whole calls" } : undefined;
}

function readPart(part: StreamPart, state: ReadState): void {
  const { report } = state;
  if (report.finish) {
    // Anthropic's provider reports in this way what came after the end.
    if (part.type !== "raw" && part.type !== "ping") report.fault = { detail: "the stream went on after its end" };
    return;
  }
  switch (part.type) {
    case "error":
      report.fault = errorFault(part.error);
      return;
    case "response-metadata":
      state.id ??= part.id;
      // The model may think for minutes now, and the client must still get the head of the answer in time.
      state.watch.begun();
      if (state.request.stream) state.watch.ifSlow(state.tellHead);
      return;
    case "text-delta":
      noteSignature(state, part.providerMetadata);
      say(state, "content", part.delta);
      return;
    case "reasoning-start":
    case "reasoning-delta":
      readThought(part, state);
      return;
    case "reasoning-end":
      noteEncrypted(state, part.providerMetadata);
      return;
    case "tool-input-start":
    case "tool-input-delta":
    case "tool-call":
      readCall(part, state);
      return;
    case "file":
      showImage(shownImage(part), state);
      return;
    case "finish":
      report.finish = { unified: part.finishReason.unified, raw: part.finishReason.raw };
      report.usage = part.usage;
      return;
    case "tool-result":
    case "tool-approval-request":
      report.fault = { detail: "the provider ran a tool itself" };
      return;
    case "text-start":
      noteSignature(state, part.providerMetadata);
      return;
    default:
      return;
  }
}

function begin({ report, watch, tellHead, request: { envelope, stream }, id, now }: ReadState): void {
  if (report.begun) return;
  report.begun = true;
  watch.begun();
  // The reply uses the provider's id, if it is one that any client accepts.
  if (!envelope.head && id !== undefined && /^[\w-]{1,128}$/.test(id)) {
    const created = Math.floor(now() / 1000);
    envelope.head = { id, object: "chat.completion.chunk", created, model: envelope.model };
  }
  // An answer that is sent whole may still be replaced by another one.
  if (stream) tellHead();
}

function say(state: ReadState, member: "content" | "reasoning_content", text: string): void {
  if (text === "") return;
  begin(state);
  const { report, request } = state;
  const kept = request.stream && request.links ? request.links.push(0, member, text) : text;
  if (kept === "") return;
  const key = member === "content" ? "text" : "reasoning";
  if (!request.stream || report[key].length < MAX_KEPT_TEXT) report[key] += kept;
  if (report[key].length > MAX_WHOLE_TEXT) report.fault = { detail: "the answer is too long: ask for a stream" };
  writeWords(state, member, kept);
}

function writeWords(state: ReadState, member: string, kept: string): void {
  const { summaries } = state;
  writeDelta(state, summaries && member === "reasoning_content" ? summaries.delta(kept) : { [member]: kept });
}

function writeDelta({ request: { envelope, stream }, words, now }: ReadState, delta: JsonObject): void {
  if (stream) words.write(dataEvent(ownChunk(envelope, delta, null, now())));
}

function readThought(
  part: Extract<StreamPart, { type: "reasoning-start" | "reasoning-delta" }>,
  state: ReadState,
): void {
  begin(state);
  if (part.type === "reasoning-start") state.summaries?.next((gap) => say(state, "reasoning_content", gap));
  const anthropic: unknown = part.providerMetadata?.anthropic;
  const { redactedData, signature } = isObject(anthropic) ? anthropic : {};
  const delta = part.type === "reasoning-delta" ? part.delta : "";
  if (part.type === "reasoning-start" && typeof redactedData === "string")
    state.report.thoughts.push({ kind: "redacted", data: redactedData });
  else {
    const block = state.thinking.get(part.id) ?? { text: "" };
    state.thinking.set(part.id, block);
    if (block.text.length < MAX_KEPT_TEXT) block.text += delta;
    // It comes once, at the block's end.
    if (typeof signature === "string") state.report.thoughts.push({ kind: "thinking", text: block.text, signature });
  }
  say(state, "reasoning_content", delta);
}

/** Each part of one item has the same. */
function noteEncrypted({ report }: ReadState, metadata: unknown): void {
  const encrypted = encryptedIn(metadata);
  if (encrypted !== undefined && !report.encrypted.includes(encrypted)) report.encrypted.push(encrypted);
}

function noteSignature({ report }: ReadState, metadata: unknown): void {
  const signature = signatureIn(metadata);
  if (signature !== undefined) report.signature = signature;
}

function readCall(
  part: Extract<StreamPart, { type: "tool-input-start" | "tool-input-delta" | "tool-call" }>,
  state: ReadState,
): void {
  begin(state);
  const { report, units } = state;
  if (part.type === "tool-input-delta") {
    units.set(part.id, (units.get(part.id) ?? 0) + part.delta.length);
    state.argumentUnits += part.delta.length;
    if (state.argumentUnits > MAX_ARGUMENT_UNITS) report.fault = { detail: TOO_LONG };
    return;
  }
  if (report.names.at(-1) !== part.toolName) report.names.push(part.toolName);
  if (part.providerExecuted) {
    report.fault = { detail: "the provider ran a tool itself" };
    return;
  }
  if (part.type === "tool-input-start") {
    if (units.has(part.id)) report.fault = { detail: "two tool calls have the same id" };
    units.set(part.id, 0);
  } else keepCall(part, state);
  if (units.size > MAX_CALLS || report.calls.length > MAX_CALLS) report.fault = { detail: TOO_MANY_CALLS };
}

function keepCall(
  { toolCallId: id, toolName: name, input, providerMetadata }: Extract<StreamPart, { type: "tool-call" }>,
  { report, units, written }: ReadState,
): void {
  const exact = written?.of(report.calls.length) ?? input;
  const received = units.get(id);
  const fault = callFault({ id, type: "function", function: { name, arguments: input } });
  if (fault !== undefined) report.fault = { detail: fault };
  else if (id === "" || name.trim() === "") report.fault = { detail: "a tool call has no id or no name" };
  // Without arguments the SDK writes an empty object.
  else if (received !== undefined && received !== input.length && !(received === 0 && input === "{}"))
    report.fault = { detail: "the fragments of the tool calls do not add up to whole calls" };
  else if (report.calls.reduce((sum, call) => sum + call.input.length, input.length) > MAX_ARGUMENT_UNITS)
    report.fault = { detail: TOO_LONG };
  else if (exact !== input && !saysSame(exact, input))
    report.fault = { detail: "the tool calls are not those that were written" };
  else report.calls.push({ id, name, input: exact, signature: signatureIn(providerMetadata) });
}

const saysSame = (one: string, other: string): boolean =>
  JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));

function showImage(image: JsonObject | undefined, state: ReadState): void {
  if (!image) return;
  begin(state);
  if (state.request.stream) writeDelta(state, { images: [image] });
  else state.report.images.push(image);
}

/** An image, in the form of OpenAI-compatible gateways. Undefined for any other file. */
function shownImage({ mediaType, data }: LanguageModelV4File): JsonObject | undefined {
  if (data.type !== "data" || !/^image\/[\w.+-]+$/.test(mediaType)) return undefined;
  const base64 = typeof data.data === "string" ? data.data : Buffer.from(data.data).toString("base64");
  return { type: "image_url", image_url: { url: `data:${mediaType};base64,${base64}` } };
}
