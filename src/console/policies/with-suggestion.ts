/** A policy document with a suggestion in it. Pure. */

import type { SuggestionView } from "../../api-views/policy-views.ts";
import { isObject } from "../../lib/json/json-value.ts";

type Document = Readonly<Record<string, unknown>>;

export function withSuggestion(document: Document, { tool, set }: SuggestionView): Document {
  const tools = isObject(document.tools) ? document.tools : {};
  const entry = tools[tool];
  const own = isObject(entry) ? entry : {};
  const before = Array.isArray(own.conditions) ? own.conditions : [];
  const conditions = [...before, ...(set.conditions ?? [])];
  const next = { ...own, confirm: set.confirm, ...(conditions.length > 0 ? { conditions } : {}) };
  return { ...document, tools: { ...tools, [tool]: next } };
}
