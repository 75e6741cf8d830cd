/** What a call is about, for its title: the argument that names it, with how much, when, where it goes, or what it is in. Pure. */

import { snakeCase, type Verb, wordsOfName } from "../../lib/acts/tool-verb.ts";
import { codeSpan } from "../../lib/text/prose.ts";
import { verbOf as actVerbOf } from "../../policy/infer/verbs.ts";
import { fillWords, type Words } from "../words/words.ts";
import type { Disclosure } from "./disclosed.ts";
import { nameable } from "./shown-value.ts";

export type Arguments = Readonly<Record<string, unknown>>;

export interface TitledCall {
  readonly disclosure: Pick<Disclosure, "tool" | "category" | "listed" | "template" | "description"> &
    Partial<Pick<Disclosure, "undoes">>;
  /** As who reads may see them. */
  readonly args: Arguments;
  /** The same as the call has them: `args` may stand in an object of their own. The policy's words name these. */
  readonly given: Arguments;
  /** Those of the arguments, in the order in which they are shown. */
  readonly names: readonly string[];
  /** What the policy keeps out of records is kept out of titles made of names, which lists and notifications show. */
  readonly isPrivate: (name: string) => boolean;
}

export const isVerb = (word: string): boolean => actVerbOf(word) !== undefined;

/** Without the prefix that other tools share. */
export const nameOf = (tool: string): string => wordsOfName(tool.slice(0, 80), isVerb).join("_");

/** The words of a name after its verb: `create_invoice` → `invoice` */
export const nounOf = (tool: string): string => nameOf(tool).split("_").slice(1).join(" ");

const looks: ReadonlySet<Verb> = new Set(["read", "fetch"]);
/** Done to what an id names, whatever the noun of the tool's name is: `set_brightness(entity_id)`. */
const isOperated: ReadonlySet<Verb> = new Set([
  "activate",
  "archive",
  "close",
  "deactivate",
  "label",
  "lock",
  "mark",
  "open",
  "pause",
  "pin",
  "play",
  "reply",
  "resume",
  "set",
  "start",
  "stop",
  "toggle",
  "turnOff",
  "turnOn",
  "unlock",
]);
/** Verbs whose object is what the tool's name says, where an argument names something else. */
const makes: ReadonlySet<Verb> = new Set(["create", "add", "append", "edit", "write", "save"]);
const makesNew: ReadonlySet<Verb> = new Set(["create", "add"]);
/** What is new has these of its own. */
const ownNames =
  /^(?:id|key|name|title|subject|summary|label|slug|text|content|body|url|uri|href|query|command|to)$|(?:^|_)(?:path|file|filename|filepath|email|phone)$/;
/** Others are in them. */
const places =
  /^(?:repo|repository|project|workspace|board|folder|calendar|database|channel|chat)(?:_(?:id|key|name))?$/;
const numbers = /^(?:number|iid)$|^(?:pull|pull_request|pr|mr|merge_request|issue|ticket|discussion)_(?:number|iid)$/;

/** Whom or what something new is for. */
const parties =
  /^(?:payment_intent|payment|charge|order|invoice|booking|subscription|customer|client|account|contact|user)$/;

/** `repo` names a repository, and `patient_id` a patient record. */
const sharesWord = (noun: string, key: string): boolean =>
  noun.split(" ").some((word) => key.includes(word.replace(/s$/, "")) || word.startsWith(key));

const goods = /^(?:item|product|article|sku|medicine|medication|drug)$/;
const amounts = /^(?:amount|total|quantity|qty|count|percent|dose|dosage)$/;
const days = /^(?:date|day|start_date|start_day|check_in)$/;
const times = /^(?:time|start_time)$/;

const recipients =
  /^(?:to|recipients?|receiver|email|address|channel|user|chat_id|(?:phone|mobile|telephone)(?:_number)?|tel|msisdn)$/;
