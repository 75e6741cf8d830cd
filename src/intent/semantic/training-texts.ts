/** What a policy says of its intents, as texts to learn from. Pure. */

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

/** `TAKE_NOTE`, `takeNote` → `take note`. */
const spelledOut = (name: string): string =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .toLowerCase()
    .trim();
