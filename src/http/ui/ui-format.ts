/**
 * A reply as the AI SDK's UI message stream, version 1. One step of the stream is one turn: what a chat client would keep as one
 * assistant message comes back as one.
 *
 * A page runs a call as soon as it is told of it. So a call that waits for a person is told as one that is run elsewhere
 * (`providerExecuted`), and told anew, without that, when it is released.
 */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import type { Ending, ToolgateNote } from "../../ports/ending.ts";
import type { ReleasedCall } from "../../ports/turns-port.ts";
import { vendorMembers } from "../../wire/call-parts.ts";
import { eventJson } from "../../wire/read-chunk.ts";
import type { EndingContext, ReplyFormat } from "../surface/surface.ts";
import type { OpenPart } from "./ui-messages.ts";
import { readWords, type UiWords } from "./ui-words.ts";

const DONE = "data: [DONE]\n\n";
const event = (value: JsonObject): string => `data: ${eventJson(value)}\n\n`;

/**
 * @param open calls of the message that the reply goes on with.
 * @param known names of the tools that the client brought: parts of others are dynamic ones.
 */
export function uiFormat(open: ReadonlyMap<string, OpenPart>, known: ReadonlySet<string>): ReplyFormat {
  const stream = uiStream(open);
  const isDynamic = (id: string, tool: string): boolean => open.get(id)?.dynamic ?? !known.has(tool);

  const call = ({ id, tool, arguments: args, extra }: ReleasedCall): string => {
    const vendor = vendorMembers(extra);
    return event({
      type: "tool-input-available",
      toolCallId: id,
      toolName: tool,
      input: JSON.parse(args) as unknown,
      providerExecuted: false,
      ...(isDynamic(id, tool) ? { dynamic: true } : {}),
      ...(vendor ? { providerMetadata: { toolgate: vendor } } : {}),
    });
  };

  const released = ({ calls, lines, step }: Extract<Ending, { kind: "answer" }>, spoken: boolean): string => {
    // A person has approved them: they stand in the message already, and are told where they stand.
    const held = step || stream.inStep() ? [] : calls.filter(({ id }) => open.get(id)?.approved === true);
    const others = calls.filter((one) => !held.includes(one));
    let out = held.map(call).join("");
    if (lines !== undefined) out += stream.text(spoken ? `\n\n${lines}` : lines, held.length === 0);
    if (others.length > 0) out += stream.step() + others.map(call).join("");
    return out;
  };

  const asked = (approval: JsonObject): string => {
    const { id, call_id: callId, tool, arguments: input, question } = approval;
    const part = open.get(String(callId));
    const isShown = part?.approval === id;
    if (isShown && part?.state === "approval-requested") return "";
    const request = event({
      type: "tool-approval-request",
      approvalId: id,
      toolCallId: callId,
      reason: question,
      approvalDescriptor: approval,
    });
    if (isShown) return request;
    return (
      stream.step() +
      event({
        type: "tool-input-available",
        toolCallId: callId,
        toolName: tool,
        input,
        providerExecuted: true,
        ...(isDynamic(String(callId), String(tool)) ? { dynamic: true } : {}),
      }) +
      request
    );
  };

  return {
    headers: { "x-vercel-ai-ui-message-stream": "v1", "x-accel-buffering": "no" },
    words: (events) => readWords(events).map(stream.words).join(""),
    ownWords: (_envelope, words) => stream.begin() + stream.text(words),
    ending(ending, context) {
      let out = stream.begin();
      if (ending.kind === "answer") out += released(ending, context.spoken);
      else {
        if (ending.text !== "") out += stream.text(context.spoken ? `\n\n${ending.text}` : ending.text);
        out += nativeApprovals(context.note).map(asked).join("");
      }
      return out + stream.end() + event(dataPart(ending, context)) + event(finish(ending)) + DONE;
    },
    // Without `finish` and `[DONE]`: no end that a client could take for a clean one.
    error: (error) => event({ type: "error", errorText: errorText(error) }),
    body() {
      throw new Error("a UI message is always streamed");
    },
  };
}

/** What has been opened in the stream, and must be closed before anything else is. */
function uiStream(open: ReadonlyMap<string, OpenPart>) {
  let begun = false;
  let inStep = false;
  let part: "text" | "reasoning" | undefined;
  let count = 0;
  const close = (): string => {
    const out = part ? event({ type: `${part}-end`, id: `${part}-${count}` }) : "";
    part = undefined;
    return out;
  };
  const begin = (): string => {
    if (begun) return "";
    begun = true;
    // What the person refused: the turn has taken the answers, or it would have ended with an error.
    const denied = [...open].filter(([, { state, approved }]) => state === "approval-responded" && approved === false);
    return (
      event({ type: "start" }) +
      denied.map(([toolCallId]) => event({ type: "tool-output-denied", toolCallId })).join("")
    );
  };
  const step = (): string => {
    const out = close();
    if (inStep) return out;
    inStep = true;
    return out + event({ type: "start-step" });
  };
  const delta = (kind: "text" | "reasoning", text: string, opensStep = true): string => {
    if (text === "") return "";
    let out = opensStep && !inStep ? step() : "";
    if (part !== kind) {
      out += close();
      part = kind;
      count += 1;
      out += event({ type: `${kind}-start`, id: `${kind}-${count}` });
    }
    return out + event({ type: `${kind}-delta`, id: `${kind}-${count}`, delta: text });
  };
  return {
    begin,
    step,
    inStep: () => inStep,
    text: (text: string, opensStep = true) => delta("text", text, opensStep),
    words: ({ reasoning, text, parts }: UiWords): string => {
      const out = begin() + delta("reasoning", reasoning) + delta("text", text);
      return parts.length === 0 ? out : out + step() + parts.map(event).join("");
    },
    end: () => close() + (inStep ? event({ type: "finish-step" }) : ""),
  };
}

const nativeApprovals = ({ approvals }: ToolgateNote): readonly JsonObject[] =>
  (Array.isArray(approvals) ? approvals : []).filter(isObject).filter(({ channel }) => channel === "native");

type CleanEnding = Exclude<Ending, { kind: "error" }>;

/** Approvals are in the parts of their calls. A message holds one such part: a later one takes its place. */
function dataPart(ending: CleanEnding, { note, usage }: EndingContext): JsonObject {
  const { approvals: _approvals, ...data } = note;
  const step = ending.kind === "answer" ? ending.step : undefined;
  const counted = usage ?? step?.closing?.usage ?? step?.finish.findLast((chunk) => chunk.usage != null)?.usage;
  return { type: "data-toolgate", id: "toolgate", data: { ...data, ...(counted == null ? {} : { usage: counted }) } };
}

const FINISH_REASONS: Readonly<Record<string, string>> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  tool_calls: "tool-calls",
};

function finish(ending: CleanEnding): JsonObject {
  const type = "finish";
  if (ending.kind === "stop") return { type, finishReason: ending.finishReason };
  if (ending.calls.length > 0) return { type, finishReason: "tool-calls" };
  const choices = ending.step?.finish.at(-1)?.choices;
  const [choice] = Array.isArray(choices) ? choices : [];
  const reason = isObject(choice) && typeof choice.finish_reason === "string" ? choice.finish_reason : "stop";
  return { type, finishReason: Object.hasOwn(FINISH_REASONS, reason) ? FINISH_REASONS[reason] : "other" };
}

const errorText = (error: unknown): string =>
  isObject(error) && typeof error.message === "string" ? error.message : "the reply broke off";
