/**
 * Rules for results that a person reviews (`policy init`): parts of a description that are no acts, acts of a browser, and hints
 * that open nothing. Never used at run time, because there a client chooses all these words. Pure.
 */
import { memberOf } from "../../lib/json/json-value.ts";
import { argumentsOf, isAddress, takesAddress } from "./arguments.ts";
import type { Evidence, ToolWords } from "./evidence.ts";
import { nameWords, singular } from "./name-words.ts";

const PROSE: readonly RegExp[] = [
  // What the model itself should say: "Ask the user which organization", "(after asking the user)".
  /\b(?:ask(?:s|ing)?|remind|inform|tell|notify|warn)\s+the\s+user\s+(?:if|whether|which|what|to\s+confirm|for|about|that|of|before|first)\b/giu,
  /\band ask\s+the\s+user(?=\s*(?:[.;,\n]|$))/giu,
  // "Call this tool again with the next page".
  /\bcall(?:s|ing)?\s+(?:this|the\s+same|the)\s+(?:tool|function)\b/giu,
  // Permissions: "for which the user has view, browse, create or edit permission".
  /(?:\b\p{L}+(?:,\s+(?:and|or)\s+|,\s*|\s+or\s+|\s+and\s+|\/)){1,5}\p{L}+(?=\s+(?:permissions?|rights?|access)\b)/giu,
  // An ability is not an act: "allows updating the body", "allows you to see".
  /\b(?:allows?|lets?|enables?|permits?)\s+(?:(?:you|users?|the\s+(?:user|agent|model))\s+(?:to\s+)?|(?=\p{L}+ing\b))/giu,
  /\ballows\s+(?=(?:modification|creation|editing)\b)/giu,
  // About the arguments: "Set verbose to true", "to operate on the file as text".
  /(?<=^|[.!?\n]\s*)set\s+`?\w+`?\s+to\s+(?:true|false)\b/giu,
];
/** "A set of tags", "any set of fields": a noun. */
const SETS = /\b(?:an?|the|any|each|one|this)\s+set\s+of\b/giu;

/** The description without the parts that are no acts of the tool. */
export const withoutProse = (description: string): string =>
  PROSE.reduce((text, one) => text.replace(one, "… "), description).replace(SETS, "some");

/** Acts on a page that a browser shows. To upload a file or to run code is more than that. */
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

/** A gesture changes a page, and a visit of an address reads. A hint that the tool may destroy does not apply to a page. */
export function gestureEvidence({ name, parameters, annotations }: ToolWords): readonly Evidence[] {
  const word = nameWords(name).find((one) => GESTURES.has(singular(one)));
  const reads = takesAddress(parameters) || memberOf(annotations, "readOnlyHint") === true;
  return [{ effect: reads ? "read" : "change", why: `its name says \`${word}\`, on a page`, head: true }];
}

/**
 * Its server says that it only reads, and reaches no third party: then a domain among its arguments is a value, and no address that it visits.
 * A tool that takes a URL may visit it, whatever its server says.
 */
export function staysInside({ annotations, parameters }: ToolWords): boolean {
  const addresses = argumentsOf(parameters).filter(({ name }) => isAddress(name));
  return (
    memberOf(annotations, "readOnlyHint") === true &&
    memberOf(annotations, "openWorldHint") === false &&
    addresses.every(({ name }) => ["domain", "host", "hostname"].includes(nameWords(name).at(-1) ?? ""))
  );
}
