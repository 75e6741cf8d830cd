/**
 * Whether text is in a conversation that may carry somebody else's instructions: any tool result, whether it is real or
 * made up by the client, of a tool that the policy does not mark `trusted`; and what a frontend pasted into a user message,
 * where the policy's `detection.extract` tells it from the user's own words. Pure.
 */
import { holdsPasted } from "../intent/lexical/user-text.ts";
import { workBudget } from "../lib/work-budget.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import { traitsOf } from "../policy/traits.ts";
import { callsIn, userTextIn } from "../wire/conversation.ts";
import type { JsonObject } from "../wire/read-chunk.ts";

export function holdsUntrusted(policy: CompiledPolicy, messages: readonly JsonObject[]): boolean {
  const tools = new Map<string, string>();
  // What Toolgate runs itself no client has a result of: it is made up.
  const isTrusted = (tool: unknown) =>
    typeof tool === "string" && traitsOf(policy, tool).trusted && policy.tools.get(tool)?.run === undefined;
  // Not that of the calls: a long conversation must not leave them unchecked.
  const work = workBudget();
  const extracts = policy.detection.extract !== undefined;
  return messages.some((message) => {
    if (message.role === "assistant") for (const [id, tool] of callsIn(message)) tools.set(id, tool);
    // Providers repeat ids: a result belongs to the last call before it. One of no call at all is nobody's.
    if (message.role === "tool") return !isTrusted(tools.get(String(message.tool_call_id)));
    if (message.role === "user") return extracts && holdsPasted(policy, userTextIn(message.content), work);
    return message.role === "function" && !isTrusted(message.name);
  });
}
