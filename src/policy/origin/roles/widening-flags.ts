/**
 * Flags that widen who gets something: `public: true`, `anyone_with_link: true`, `notify_all: true`. If set, such a flag is a destination, and
 * the user's words must contain a word that means the same. Pure.
 */
import { nameWords } from "./name-words.ts";

export type SharingScope = "public" | "external" | "all";

const PUBLIC = new Set(
  "public publicly anyone anybody everyone everybody world oeffentlich offentlich publico publique".split(" "),
);
const EXTERNAL = new Set("external externally outside outsiders extern externe externo".split(" "));
const REACHES = new Set(
  "share shared sharing notify notifies send invite reply mail email message announce broadcast publish visible with to access".split(
    " ",
  ),
);
/** `exclude_external`, `hide_from_public`: set, they narrow. */
const NARROWS = new Set(
  "no not non never without exclude excluding hide hidden deny block disable disallow remove revoke prevent forbid restrict key keys id".split(
    " ",
  ),
);

/** The receivers that a flag of this name adds if it is set; undefined for other names. */
export function wideningOf(name: string): SharingScope | undefined {
  const words = nameWords(name);
  if (words.some((word) => NARROWS.has(word))) return undefined;
  if (words.some((word) => PUBLIC.has(word))) return "public";
  if (words.some((word) => EXTERNAL.has(word))) return "external";
  return words.includes("all") && words.some((word) => REACHES.has(word)) ? "all" : undefined;
}

/** Divided by `|`. */
const EVERYONE =
  "everyone|everybody|anyone|anybody|alle|allen|jeder|jeden|jedem|todos|todas|cualquiera|todo el mundo|tous|toutes|tout le monde|所有人|任何人|大家|全員|みんな|誰でも|모두|누구나";
const WORDS: Readonly<Record<SharingScope, string>> = {
  public: `public|publicly|the world|öffentlich|öffentlicher|öffentlichen|público|pública|publique|公开|公開|공개|${EVERYONE}`,
  external:
    "external|externally|outside|extern|externe|externen|externer|externo|externa|externos|externas|外部|社外|외부",
  all: `all|${EVERYONE}`,
};

/** The user's words that ask for it. */
export const wordsForWidening = (widening: SharingScope): readonly string[] => WORDS[widening].split("|");
