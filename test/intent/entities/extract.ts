/** Entities of a text under a document, as the detector asks for them. */
import { expect } from "vitest";
import type { Entity } from "../../../src/intent/detection.ts";
import { compileEntities } from "../../../src/intent/entities/compile-entities.ts";
import { extractEntities } from "../../../src/intent/entities/extract-entities.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { checkPolicy } from "../../../src/policy/check.ts";
import type { CompiledPolicy } from "../../../src/policy/compile.ts";

function compiledPolicy(document: unknown): CompiledPolicy {
  const checked = checkPolicy(document, "v");
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  return checked.value.policy;
}

export function extractor(document: unknown): (text: string, intents?: readonly string[]) => readonly Entity[] {
  const compiled = compileEntities(compiledPolicy(document));
  return (text, intents = []) => {
    const found = extractEntities(
      compiled,
      text,
      intents.map((name) => ({ name })),
      workBudget(),
    );
    for (const { at, text: words } of found) expect(text.slice(at, at + words.length)).toBe(words);
    return found;
  };
}

/** `[name, value]` of each. */
export const pairs = (entities: readonly Entity[]): [string, string | number][] =>
  entities.map(({ name, value }) => [name, value]);
