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

/** `change`: the user wants something changed now; `none`: they only look, ask, hold back or tell. */
export const changeLabels = ["change", "none"] as const;

export interface ChangeSentence {
  readonly label: (typeof changeLabels)[number];
  readonly text: string;
}

export interface WishSentence {
  readonly label: (typeof wishLabels)[number];
  readonly text: string;
  /** The labelled word or words; they occur in `text`. Absent: the label applies to each word. */
  readonly candidate?: string;
}

export interface ContinuesSentence {
  readonly label: (typeof continuesLabels)[number];
  readonly assistant: string;
  readonly text: string;
}

const folder = join(import.meta.dirname, "sentences");

interface RequestSentence {
  readonly topic: string;
  readonly text: string;
}

/** What people ask of assistants and help desks in general. */
export const readRequests = (): readonly RequestSentence[] =>
  linesOf("requests").map(({ line }) => JSON.parse(line) as RequestSentence);

/** The lines of all files in the folder `name`. Throws if a line does not fit the schema. */
export function readSentences<T extends WishSentence | ContinuesSentence | ChangeSentence>(
  name: string,
  labels: readonly T["label"][],
): readonly T[] {
  return linesOf(name).map(({ line, place }) => {
    const sentence = JSON.parse(line) as T;
    const isInside = !("candidate" in sentence) || sentence.text.includes(sentence.candidate ?? "");
    if (!labels.includes(sentence.label) || !isInside) throw new Error(`${place} is no sentence: ${line}`);
    return sentence;
  });
}

/** The lines of all files in the folder `name`, in the order of their names, or of `file` alone. */
export function linesOf(name: string, file?: string): readonly { readonly line: string; readonly place: string }[] {
  const files = file === undefined ? readdirSync(join(folder, name)).sort() : [file];
  return files.flatMap((each) => {
    const place = join(name, each);
    const lines = readFileSync(join(folder, place), "utf8").trim().split("\n");
    return lines.map((line, index) => ({ line, place: `${place}:${index + 1}` }));
  });
}
