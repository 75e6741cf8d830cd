/**
 * Infers from a tool's name, description, arguments and hints what it does, and who wrote what it returns. Pure.
 *
 * The reasoning, from words to settings:
 *  - Verbs tell the effect: read, note, create, change, execute, destroy, give access, send, pay. Name, description and arguments each
 *    give evidence, and the most harmful effect decides: `read_mail` whose description says that it forwards the mail is no reader.
 *  - A verb that reads only some things (resolve, convert, evaluate, …) reads if its object is data: `occasional-readers.ts`.
 *  - A tool only reads if all its evidence says so, and its name or description names a reading verb. A tool without a known verb
 *    changes something. Hints of the author (`annotations`) make a tool stricter and never looser, but for `InferOptions`.
 *  - A reader that takes an address reaches out: the address itself can carry data to whoever owns it.
 *  - Results of a reader count as text of third parties unless its nouns are known: values of the user's own account and facts without an
 *    author are `own`; records have ids, amounts and dates of the organisation's own; a list of the user's contacts is a directory.
 *    One word for other people's text (review, message, page, …) in the name or the description outweighs all of them.
 *  - Categories follow from effects (`categoryOf`). A private note is `note_taking`, unless other evidence of the tool contradicts it.
 *  - In each step, doubt means the stricter answer.
 *
 * The author of a client or of an MCP server chooses all these words. So what is inferred is a proposal for a person (`policy init`),
 * or, at run time, less than that: see `with-inferred.ts`.
 */
import { memberOf } from "../../lib/json/json-value.ts";
import { unique } from "../../lib/unique.ts";
import type { Category } from "../selectors.ts";
import { argumentEvidence, argumentsOf, feedsProcess, takesAddress, takesAmount, takesReceiver } from "./arguments.ts";
import { categoryOf, type InferredEffect, strongest } from "./effects.ts";
import { descriptionEvidence, type Evidence, type ToolWords } from "./evidence.ts";
import { nameEvidence } from "./name-evidence.ts";
import { nameWords, singular } from "./name-words.ts";
import { ADDRESSES, familyOfNoun, isGeneric, type Origin, OTHERS_TEXT, originOfNoun } from "./nouns.ts";
import { readOnlyEvidence, readsByHint, takesReadOnlyQuery } from "./read-only-words.ts";
import { gestureEvidence, isGesture, staysInside, withoutProse } from "./reviewed-words.ts";
import { verbOf } from "./verbs.ts";
import { objectOf } from "./with-object.ts";

export interface InferredTool {
  readonly name: string;
  /** The tool's main purpose. */
  readonly effect: InferredEffect;
  /** All effects that its words mention, `effect` included. */
  readonly effects: ReadonlySet<InferredEffect>;
  readonly category: Category;
  /** Who wrote what it returns. */
  readonly origin: Origin;
  /** Whether name and description both have an effect, and the same one. */
  readonly sure: boolean;
  /** The nouns of its name that could name its family, the likeliest first. */
  readonly nouns: readonly string[];
  /** The reasons, each a clause, for the policy's author. */
  readonly reasons: readonly string[];
}

interface InferOptions {
  /**
   * A person reviews what is inferred: then a server's hint that its tool only reads counts if no known verb contradicts it.
   * Never at run time, where a client chooses the hint.
   */
  readonly believesReaders?: boolean;
}

