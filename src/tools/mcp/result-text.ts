/** What an MCP tool answered, as text for the model. Pure. */

import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { parseExact } from "../../lib/json/exact-json.ts";
import { isObject } from "../../lib/json/json-object.ts";

export interface McpResult {
  readonly content?: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** Texts as they are, one below the other; then the structured content as JSON, unless a text is the same; the rest by its kind. */
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
