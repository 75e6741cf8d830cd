/** The sentences that the models of wishes and of continuations are trained on, one JSON object a line, in several languages. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const wishLabels = ["request", "question", "statement", "quotation", "refusal"] as const;

/** The first five continue a task. */
export const continuesLabels = [
  "go_ahead",
  "amendment",
  "correction",
  "ellipsis",
  "answer",
  "new_wish",
  "refusal",
  "chat",
] as const;

export interface WishSentence {
  readonly label: (typeof wishLabels)[number];
  readonly text: string;
  /** Occurs in `text`. Absent: the label is that of each word. */
  readonly candidate?: string;
}

export interface ContinuesSentence {
  readonly label: (typeof continuesLabels)[number];
  readonly assistant: string;
  readonly text: string;
}

const folder = join(import.meta.dirname, "sentences");

/** Of all files `NAME.LANGUAGE.jsonl` or `NAME.SUBJECT.jsonl`, in the order of their names. Throws where a line is not as it should be. */
export function readSentences<T extends WishSentence | ContinuesSentence>(
  name: string,
  labels: readonly T["label"][],
): readonly T[] {
  const files = readdirSync(folder).filter((file) => file.startsWith(`${name}.`));
  return files.sort().flatMap((file) => {
    const lines = readFileSync(join(folder, file), "utf8").trim().split("\n");
    return lines.map((line, index) => {
      const sentence = JSON.parse(line) as T;
      const isInside = !("candidate" in sentence) || sentence.text.includes(sentence.candidate ?? "");
      if (!labels.includes(sentence.label) || !isInside)
        throw new Error(`${file}:${index + 1} is no sentence: ${line}`);
      return sentence;
    });
  });
}