export function inferTool(tool: ToolWords, { believesReaders = false }: InferOptions = {}): InferredTool {
  const hasReceiver = takesReceiver(tool.parameters);
  const hasAmount = takesAmount(tool.parameters);
  const named = nameEvidence(tool, {
    ...{ hasReceiver, hasAmount },
    takesArguments: argumentsOf(tool.parameters).length > 0,
  });
  const readsByName = named.some(({ head, effect }) => head && effect === "read");
  const isHeldReader = believesReaders && readsByHint(tool, named);
  const description = believesReaders ? withoutProse(tool.description ?? "") : (tool.description ?? "");
  const ofDescription = descriptionEvidence(description.replace(readsByName ? LISTED : /$^/, "… "), {
    readsByName,
    ...{ hasReceiver, hasAmount },
    believesReaders,
  }).filter(({ effect }) => !isHeldReader || effect === "read");
  const ofName = sendsNothing(tool, ofDescription) ? [] : named;
  const ofWords = [...ofName, ...ofDescription, ...hintEvidence(tool.annotations)];
  const feeds = feedsProcess(tool);
  const known =
    believesReaders && isGesture(tool)
      ? gestureEvidence(tool)
      : ofWords.map((one) =>
          feeds && one.effect === "send" ? { ...one, effect: "execute" as const } : goingTo(one, tool),
        );
  const words = believesReaders && known.every(({ head }) => !head) ? [...known, ...readOnlyEvidence(tool)] : known;
  const heads = words.filter(({ head }) => head);
  const reads = heads.some(({ effect }) => effect === "read") && words.every(({ effect }) => effect === "read");
  const ofArguments = argumentEvidence(tool.parameters, {
    ...{ isReader: reads, believesChoices: believesReaders, text: tool.description },
  });
  const queries = believesReaders && reads && takesReadOnlyQuery(tool);
  const reachesNobody = believesReaders && staysInside(tool);
  const evidence = [
    ...words,
    ...(feeds ? [{ effect: "execute" as const, why: "it gives a running process its input" }] : []),
    ...ofArguments.filter(
      ({ effect }) => !(queries && effect === "execute") && !(reachesNobody && reads && effect === "reach"),
    ),
  ];
  const found = new Set(evidence.map(({ effect }) => effect));
  const unknown = heads.length === 0;
  if (unknown) found.add("change");
  if (found.size > 1) found.delete("read");
  // A note with any other effect is no private note.
  if (found.has("note") && [...found].some((one) => one !== "note" && one !== "create"))
    found.add("create").delete("note");
  if (found.has("note")) found.delete("create");
  const ofHints = new Set(hintEvidence(tool.annotations).map(({ effect }) => effect));
  const effect = mainEffect(
    heads,
    new Set([...found].filter((one) => !ofHints.has(one) || says(evidence, one))),
    found,
  );
  const strictest = strongest(found);
  const category = [...found].some((one) => categoryOf[one] === "external") ? "external" : categoryOf[strictest];
  const { origin, why } = originOf(tool, effect);
  const reasons = unique([
    ...evidence
      .filter((one) => one.effect === strictest || one.effect === effect || found.has(one.effect))
      .map((one) => `${one.why} (${one.effect})`),
    ...(unknown ? ["no verb of it is known, so it counts as a change"] : []),
    ...(effect === "read" ? [why] : []),
  ]);
  const sure = ofName.some(({ head }) => head) && ofDescription.some(({ head }) => head) && !unknown;
  return { name: tool.name, effect, effects: found, category, origin, sure, nouns: nounsOf(tool), reasons };
}

/** "Messages of the practice", "Posts that mention me", "Open alerts": nouns for what a reader returns, no acts. */
const LISTED = /^(?:\p{L}+s(?= (?:of|from|about|that|which)\b)|open (?=\p{L}+s\b))/iu;

/** A browser goes to an address, and reads there; a robot goes to a room, and moves. */
function goingTo(evidence: Evidence, { parameters }: ToolWords): Evidence {
  if (evidence.effect !== "reach") return evidence;
  return { ...evidence, effect: takesAddress(parameters) ? "read" : "change" };
}

/** The effect that the tool is named after, if that is more than reading; else its most harmful effect. */
function mainEffect(
  heads: readonly Evidence[],
  said: ReadonlySet<InferredEffect>,
  found: ReadonlySet<InferredEffect>,
): InferredEffect {
  const named = heads.find(({ effect }) => found.has(effect) && effect !== "read")?.effect;
  // A hint says what may happen, not what the tool is for.
  const strongestSaid = strongest(said);
  return named ?? (strongestSaid === "read" || strongestSaid === "change" ? strongest(found) : strongestSaid);
}

