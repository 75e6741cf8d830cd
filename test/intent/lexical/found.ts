/** What detection finds in a text, for tests. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compileLexical, findLexical, type LexicalFindings } from "../../../src/intent/lexical/lexical.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { checkPolicy } from "../../../src/policy/check.ts";
import type { CompiledPolicy } from "../../../src/policy/compile.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url).href);

export function policyOf(document: unknown): CompiledPolicy {
  const checked = checkPolicy(document, "test");
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  return checked.value.policy;
}

export function shippedPolicy(name: string): CompiledPolicy {
  return policyOf(JSON.parse(String(readFileSync(`${root}policies/${name}.json`))));
}

/** A finder for one policy; the names alone are mostly what a test asks for. */
export function finder(policy: CompiledPolicy): (text: string) => LexicalFindings {
  const lexical = compileLexical(policy);
  return (text) => findLexical(lexical, text, workBudget());
}

export function namesFinder(policy: CompiledPolicy): (text: string) => readonly string[] {
  const find = finder(policy);
  return (text) => find(text).intents.map((intent) => intent.name);
}
