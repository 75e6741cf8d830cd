/** Finds the meaning of an argument's name: the word that counts, and its meaning. Pure. */
import { isCjkWord, nameWords, singulars } from "./name-words.ts";
import { cjkMeaning, latinMeaning, type WordMeaning } from "./role-words.ts";

interface Meaning {
  readonly meaning: WordMeaning;
  readonly word: string;
}

interface Word {
  readonly meaning: WordMeaning | undefined;
  readonly word: string;
}

function receiverIn(words: readonly Word[]): Meaning | undefined {
  for (const { word, meaning } of words)
    if (meaning === "destination" || meaning === "address") return { word, meaning };
  return undefined;
}

/** The meaning of a name: of its last word that has one, since it is the head (`email_body` is a body). */
export function meaningOf(name: string): Meaning | undefined {
  const words = nameWords(name).flatMap(unglued);
  const known: readonly Word[] = words.map((word, at) => ({ word, meaning: meaningAt(words, word, at) }));
  let open: Meaning | undefined;
  for (const { word, meaning } of known.toReversed()) {
    if (meaning === undefined) continue;
    // `units_per_hour` are units.
    if (isRate(known, word)) continue;
    if (meaning === "open") open ??= { word: baseOf(word), meaning };
    else if (meaning === "id") return idMeaning(known) ?? { word, meaning };
    // The username of a recipient is a recipient.
    else if (meaning === "person") return receiverIn(known) ?? { word, meaning };
    else return { word, meaning };
  }
  return open;
}

const isRate = (words: readonly Word[], word: string): boolean => {
  const at = words.findIndex((one) => one.word === word);
  const counted = baseOf(words[at - 2]?.word ?? "");
  return words[at - 1]?.word === "per" && (counted === "unit" || latinMeaning(counted) === "amount");
};

const KEYS = new Set("public private ssh api gpg pgp access secret deploy encryption signing host".split(" "));
const CURSORS = new Set("page next sync continuation max prev previous cursor".split(" "));

function meaningAt(words: readonly string[], word: string, at: number): WordMeaning | undefined {
  const before = words[at - 1];
  if (isCjkWord(word)) return cjkMeaning(word)?.meaning;
  // `text_to_send` has no recipient, `to_address`, `reply_to` and `in_reply_to` have.
  if (word === "to" && at > 0 && at < words.length - 1) return undefined;
  // `check_in` and `check_out` are dates.
  if (word === "check" && ["in", "out"].includes(words[at + 1] ?? "")) return "content";
  if (word === "key" && before !== undefined && !KEYS.has(before)) return "id";
  if (baseOf(word) === "token" && before !== undefined && CURSORS.has(before)) return "content";
  for (const form of singulars(word)) {
    const meaning = latinMeaning(form);
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

export const baseOf = (word: string): string =>
  singulars(word).find((form) => latinMeaning(form) !== undefined) ?? word;

/** The id of an account or a channel is a destination as much as its name. The id of a mail is the mail's. */
function idMeaning(words: readonly Word[]): Meaning | undefined {
  for (const { word, meaning } of words.toReversed()) {
    if (meaning === undefined || meaning === "id" || meaning === "open") continue;
    if (["email", "mail"].includes(baseOf(word))) return undefined;
    return meaning === "destination" || meaning === "address" || meaning === "person" ? { word, meaning } : undefined;
  }
  return undefined;
}

const SHORTEST_PART = 4;

/** Words written together: `recipientemail`, `kontonummer`, `userid`. The longest known end counts. */
function unglued(word: string): readonly string[] {
  if (word.length < 5 || isCjkWord(word) || singulars(word).some((form) => latinMeaning(form) !== undefined))
    return [word];
  for (let at = 2; at < word.length - 1; at += 1) {
    const [start, end] = [word.slice(0, at), word.slice(at)];
    const isKnown = singulars(end).some((form) => latinMeaning(form) !== undefined);
    const startKnown = singulars(start).some((form) => latinMeaning(form) !== undefined);
    if (
      isKnown &&
      (end.length >= SHORTEST_PART || startKnown) &&
      (startKnown || (at >= 3 && end.length > SHORTEST_PART))
    )
      return [start, end];
  }
  return [word];
}