/** Who gets a message: of a call that does something else, its object comes first. */
const people = /^(?:customer|client|contact|guest|member|owner|recipient|user)_(?:email|id|name|phone)$/;
const money = /^(?:amount|total)$/;
const payee = /^(?:to|recipient|payee|beneficiary|iban|account)$|^(?:to|recipient|payee|beneficiary)_/;
const destination = /^(?:to|target|dest|destination|dst|new_name|new_path)$|^(?:target|dest|destination)_/;
const preferred: Readonly<Partial<Record<Verb, RegExp>>> = {
  send: recipients,
  reply: recipients,
  invite: /^(?:emails?|to|users?|members?|guests?|invitees?|attendees?)$|(?:^|_)(?:email|user_id|username)$/,
  play: /^(?:media|track|song|album|artist|playlist|video|station|content)(?:_(?:id|name|uri|url))?$|^(?:query|title|name|ur[il])$/,
  run: /^(?:command|cmd|script|code|query|sql)$/,
  deploy: /^(?:target|environment|env|stage|service|app)$/,
  search: /^(?:query|q|pattern|term|topic|text)$/,
  fetch: /^(?:url|uri|href)$/,
  move: /^(?:source|src|from|old_path|path)$/,
  copy: /^(?:source|src|from|path)$/,
  rename: /^(?:source|src|from|old_name|old_path|path)$/,
  pay: money,
  refund: money,
  transfer: money,
};
/** What an amount is for, and where something goes: named beside what the call is about. */
const others: Readonly<
  Partial<Record<Verb, { readonly joined: "for" | "to" | "into" | "renamed"; readonly names: RegExp }>>
> = {
  pay: { joined: "to", names: payee },
  transfer: { joined: "to", names: payee },
  refund: { joined: "for", names: /^(?:order|invoice|payment|booking|customer)$|(?:^|_)id$/ },
  move: { joined: "into", names: destination },
  copy: { joined: "into", names: destination },
  assign: {
    joined: "to",
    names: /^(?:assignee|assigned_to|owner|user|username|member|agent|to)(?:_(?:id|name|email))?$/,
  },
  rename: { joined: "renamed", names: destination },
};
/** Their words make sense of nothing else. */
const strict: ReadonlySet<Verb> = new Set(["send", "search", "play", "invite"]);
/** "Create `hi`?" is true of a tool's only argument, whatever its name is. "Delete `spam`?" of a `reason` is not. */
const takesAny: ReadonlySet<Verb> = new Set([
  "create",
  "add",
  "post",
  "commit",
  "run",
  "write",
  "save",
  "install",
  "fetch",
  "download",
  "read",
  "set",
  "turnOn",
  "turnOff",
]);
/** Of `run_report(from, to)` neither is what runs: they say who gets something only of a tool that names no other act. */
const receivers = /^(?:to|recipients?|receiver)$/;
/** What calls are about, the surest first. */
const objects: readonly RegExp[] = [
  /^(?:path|file|filename|file_path|filepath)$/,
  /^(?:url|uri|href)$/,
  recipients,
  /^(?:query|q)$/,
  /(?:^|_)(?:path|file|url)$/,
  numbers,
  /^(?:id|key|name|title|subject|branch|table)$/,
  /_(?:id|key|name)$/,
  /^(?:command|cmd)$/,
  parties,
  places,
];

export interface TitleObject {
  /** The argument's name. */
  readonly key: string;
  readonly span: string;
  /** The arguments that it shows whole. */
  readonly named: readonly string[];
}

/** A call has few arguments; one that has thousands is about none of them. */
const MAX_LOOKED_AT = 20;

function openArguments({ args, names, isPrivate }: TitledCall): readonly TitleObject[] {
  return names.slice(0, MAX_LOOKED_AT).flatMap((name) => {
    const object = isPrivate(name) ? undefined : objectIn(name, args[name]);
    return object ? [{ ...object, key: snakeCase(name.slice(0, 100)) }] : [];
  });
}

