/**
 * What is believed where a person reviews the result (`policy init`): parts of a description that tell no act, acts of a browser, and hints
 * that open nothing. Never at run time, where a client chooses all these words. Pure.
 */
import { memberOf } from "../../lib/json/json-value.ts";
import { argumentsOf, isAddress, takesAddress } from "./arguments.ts";
import type { Evidence, ToolWords } from "./evidence.ts";
import { nameWords, singular } from "./name-words.ts";

const PROSE: readonly RegExp[] = [
  // Of the model's own talk: "Ask the user which organization", "(after asking the user)".
  /\b(?:ask(?:s|ing)?|remind|inform|tell|notify|warn)\s+the\s+user\s+(?:if|whether|which|what|to\s+confirm|for|about|that|of|before|first)\b/giu,
  /\band ask\s+the\s+user(?=\s*(?:[.;,\n]|$))/giu,
  // "Call this tool again with the next page".
  /\bcall(?:s|ing)?\s+(?:this|the\s+same|the)\s+(?:tool|function)\b/giu,
  // Of rights: "for which the user has view, browse, create or edit permission".
  /(?:\b\p{L}+(?:,\s+(?:and|or)\s+|,\s*|\s+or\s+|\s+and\s+|\/)){1,5}\p{L}+(?=\s+(?:permissions?|rights?|access)\b)/giu,
  // Who can do something with it has not done it: "allows updating the body", "allows you to see".
  /\b(?:allows?|lets?|enables?|permits?)\s+(?:(?:you|users?|the\s+(?:user|agent|model))\s+(?:to\s+)?|(?=\p{L}+ing\b))/giu,
  /\ballows\s+(?=(?:modification|creation|editing)\b)/giu,
  // Of the arguments: "Set verbose to true", "to operate on the file as text".
  /(?<=^|[.!?\n]\s*)set\s+`?\w+`?\s+to\s+(?:true|false)\b/giu,
];
/** "A set of tags", "any set of fields": a noun. */
const SETS = /\b(?:an?|the|any|each|one|this)\s+set\s+of\b/giu;

/** The description without what tells no act of the tool. */
export const withoutProse = (description: string): string =>
  PROSE.reduce((text, one) => text.replace(one, "… "), description).replace(SETS, "some");

/** What a person does to a page that a browser shows. To upload a file or to run code is more than that. */
const GESTURES: ReadonlySet<string> = new Set(
  "navigate click tap press type fill hover scroll drag select choose resize emulate zoom back reload refresh close tab wait".split(
    " ",
  ),
);
const GIVES_MORE: ReadonlySet<string> = new Set(
  "file path upload code script function expression evaluate javascript drop data dialog install run storage cookie route".split(
    " ",
  ),
);
const BROWSER = /\b(?:browsers?|web ?pages?|pages?|tabs?|elements?|keyboard|viewport|dropdown|form fields)\b/i;
const SURFACES: ReadonlySet<string> = new Set(["browser", "page", "web"]);

/** `browser_click(element, ref)`. */
export function isGesture({ name, description = "", parameters }: ToolWords): boolean {
  const words = nameWords(name).map(singular);
  const taken = Object.keys(Object(memberOf(parameters, "properties")))
    .flatMap(nameWords)
    .map(singular);
  const [first = "", second = ""] = words;
  const isOnPage =
    SURFACES.has(first) || BROWSER.test(description) || (first === "navigate" && takesAddress(parameters));
  return (
    isOnPage &&
    (GESTURES.has(first) || (SURFACES.has(first) && GESTURES.has(second))) &&
    ![...words, ...taken].some((word) => GIVES_MORE.has(word))
  );
}

/** A gesture changes a page, and what goes to an address reads there. A hint that it may destroy says nothing of a page. */
export function gestureEvidence({ name, parameters, annotations }: ToolWords): readonly Evidence[] {
  const word = nameWords(name).find((one) => GESTURES.has(singular(one)));
  const reads = takesAddress(parameters) || memberOf(annotations, "readOnlyHint") === true;
  return [{ effect: reads ? "read" : "change", why: `its name says \`${word}\`, on a page`, head: true }];
}

/**
 * Its server says that it only reads, and that nobody outside takes part: a domain that it takes is a value, and it goes nowhere. One that
 * takes a URL may go there, whatever its server says.
 */
export function staysInside({ annotations, parameters }: ToolWords): boolean {
  const addresses = argumentsOf(parameters).filter(({ name }) => isAddress(name));
  return (
    memberOf(annotations, "readOnlyHint") === true &&
    memberOf(annotations, "openWorldHint") === false &&
    addresses.every(({ name }) => ["domain", "host", "hostname"].includes(nameWords(name).at(-1) ?? ""))
  );
}
