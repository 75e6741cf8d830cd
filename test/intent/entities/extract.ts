/** Entities of a text under a document, as the detector asks for them. */
import { expect } from "vitest";
import type { Entity } from "../../../src/intent/detection.ts";
import { compileEntities } from "../../../src/intent/entities/compile-entities.ts";
import { extractEntities } from "../../../src/intent/entities/extract-entities.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { policyOf } from "../../support/policy.ts";

export function extractor(document: unknown): (text: string, intents?: readonly string[]) => readonly Entity[] {
  const compiled = compileEntities(policyOf(document));
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