/** `129.50`, or `129.50` for `A-1042` */
export function objectOf(call: TitledCall, verb: Verb | undefined, { title: words }: Words): TitleObject | undefined {
  const all = openArguments(call);
  const open = verb && !strict.has(verb) && verb !== "reply" ? all.filter(({ key }) => !receivers.test(key)) : all;
  const first = verb && preferred[verb];
  const ofGoods = verb === undefined || makes.has(verb) ? [goods] : [];
  const getsMessage = verb === "send" || verb === "reply" ? [people] : [];
  const sought = [...(first ? [first] : ofGoods), ...getsMessage, ...(verb && strict.has(verb) ? [] : objects)];
  const found = sought.map((pattern) => open.find(({ key }) => pattern.test(key))).find((one) => one !== undefined);
  const mayBeAny = call.names.length === 1 && (verb === undefined || takesAny.has(verb));
  const object = found ?? (mayBeAny ? open[0] : undefined);
  const beside = verb && others[verb];
  const other = beside && all.find((one) => one !== object && beside.names.test(one.key));
  if (!object || !other) return object;
  return {
    key: object.key,
    span: fillWords(words[beside.joined], { object: object.span, other: other.span }),
    named: [...object.named, ...other.named],
  };
}

const ids = /(?:^|_)(?:id|iid|number|ref|reference)$/;

/** A value, or a short list of texts. */
function objectIn(name: string, value: unknown): Omit<TitleObject, "key"> | undefined {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= 3;
  // `Cancel 2001?`: of an id it does not matter whether the call writes it as a number.
  const isNumeral =
    typeof value === "string" && ids.test(snakeCase(name.slice(0, 100))) && /^[1-9]\d{0,14}$/.test(value);
  const texts = isNumeral ? [value] : (isList ? (value as unknown[]) : [value]).map(nameable);
  if (!texts.every((text) => text !== undefined)) return undefined;
  return { span: texts.map(codeSpan).join(", "), named: isList ? [] : [name] };
}

/** `create_invoice(patient_id)`, `update_stock(sku)`, `post_comment(issue_number)`: something that the tool's name does not speak of. */
export function isOfAnother(call: TitledCall, verb: Verb | undefined, { key }: TitleObject): verb is Verb {
  const noun = nounOf(call.disclosure.tool);
  if (verb === undefined || noun === "" || strict.has(verb) || looks.has(verb) || others[verb] || isOperated.has(verb))
    return false;
  const [, thing = ""] = /^(.+)_(?:id|key|number)$/.exec(key) ?? [];
  const isForeign =
    (makesNew.has(verb) && !ownNames.test(key)) || [goods, places, parties].some((one) => one.test(key));
  const other = thing === "" && isForeign ? key : thing;
  // `note_delete` names the note before the verb.
  return other !== "" && !sharesWord(nameOf(call.disclosure.tool).replaceAll("_", " "), other);
}

/** A pull request by its number, or what is new by its name, beside the repository that it is in. */
export function isWithin(call: TitledCall, verb: Verb, { key }: TitleObject): boolean {
  const noun = nounOf(call.disclosure.tool);
  const isOwn =
    (numbers.test(key) && (!makes.has(verb) || key === "number" || sharesWord(noun, key))) ||
    (makesNew.has(verb) && (ownNames.test(key) || sharesWord(noun, key)));
  return noun !== "" && isOwn && openArguments(call).some((one) => one.key !== key && places.test(one.key));
}

/** `42`, `shop` */
export const withPlace = (call: TitledCall, object: TitleObject): TitleObject =>
  joinedWith(
    object,
    openArguments(call).find(({ key }) => key !== object.key && places.test(key)),
  );

/** `Metacam`, `5`: with how much, else with when. */
export function withAmounts(call: TitledCall, object: TitleObject): TitleObject {
  const open = openArguments(call).filter(({ key }) => key !== object.key);
  const amount = open.find(({ key }) => amounts.test(key));
  const found = amount ? [amount] : [days, times].map((kind) => open.find(({ key }) => kind.test(key)));
  return found.reduce(joinedWith, object);
}

const joinedWith = (object: TitleObject, other: TitleObject | undefined): TitleObject =>
  other ? { ...object, span: `${object.span}, ${other.span}`, named: [...object.named, ...other.named] } : object;
