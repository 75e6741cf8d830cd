/** What a policy's entry of a tool begins with, where only its name is known. A proposal for a person, as `infer-tool.ts` says. Pure. */
import type { Category } from "../selectors.ts";
import { inferTool } from "./infer-tool.ts";

interface GuessedEntry {
  readonly category: Category;
  /** What leaves to others needs a question each time, not the first time alone. */
  readonly sensitive?: true;
}

export function guessEntry(name: string): GuessedEntry {
  const { category } = inferTool({ name });
  return category === "external" ? { category, sensitive: true } : { category };
}
