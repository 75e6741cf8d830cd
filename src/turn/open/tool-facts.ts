/** Digest and token estimate of a tool's definition, cached in the isolate by its text. */
import { estimateTokenCount } from "tokenx";
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { ToolDefinition } from "../../policy/facts.ts";

interface ToolFacts {
  /** Digest of the canonical definition: pins it for the session. */
  readonly digest: string;
  /** Estimated prompt tokens. */
  readonly tokens: number;
}

/** Each request needs a definition twice. */
const ofRequest = new WeakMap<ToolDefinition, ToolFacts>();
const cache = boundedCache<ToolFacts>({ maxBytes: CACHE_BYTES.toolFacts });

export function toolFacts(definition: ToolDefinition): ToolFacts {
  const known = ofRequest.get(definition);
  if (known) return known;
  const text = JSON.stringify(definition.wire);
  const facts = cache.get(text) ?? computeFacts(definition, text);
  ofRequest.set(definition, facts);
  return facts;
}

function computeFacts(definition: ToolDefinition, text: string): ToolFacts {
  const digest = sha256Hex(canonicalJson(definition.wire)).slice(0, 32);
  const facts = { digest, tokens: estimateTokenCount(text) };
  cache.set(text, facts, 150);
  return facts;
}
