/** Text as what it wants done and what it speaks of: verbs fold into actions, other words into light stems. Pure. */

import { latePattern, once } from "../../lib/once.ts";

export type Action = "read" | "list" | "search" | "fetch" | "write" | "edit" | "delete" | "run" | "send";

export interface Words {
  /** In the order in which they stand, each once. */
  readonly actions: readonly Action[];
  readonly nouns: ReadonlySet<string>;
  /** The stems that the actions were read from. */
  readonly verbs: ReadonlySet<string>;
}

const VERBS: Readonly<Record<Action, string>> = {
  read: "read show open view display print cat get tell see inspect content what check",
  list: "list ls enumerate glob which",
  search: "search find look lookup grep locate query seek",
  fetch: "fetch download browse visit crawl scrape navigate",
  write: "write save create make add store put note new jot record draft remember take schedule book",
  edit: "edit update change modify replace rename fix patch append set move refactor",
  delete: "delete remove erase drop discard trash destroy rm",
  run: "run execute launch start bash shell exec invoke command terminal install build",
  send: "send mail email reply forward notify post share message tweet",
};

/** Verbs that are as often nouns: what they name counts too. */
const BOTH = new Set("note mail email message post content command query terminal build book record".split(" "));

const STOP = new Set(
  `a an the this that these those it its is are was be been do does did to of in on at by for from with without and or
  not no as into about me my mine i you your we our us he she they them please can could would should will shall may
  might must want need like so if then first next after before just now also all any some there here have has had use
  using used tool call called hi hello hey thanks thank up out off let s t don let's given when where who how why`.split(
    /\s+/,
  ),
);

const ACTION_OF = once(
  () =>
    new Map<string, Action>(
      (Object.keys(VERBS) as Action[]).flatMap((action) =>
        VERBS[action].split(" ").map((verb) => [stem(verb), action]),
      ),
    ),
);

export function readWords(text: string): Words {
  const actions = new Set<Action>();
  const nouns = new Set<string>();
  const verbs = new Set<string>();
  for (const word of splitWords(text)) {
    if (STOP.has(word)) continue;
    const root = stem(word);
    const action = ACTION_OF().get(root);
    if (action) {
      actions.add(action);
      verbs.add(root);
    }
    if (!action || BOTH.has(word)) nouns.add(root);
  }
  return { actions: [...actions], nouns, verbs };
}

const WORDS = latePattern(String.raw`\p{L}[\p{L}\p{N}]*`, "gu");

/** Lower-case words; `camelCase`, `snake_case` and `kebab-case` come apart. */
export function splitWords(text: string): string[] {
  const apart = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return apart.match(WORDS()) ?? [];
}

/** Endings off, so that `notes`, `noted` and `note` meet: not a linguist's stem, only the same for both sides. */
export function stem(word: string): string {
  const root = word
    .replace(/ies$/, "y")
    .replace(/(?<=[a-z]{3})(ing|ed|es|s)$/, "")
    .replace(/(.)\1$/, "$1");
  return root.length > 3 ? root.replace(/e$/, "") : root;
}

const CHAT = [
  /^(hi|hello|hey|howdy|greetings|good (morning|afternoon|evening|day))\b[^.?\n]{0,24}$/,
  /^(thanks|thank you|thx|cheers)\b( (a lot|so much|very much|again))?( for [^.?\n]*)?$/,
  /^(ok|okay|great|nice|cool|perfect|bye|goodbye|see you|yes|no|sure)\b[^.?\n]{0,16}$/,
  /\b(how are you|who are you|what can you do|what are you)\b/,
];

/**
 * A message as the task that it gives: the verbs of a bare question ask for words, not for something to be done, and an
 * address speaks of the web.
 */
export const readTask = (message: string) =>
  readWords(message.replace(/\b(what|which|tell)\b/gi, "").replace(/https?:\/\/\S+/gi, " web page "));

/** Whether a message is a greeting, thanks or small talk, with nothing to do in it. */
export function isPlainChat(message: string): boolean {
  const text = message
    .trim()
    .toLowerCase()
    .replace(/[!.,?\s]+$/, "");
  if (text === "") return true;
  const match = CHAT.findIndex((pattern) => pattern.test(text));
  // "hello, list my notes" greets and asks.
  return match > 0 || (match === 0 && readWords(text).actions.length === 0);
}

export const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
