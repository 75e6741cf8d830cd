/** A plan as the parts of a stream: words one by one, arguments in pieces, as a real model sends them. Pure. */
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { DirectedCall } from "./directives.ts";

const PIECE = 16;

export interface IdentifiedCall extends DirectedCall {
  readonly id: string;
}

export interface DemoReply {
  readonly id: string;
  readonly timestamp: Date;
  readonly text: string;
  readonly calls: readonly IdentifiedCall[];
  readonly finishReason: LanguageModelV4FinishReason;
  readonly usage: LanguageModelV4Usage;
}

export function* streamPlan(reply: DemoReply): Generator<LanguageModelV4StreamPart> {
  yield { type: "stream-start", warnings: [] };
  yield { type: "response-metadata", id: reply.id, timestamp: reply.timestamp, modelId: "toolgate-demo" };
  if (reply.text !== "") {
    yield { type: "text-start", id: "text" };
    for (const delta of reply.text.match(/\s*\S+\s*$|\s*\S+|\s+/g) ?? [])
      yield { type: "text-delta", id: "text", delta };
    yield { type: "text-end", id: "text" };
  }
  for (const { id, tool, arguments: input } of reply.calls) {
    yield { type: "tool-input-start", id, toolName: tool };
    for (let at = 0; at < input.length; at += PIECE) {
      yield { type: "tool-input-delta", id, delta: input.slice(at, at + PIECE) };
    }
    yield { type: "tool-input-end", id };
    yield { type: "tool-call", toolCallId: id, toolName: tool, input };
  }
  yield { type: "finish", finishReason: reply.finishReason, usage: reply.usage };
}
