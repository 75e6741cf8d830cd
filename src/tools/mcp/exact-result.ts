/**
 * A result with the numbers of its structured content as the server wrote them. Pure.
 *
 * The SDK reads its messages with `JSON.parse`, which rounds what a double cannot hold, and takes no other reader. So the same
 * message is looked for in the replies as they came, and read again.
 */
import { mayLoseNumbers, parseExact } from "../../lib/json/exact-json.ts";
import type { McpResult } from "./result-text.ts";

/** @param replies bodies of the server's replies: JSON, or events of a stream. */
export function exactResult(result: McpResult, replies: readonly string[]): McpResult {
  if (result.structuredContent === undefined) return result;
  // Most messages have no such number: their JSON is not read twice.
  const exact = replies.flatMap(messagesIn).filter(mayLoseNumbers).map(structuredIn);
  const same = exact.find((one) => one !== undefined && rounded(one) === JSON.stringify(result.structuredContent));
  return same === undefined ? result : { ...result, structuredContent: same };
}

const rounded = (exact: unknown): string => JSON.stringify(JSON.parse(JSON.stringify(exact)));

function structuredIn(text: string): unknown {
  try {
    const read = parseExact(text);
    const messages: readonly unknown[] = Array.isArray(read) ? read : [read];
    return messages.map(structuredOf).find((content) => content !== undefined);
  } catch {
    return undefined;
  }
}

const structuredOf = (message: unknown): unknown =>
  (message as { readonly result?: McpResult | null } | null)?.result?.structuredContent;

/** The JSON texts in a body: all of it, or the data of each event (WHATWG, server-sent events). */
function messagesIn(body: string): readonly string[] {
  if (/^\s*[[{]/.test(body)) return [body];
  const events = body.replaceAll(/\r\n?/g, "\n").split(/\n{2,}/);
  return events.map((event) =>
    event
      .split("\n")
      .flatMap((line) => (line.startsWith("data:") ? line.slice(5) : []))
      .join("\n"),
  );
}
