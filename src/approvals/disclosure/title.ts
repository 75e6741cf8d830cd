/**
 * Names what a call does, for the approver: by the policy's own words, else by the tool's name and what the call is about.
 * Never by the client's description of its tool: the author of the tool would otherwise write the question too. Pure.
 */

import { redacted } from "../../lib/redact.ts";
import { codeSpan, proseParts } from "../../lib/text/prose.ts";
import { snakeCase, type Verb, verbOf } from "../../lib/text/tool-verb.ts";
import { plainLine } from "../../lib/text/visible-text.ts";
import { verbOf as actVerbOf } from "../../policy/infer/verbs.ts";
import { fillWords, type Words } from "../words/words.ts";
import type { Disclosure, Language } from "./disclosed.ts";
import { nameable, shownValue, valueInSentence } from "./shown-value.ts";
import { fillTemplate, localText, placesOf, policyWords, splitQuestion } from "./template.ts";

type Arguments = Readonly<Record<string, unknown>>;

export interface TitledCall {
  readonly disclosure: Pick<Disclosure, "tool" | "category" | "listed" | "template" | "description">;
  /** As who reads may see them. */
  readonly args: Arguments;
  /** Those of the arguments, in the order in which they are shown. */
  readonly names: readonly string[];
  /** What the policy keeps out of records is kept out of titles made of names, which lists and notifications show. */
  readonly isPrivate: (name: string) => boolean;
}

interface Title {
  readonly title: string;
  readonly summary: string;
  readonly named: readonly string[];
}

/** A longer sentence is no title. */
const MAX_TITLE = 240;
const MAX_DESCRIBED = 80;
const MAX_SUMMARY = 600;

export function titleOf(call: TitledCall, language: Language, words: Words): Title {
  const { disclosure, args } = call;
  const template = localText(disclosure.template, language);
  if (template !== undefined) {
    const { statement, question } = splitQuestion(template);
    const sentence = withFullStop(fillTemplate(statement, args), words);
    const title = `${sentence}${words.sentence.space}${question ?? words.title.proceed}`;
    if (statement !== "" && title.length <= MAX_TITLE) return { title, summary: "", named: wholeIn(statement, args) };
    if (statement !== "") return { ...nameTitle(call, words, language), summary: sentence };
  }
  const description = policyWords(disclosure.description ?? "").trim();
  return description === "" ? nameTitle(call, words, language) : describedTitle(call, description, words, language);
}

/** The arguments whose values the policy's sentence shows as they are. */
const wholeIn = (statement: string, args: Arguments): readonly string[] =>
  placesOf(statement).filter((name) => Object.hasOwn(args, name) && nameable(args[name]) !== undefined);

/** `Write a file, replacing what it held: a.txt?` */
function describedTitle(call: TitledCall, description: string, words: Words, language: Language): Title {
  const [, first = description] = /^(.*?)[.!。！](?:\s|$)/s.exec(description) ?? [];
  const act = capitalised(first.replace(/[.!?。！？…]+$/, ""));
  if (act === "" || act.length > MAX_DESCRIBED) {
    return {
      ...nameTitle(call, words, language),
      summary: withFullStop(capitalised(plainLine(description, MAX_SUMMARY)), words),
    };
  }
  const object = objectOf(call, verbOf(call.disclosure), words);
  const isWhole = first.length + 1 >= description.length;
  return {
    title: fillWords(object ? words.title.describedWith : words.title.described, {
      words: act,
      object: object?.span ?? "",
    }),
    summary: isWhole ? "" : withFullStop(plainLine(description, MAX_SUMMARY), words),
    named: object?.named ?? [],
  };
}

