/** What a policy says of its intents, as texts to learn from. Pure. */
import { latePattern } from "../../lib/once.ts";

export interface SemanticIntent {
  readonly name: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly examples: readonly string[];
}

export interface TrainingText {
  readonly text: string;
  /** Index of the intent. */
  readonly label: number;
}

/** Examples first, then keywords, the description and the name, whose words are often the very ones that users say. */
export function trainingTexts(intents: readonly SemanticIntent[]): TrainingText[] {
  return intents.flatMap(({ name, description, keywords, examples }, label) =>
    [...new Set([...examples, ...keywords, description, spelledOut(name)])]
      .filter((text) => /\p{L}/u.test(text))
      .map((text) => ({ text, label })),
  );
}

const hump = latePattern(String.raw`(\p{Ll})(\p{Lu})`, "gu");
const between = latePattern(String.raw`[^\p{L}\p{N}]+`, "gu");

/** `TAKE_NOTE`, `takeNote` → `take note`. */
const spelledOut = (name: string): string =>
  name.replaceAll(hump(), "$1 $2").replaceAll(between(), " ").toLowerCase().trim();
