/** The results whose text is told with an open: of calls that the policy can undo, since an undo may need what came back. Pure. */

import type { CompiledPolicy } from "../../policy/compile.ts";
import { MAX_KEPT } from "../../ports/calls-port.ts";
import { callIdsOf, type ToolResult, textOf } from "../../wire/conversation.ts";
import { isObject, type JsonObject } from "../../wire/read-chunk.ts";

/** By the names that the client's own message gives the calls: whose call it was is looked at where the calls are kept. */
export function withTexts(
  { tools }: CompiledPolicy,
  messages: readonly JsonObject[],
  results: readonly ToolResult[],
): readonly ToolResult[] {
  if (results.length === 0) return results;
  const calling = messages.findLastIndex((message) => message.role === "assistant" && callIdsOf(message).length > 0);
  const undoable = idsOf(messages[calling], (tool) => tools.get(tool)?.undo !== undefined);
  if (undoable.size === 0) return results;
  const texts = new Map<string, string>();
  for (const { role, tool_call_id: id, content } of messages.slice(calling + 1)) {
    if (role !== "tool" || typeof id !== "string" || !undoable.has(id) || texts.has(id)) continue;
    const text = textOf(content);
    if (text.length <= MAX_KEPT) texts.set(id, text);
  }
  return results.map((result) => {
    const text = texts.get(result.callId);
    return text === undefined ? result : { ...result, text };
  });
}

function idsOf(message: JsonObject | undefined, holds: (tool: string) => boolean): ReadonlySet<string> {
  const calls: unknown[] = Array.isArray(message?.tool_calls) ? message.tool_calls : [];
  return new Set(
    calls.flatMap((call) =>
      isObject(call) && typeof call.id === "string" && isObject(call.function) && holds(String(call.function.name))
        ? [call.id]
        : [],
    ),
  );
}