/** `Delete old.txt?`, `Create invoice for p_77, 60?`, `Book appointment: p_77?`, `Use gnorm_annotate?` */
function nameTitle(call: TitledCall, allWords: Words, language: Language): Title {
  const { title: words, does } = allWords;
  const { tool, category, listed } = call.disclosure;
  const verb = verbOf(call.disclosure);
  const object = objectOf(call, verb, allWords);
  // A name that the policy does not list may say less than the tool does.
  const summary = verb && listed ? "" : does[category];
  const titled = (title: string, shown: TitleObject | undefined): Title => ({
    title,
    summary,
    named: shown?.named ?? [],
  });
  if (listed && object && isOfAnother(call, verb, object)) {
    // "Create `p_77`?" would create the patient, and not the invoice.
    const values = withAmounts(call, object);
    const made = language === "en" ? actOf(tool) : undefined;
    const noun = made ?? codeSpan(nounOf(tool));
    const whole = fillWords(words.for, { object: noun, other: values.span });
    return titled(
      made
        ? fillWords(words.described, { words: whole })
        : capitalised(fillWords(words.verbs[verb], { object: whole })),
      values,
    );
  }
  const act = language === "en" && listed && !(verb && object) ? actOf(tool) : undefined;
  if (act !== undefined) {
    const values = object && withAmounts(call, object);
    return titled(
      fillWords(values ? words.describedWith : words.described, { words: act, object: values?.span ?? "" }),
      values,
    );
  }
  const name = codeSpan(shownTool(tool));
  const sent = language === "en" && listed && object ? sentThing(tool) : undefined;
  if (sent) return titled(fillWords(words.sendsTo, { words: sent, object: object?.span ?? "" }), object);
  if (verb)
    // In German the object comes first, and it may be words of ours.
    return titled(
      capitalised(fillWords(words.verbs[verb], { object: object?.span ?? fillWords(words.something, { tool: name }) })),
      object,
    );
  const values = object && withAmounts(call, object);
  return titled(fillWords(values ? words.useWith : words.use, { tool: name, object: values?.span ?? "" }), values);
}

/** `send_sms_to_owner` → `Send SMS` */
function sentThing(tool: string): string | undefined {
  const [, thing] = /^(send_[a-z]{3,20})(?:_to_[a-z_]{1,30})?$/.exec(snakeCase(tool)) ?? [];
  return thing === undefined || thing === "send_to" ? undefined : actOf(thing);
}

/** The words of a name after its verb: `create_invoice` → `invoice` */
const nounOf = (tool: string): string => snakeCase(tool.slice(0, 80)).split("_").slice(1).join(" ");

/** Verbs whose object is what the tool's name says, where an argument names something else. */
const makes: ReadonlySet<Verb> = new Set(["create", "append", "edit", "write"]);

/** `create_invoice(patient_id)`, `update_stock(sku)`: the id of something that the tool's name does not speak of. */
function isOfAnother(call: TitledCall, verb: Verb | undefined, { key }: TitleObject): verb is Verb {
  const noun = nounOf(call.disclosure.tool);
  if (verb === undefined || !makes.has(verb) || noun === "") return false;
  const [, thing = ""] = /^(.+)_(?:id|key|number)$/.exec(key) ?? [];
  const other = thing === "" && goods.test(key) ? key : thing;
  return other !== "" && !noun.split(" ").some((word) => other.includes(word.replace(/s$/, "")));
}

const goods = /^(?:item|product|article|sku|medicine|medication|drug)$/;
const amounts = /^(?:amount|total|quantity|qty|count|percent|dose|dosage)$/;
const days = /^(?:date|day|start_date|start_day|check_in)$/;
const times = /^(?:time|start_time)$/;

/** `Metacam`, `5`: with how much, else with when. */
function withAmounts(call: TitledCall, object: TitleObject): TitleObject {
  const open = openArguments(call).filter(({ key }) => key !== object.key);
  const amount = open.find(({ key }) => amounts.test(key));
  const found = amount ? [amount] : [days, times].flatMap((kind) => open.find(({ key }) => kind.test(key)) ?? []);
  return {
    ...object,
    span: [object, ...found].map(({ span }) => span).join(", "),
    named: [object, ...found].flatMap(({ named }) => named),
  };
}

/** The operator's own name as words, where it begins with a verb that does more than look: `book_appointment` → `Book appointment`. */
function actOf(tool: string): string | undefined {
  const words = snakeCase(tool.slice(0, 80))
    .split("_")
    .filter((word) => word !== "");
  const verb = words.length > 1 ? actVerbOf(words[0] ?? "") : undefined;
  return verb !== undefined && verb.effect !== "read"
    ? capitalised(words.map((word) => (ACRONYMS.has(word) ? word.toUpperCase() : word)).join(" "))
    : undefined;
}

const ACRONYMS: ReadonlySet<string> = new Set("sms mms api url pdf csv id ip dns vm pr iban crm faq".split(" "));

