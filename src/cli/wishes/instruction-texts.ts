/** The texts that the model of instructions is trained on. */
import type { LabelledText } from "./fit-instructions.ts";
import { linesOf, readSentences, type WishSentence, wishLabels } from "./sentences.ts";

/** Parts of texts in one language. An injected text is one of `to`, one of `do` and mostly one of `hide`, or one of `whole`. */
interface Phrases {
  readonly language: string;
  readonly to: readonly string[];
  readonly do: readonly string[];
  readonly hide: readonly string[];
  readonly whole: readonly string[];
  readonly harmless: readonly string[];
}

/** Users' own messages are harmless too; a part of them is enough. */
const EACH_STATEMENT = 5;

export function instructionTexts(): readonly LabelledText[] {
  const statements = readSentences<WishSentence>("wishes", wishLabels).filter(({ label }) => label !== "request");
  const harmless = [...new Set(statements.map(({ text }) => text))].filter((_, index) => index % EACH_STATEMENT === 0);
  return [
    ...labelled("texts", 1, 2),
    // A tool's description may tell the model how to use it.
    ...labelled("definitions", 1, 2),
    ...labelled("records", 0.5, 6),
    ...labelled("prose", 0.4, 2),
    ...read<Phrases>("phrases").flatMap(textsOf),
    ...harmless.map((text) => ({ injected: false, text, weight: 0.15, passages: 2 })),
  ];
}

const read = <T>(name: string): readonly T[] =>
  linesOf("instructions", `${name}.jsonl`).map(({ line }) => JSON.parse(line) as T);

const labelled = (name: string, weight: number, passages: number): readonly LabelledText[] =>
  read<Pick<LabelledText, "injected" | "text">>(name).map((one) => ({ ...one, weight, passages }));

/** Combines each part with a few others, not with all; the same choice each time. */
function textsOf({ language, to, do: acts, hide, whole, harmless }: Phrases): readonly LabelledText[] {
  const [stop, space] = language === "zh" || language === "ja" ? ["。", ""] : [".", " "];
  const one = (list: readonly string[], index: number): string => list[index % list.length] ?? "";
  const secret = (index: number): string => space + one(hide, index);
  const injected = [
    ...to.flatMap((start, i) => [
      `${start}${one(acts, i * 5)}${stop}`,
      `${start}${one(acts, i * 5 + 7)}${stop}${i % 2 === 0 ? secret(i) : ""}`,
    ]),
    ...acts.map((act, i) => `${act.charAt(0).toUpperCase()}${act.slice(1)}${stop}${secret(i)}`),
    ...whole,
  ];
  const text =
    (isInjected: boolean) =>
    (words: string): LabelledText => ({
      injected: isInjected,
      text: words,
      weight: 0.5,
      passages: 2,
    });
  return [...injected.map(text(true)), ...harmless.map(text(false))];
}
