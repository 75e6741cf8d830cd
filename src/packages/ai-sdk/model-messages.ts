/** Messages of a program of the AI SDK, as the tools get them. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { ModelMessage } from "ai";
import { type JsonObject, objectsIn } from "../../lib/json/json-value.ts";
import { chatMessages } from "./chat-messages.ts";

const partsOf = ({ content }: { readonly content: unknown }): readonly JsonObject[] => objectsIn(content);

/** Calls that a person, not the program, has approved according to the messages. The stores decide whether that is true. */
export function approvedCallIds(messages: readonly ModelMessage[]): ReadonlySet<string> {
  const parts = messages.flatMap(partsOf);
  const requests = new Map(
    parts.flatMap((part) =>
      part.type === "tool-approval-request" && part.isAutomatic !== true
        ? [[String(part.approvalId), String(part.toolCallId)] as const]
        : [],
    ),
  );
  const approved = parts.filter(({ type, approved }) => type === "tool-approval-response" && approved === true);
  return new Set(approved.flatMap(({ approvalId }) => requests.get(String(approvalId)) ?? []));
}

/** In the form of a chat, without the calls that have no result yet. */
export function conversationBefore(messages: readonly ModelMessage[]): readonly JsonObject[] {
  const answered = new Set(
    messages.flatMap(partsOf).flatMap((part) => (part.type === "tool-result" ? [String(part.toolCallId)] : [])),
  );
  const prompt = messages.flatMap((message): LanguageModelV4Message[] => {
    if (message.role === "system") return [{ role: "system", content: message.content }];
    const text = typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : [];
    const parts = partsOf(message).flatMap((part) => promptPart(part, answered));
    const content = [...text, ...parts];
    return content.length === 0 ? [] : [{ role: message.role, content } as LanguageModelV4Message];
  });
  return chatMessages(prompt);
}

function promptPart(part: JsonObject, answered: ReadonlySet<string>): JsonObject[] {
  switch (part.type) {
    case "text":
    case "tool-result":
      return [part];
    case "tool-call":
      return answered.has(String(part.toolCallId)) ? [part] : [];
    case "image":
    case "file":
      return [{ type: "file", mediaType: String(part.mediaType ?? "image"), data: { type: "text", text: "" } }];
    default:
      return [];
  }
}