export const shownTool = (tool: string): string => shownValue(tool, 80).text;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function withFullStop(text: string, { sentence }: Words): string {
  if (text === "" || /[.!?。！？…]$/.test(text)) return text;
  return text + (/[\0-\x7f]$/.test(text) ? "." : sentence.end);
}

const recipients =
  /^(?:to|recipients?|receiver|email|address|channel|user|chat_id|(?:phone|mobile|telephone)(?:_number)?|tel|msisdn)$/;
const money = /^(?:amount|total)$/;
const payee = /^(?:to|recipient|payee|beneficiary|iban|account)$|^(?:to|recipient|payee|beneficiary)_/;
const destination = /^(?:to|target|dest|destination|dst|new_name|new_path)$|^(?:target|dest|destination)_/;
const preferred: Readonly<Partial<Record<Verb, RegExp>>> = {
  send: recipients,
  run: /^(?:command|cmd|script|code|query|sql)$/,
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
const others: Readonly<Partial<Record<Verb, { readonly joined: "for" | "to" | "into"; readonly names: RegExp }>>> = {
  pay: { joined: "to", names: payee },
  transfer: { joined: "to", names: payee },
  refund: { joined: "for", names: /^(?:order|invoice|payment|booking|customer)$|(?:^|_)id$/ },
  move: { joined: "into", names: destination },
  copy: { joined: "into", names: destination },
  rename: { joined: "into", names: destination },
};
/** Their words make sense of nothing else. */
const strict: ReadonlySet<Verb> = new Set(["send", "search"]);
/** What calls are about, the surest first. */
const objects: readonly RegExp[] = [
  /^(?:path|file|filename|file_path|filepath)$/,
  /^(?:url|uri|href)$/,
  recipients,
  /^(?:command|cmd)$/,
  /^(?:query|q)$/,
  /(?:^|_)(?:path|file|url)$/,
  /^(?:id|key|name|title|subject|repo|repository|branch|table)$/,
  /_(?:id|key|name)$/,
];

interface TitleObject {
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
function objectOf(call: TitledCall, verb: Verb | undefined, { title: words }: Words): TitleObject | undefined {
  const open = openArguments(call);
  const first = verb && preferred[verb];
  const ofGoods = verb === undefined || makes.has(verb) ? [goods] : [];
  const sought = [...(first ? [first] : ofGoods), ...(verb && strict.has(verb) ? [] : objects)];
  const found = sought.map((pattern) => open.find(({ key }) => pattern.test(key))).find((one) => one !== undefined);
  const object = found ?? (call.names.length === 1 ? open[0] : undefined);
  const beside = verb && others[verb];
  const other = beside && open.find((one) => one !== object && beside.names.test(one.key));
  if (!object || !other) return object;
  return {
    key: object.key,
    span: fillWords(words[beside.joined], { object: object.span, other: other.span }),
    named: [...object.named, ...other.named],
  };
}

/** A value, or a short list of texts. */
function objectIn(name: string, value: unknown): Omit<TitleObject, "key"> | undefined {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= 3;
  const texts = (isList ? (value as unknown[]) : [value]).map(nameable);
  if (!texts.every((text) => text !== undefined)) return undefined;
  return { span: texts.map(codeSpan).join(", "), named: isList ? [] : [name] };
}

/** The least disclosure: one line for a call that runs unasked. In Markdown; in a span of code nothing comes to life. */
export function unaskedLine(call: Pick<TitledCall, "disclosure" | "args">, language: Language): string {
  const template = localText(call.disclosure.template, language);
  const own = template === undefined ? "" : fillTemplate(splitQuestion(template).statement, call.args);
  const line = proseParts(own === "" ? callLine(call) : own)
    .map(({ text, isCode }) => (isCode ? `"${text}"` : text))
    .join("")
    .replace(/[.。…]+$/, "");
  return codeSpan(`${line}…`);
}

/** `search_notes: query "hermeneutical circle"` */
function callLine({ disclosure: { tool }, args }: Pick<TitledCall, "disclosure" | "args">): string {
  const values = firstValues(args);
  return values === "" ? shownTool(tool) : `${shownTool(tool)}: ${values}`;
}

/** ``title `Gadamer`, private `true` `` */
export const firstValues = (args: Arguments): string =>
  Object.keys(args)
    .filter((name) => args[name] !== redacted)
    .slice(0, 3)
    .map((name) => `${plainLine(name, 80).replaceAll("`", "'")} ${valueInSentence(args[name])}`)
    .join(", ");
