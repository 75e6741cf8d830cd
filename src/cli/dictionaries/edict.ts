/** Reads EDICT: common Japanese words with the stems that endings are attached to, and their English translations. */
import { readFileSync } from "node:fs";

interface JapaneseEntry {
  readonly forms: readonly string[];
  readonly english: readonly string[];
}

/** Column of the kana table: the last kana of a verb → the kana before endings. */
const columns: Readonly<Record<string, string>> = {
  う: "わいえおっ",
  つ: "たちてとっ",
  る: "らりれろっ",
  く: "かきけこい",
  ぐ: "がぎげごい",
  す: "さしせそ",
  ぬ: "なにねのん",
  ぶ: "ばびべぼん",
  む: "まみめもん",
};

export function* readEdict(path: string): Generator<JapaneseEntry> {
  const text = new TextDecoder("euc-jp").decode(readFileSync(path));
  for (const line of text.split("\n")) {
    if (!line.includes("/(P)/")) continue;
    const [, word = "", reading, rest = ""] = /^(\S+) (?:\[(.+?)\] )?\/(.*)$/.exec(line) ?? [];
    const kinds = new Set((/^\(([^)]*)\)/.exec(rest)?.[1] ?? "").split(","));
    const isInKana = rest.includes("(uk)") && reading !== undefined && reading.length >= 3;
    const spellings = [word, ...(isInKana ? [reading] : [])].map((spelling) => spelling.replace(/\(.*?\)/g, ""));
    // A lone kana is a particle or an ending.
    const forms = spellings
      .flatMap((spelling) => formsOf(spelling, kinds))
      .filter((form) => !/^[\u3041-\u309f]$/.test(form));
    yield { forms, english: sensesOf(rest) };
  }
}

/** The word as listed, and its stems before endings: `書く` → `書か 書き 書け 書こ 書い`. */
function formsOf(word: string, kinds: ReadonlySet<string>): readonly string[] {
  const last = word.at(-1) ?? "";
  const stem = word.slice(0, -1);
  const column = columns[last];
  if (kinds.has("v1") && last === "る") return stem.length > 1 || !isKana(stem) ? [word, stem] : [word];
  if ([...kinds].some((kind) => kind.startsWith("v5")) && column !== undefined) {
    return [word, ...[...column].map((kana) => stem + kana), ...(kinds.has("v5k-s") ? [`${stem}っ`] : [])];
  }
  if (kinds.has("adj-i") && last === "い") return [word, `${stem}く`, `${stem}か`, `${stem}け`];
  if (kinds.has("vs-s") && word.endsWith("する")) return [word, `${stem.slice(0, -1)}し`];
  return [word];
}

const isKana = (text: string): boolean => /^[\u3041-\u30ff]*$/.test(text);

/** The first translations of the first senses. */
function sensesOf(rest: string): readonly string[] {
  return rest
    .split("/")
    .filter((part) => part !== "" && part !== "(P)" && !part.startsWith("EntL"))
    .map((part) => part.replaceAll(/\(.*?\)|\{.*?\}/g, "").trim())
    .filter((part) => part !== "");
}