const says = (evidence: readonly Evidence[], effect: InferredEffect): boolean =>
  evidence.some((one) => one.effect === effect && !one.why.startsWith("its server says"));

/** `ping`, `report_status`: a tool without arguments whose description says that it reads sends nothing. */
function sendsNothing({ name, parameters }: ToolWords, described: readonly Evidence[]): boolean {
  const [verb = ""] = nameWords(name);
  const reads = described.length > 0 && described.every(({ effect }) => effect === "read");
  return (verb === "ping" || verb === "report") && reads && argumentsOf(parameters).length === 0;
}

function hintEvidence(annotations: unknown): readonly Evidence[] {
  const hint = (name: string) => memberOf(annotations, name);
  if (hint("destructiveHint") === true && hint("readOnlyHint") !== true)
    return [{ effect: "destroy", why: "its server says `destructiveHint`" }];
  return hint("readOnlyHint") === false
    ? [{ effect: "change", why: "its server says that it does not only read" }]
    : [];
}

/** Words of a name that are neither verb nor noun of the tool. */
const FILLERS = new Set(
  `a an all the of for to in on at by with from and or my user current recent latest last most new id ids name list info information
  details detail data number get set up out unread sent received scheduled available count result results query by_id tool api v1 v2 is as off down back
  existing pending single multiple specific using via`.split(/\s+/),
);

/**
 * "The bookings of a customer by mail address", "the orders of the `customer_email`": they identify a person and are no mail. What came by mail is mail.
 * In lower case.
 */
function withoutAddresses(description: string): string {
  return description.toLowerCase().replace(MAIL_ADDRESS, " … ");
}
const MAIL_ADDRESS =
  /\be?-?mail[\s_-]?add?ress(?:es)?\b|\b\p{L}+_e?mail\b|(?<!(?:,|\b(?:sent|received|came|come|arrived?|got|delivered|written|wrote|messages?|files?|answers?|replies|us|asked|told|placed|filed|submitted|requested|made|offered)) )\bby (?:(?:the|their|his|her|its|a|an) )?e?-?mail\b(?! (?:text|body|content|message|subject|thread))/gu;

/** Those of known families first; of several the one that the verb governs, which English names put last. */
function ownNouns(name: string): readonly string[] {
  const words = nameWords(name);
  const by = words.findIndex(
    (word, at) => at > 0 && ["by", "for", "from", "with", "in", "to", "of", "using", "via"].includes(word),
  );
  return (by > 0 ? words.slice(0, by) : words).map(singular);
}

/** Names of services that are nouns of families, too. */
const SERVICES: ReadonlySet<string> = new Set(
  "gmail outlook slack whatsapp telegram github gitlab reddit youtube jira".split(" "),
);

function nounsOf({ name, description = "" }: ToolWords): readonly string[] {
  const own = ownNouns(name);
  const isNoun = (word: string, at: number) =>
    !FILLERS.has(word) && !/^\d/.test(word) && (at > 0 || verbOf(word) === undefined);
  const all = own.filter(isNoun);
  // A "Gmail filter" is a filter.
  const nouns = all.filter((word, at) => !(SERVICES.has(word) && at < all.length - 1));
  // `add_user_to_channel`: also about a channel.
  const others = nameWords(name).slice(own.length).map(singular).filter(isNoun);
  // "Invites a person by email": the means, not the object. "Returns them": nothing is sent back.
  const [about = ""] = withoutAddresses(description)
    .toLowerCase()
    .replace(/\breturns\b/g, " ")
    .split(/\b(?:by|via|using)\b/);
  const described = (about.match(/[\p{L}]+/gu) ?? []).slice(0, 12).map(singular);
  const isExact = (word: string) => familyOfNoun(word) !== undefined && !isGeneric(word);
  // An "invoice item" is of an invoice, and a "list item" of what the description calls the list.
  const isService = (word: string) => all.includes(word) && !nouns.includes(word);
  const known = [
    ...[...nouns.toReversed(), ...own.slice(0, 1), ...described].filter((word) => isExact(word) && !isService(word)),
    ...nouns.toReversed().filter(isGeneric),
  ];
  return unique([
    ...known.slice(0, 2),
    ...nouns.toReversed(),
    ...known,
    ...others,
    ...(nouns.length === 0 ? governed(about) : []),
  ]);
}

