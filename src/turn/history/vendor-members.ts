/** Restores vendor members of calls, which providers require and many clients drop. Pure. */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { vendorMembers } from "../../wire/call-parts.ts";

/**
 * The messages with the members that their calls were released with. A call that has some keeps its own.
 * @param members by the ids of calls.
 */
export function withMembers(
  messages: readonly unknown[],
  members: Readonly<Record<string, JsonObject>> | undefined,
): readonly unknown[] {
  if (!members) return messages;
  return messages.map((message) => {
    if (!isObject(message) || message.role !== "assistant" || !Array.isArray(message.tool_calls)) return message;
    const calls = message.tool_calls.map((call: unknown) => {
      const own = isObject(call) && typeof call.id === "string" && Object.hasOwn(members, call.id);
      if (!own || vendorMembers(call)) return call;
      return { ...call, ...vendorMembers(members[call.id as string]) };
    });
    return calls.some((call, at) => call !== (message.tool_calls as unknown[])[at])
      ? { ...message, tool_calls: calls }
      : message;
  });
}
