/** Writes an MCP tool's answer as text for the model. Pure. */
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { mayLoseNumbers, parseExact } from "../../lib/json/exact-json.ts";
import { isObject } from "../../lib/json/json-value.ts";

export interface McpResult {
  readonly content?: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** Texts unchanged, one below the other; then the structured content as JSON, unless a text is the same; other content by its kind. */
export function resultText({ content = [], structuredContent }: McpResult): string {
  const structured = structuredContent === undefined ? undefined : canonical(structuredContent);
  const parts = content.map(blockText).filter((text) => structured === undefined || parsed(text) !== structured);
  if (structuredContent !== undefined) parts.push(JSON.stringify(structuredContent));
  return parts.join("\n\n");
}

function blockText(block: unknown): string {
  if (!isObject(block)) return "[something that is not a block of content]";
  const { type, text, resource } = block;
  if (type === "text" && typeof text === "string") return text;
  if (type === "resource" && isObject(resource)) {
    return typeof resource.text === "string" ? resource.text : named("resource", resource.uri, resource.mimeType);
  }
  return named(typeof type === "string" ? type : "block", block.uri ?? block.name, block.mimeType);
}

/** `[image, image/png]`: what a text cannot hold. */
const named = (type: string, ...more: readonly unknown[]): string =>
  `[${[type, ...more.filter((one) => typeof one === "string")].join(", ").slice(0, 500)}]`;

function parsed(text: string): string | undefined {
  try {
    return canonical(parseExact(text));
  } catch {
    return undefined;
  }
}

function canonical(value: unknown): string | undefined {
  try {
    return canonicalJson(value);
  } catch {
    return undefined;
  }
}

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