/** "Delete Kubernetes resources by name": what the first verb is done to, if the name does not say it. */
function governed(description: string): readonly string[] {
  const words = (description.match(/[\p{L}]+|[,()]/gu) ?? []).slice(0, 12);
  const verb = words.findIndex((word) => verbOf(word) !== undefined);
  const noun = verb < 0 ? undefined : objectOf(words.slice(verb + 1));
  return noun !== undefined && /^\p{L}{3,}$/u.test(noun) && !FILLERS.has(noun) && verbOf(noun) === undefined
    ? [noun]
    : [];
}

function originOf(tool: ToolWords, effect: InferredEffect): { readonly origin: Origin; readonly why: string } {
  const byThirdParty = (why: string) => ({ origin: "third_party" as const, why });
  if (effect !== "read" && effect !== "reach") return byThirdParty("");
  if (memberOf(tool.annotations, "openWorldHint") === true)
    return byThirdParty("its server says that others take part in what it returns");
  const named = ownNouns(tool.name);
  // English names put what they are about last: the members of a channel, the temperature of a room.
  const noun = named.findLast((word, at) => originOfNoun(word) && !isReading(word, named[at + 1]));
  const origin = noun && originOfNoun(noun);
  const described = (withoutAddresses(tool.description ?? "").match(/[\p{L}-]+/gu) ?? []).slice(0, 60).map(singular);
  // A contact's mail is an address and no text.
  const isText = (word: string) => OTHERS_TEXT.has(word) && !(origin === "directory" && ADDRESSES.has(word));
  const text = [...named, ...described].find((word) => isText(word) && verbOf(word)?.effect !== "read");
  if (text) return byThirdParty(`it returns text that others may have written (\`${text}\`)`);
  if (!noun || !origin) return byThirdParty("it is not known who wrote what it returns, so others may have");
  // A required argument says whose: `get_profile(handle)`.
  const takesIds = argumentsOf(tool.parameters).some(
    ({ name, required }) => required || /id$|username$|email$|query$|search$/i.test(name),
  );
  // The leave of an employee is no list of employees.
  const head = named.findLast((word, at) => at > 0 && !FILLERS.has(word));
  if (origin === "directory" && head !== undefined && head !== noun && !isReading(head, named.at(-1)))
    return byThirdParty(`it returns something of each \`${noun}\`, and others may have written it`);
  const isOfMany = /users|profiles|members|people/i.test(tool.name);
  if (origin === "own" && (takesIds || isOfMany) && familyOfNoun(noun) === "account")
    return { origin: "records", why: `it returns records of accounts that may be others' (\`${noun}\`)` };
  const whose = {
    own: "values that nobody else writes",
    records: "records of the user's own",
    directory: "a list that the user keeps",
    third_party: "text of others",
  };
  return { origin, why: `it returns ${whose[origin]} (\`${noun}\`)` };
}

/** `view_access_history`: the verb, not a noun for what it returns. */
const isReading = (word: string, next: string | undefined): boolean =>
  next !== undefined && verbOf(word)?.effect === "read";

interface GuessedEntry {
  readonly category: Category;
  /** A tool that reaches other people needs a question each time, not only the first time. */
  readonly sensitive?: true;
}

/** A first policy entry for a tool of which only the name is known. */
export function guessEntry(name: string): GuessedEntry {
  const { category } = inferTool({ name });
  return category === "external" ? { category, sensitive: true } : { category };
}
