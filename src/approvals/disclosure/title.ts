/**
 * Names what a call does, for the approver: by the policy's own words, else by the tool's name and what the call is about.
 * Never by the client's description of its tool: the author of the tool would otherwise write the question too. Pure.
 */

import { joinsActs, snakeCase, type Verb, verbOf, wordsOfName } from "../../lib/acts/tool-verb.ts";
import { redacted } from "../../lib/redact.ts";
import { codeSpan, proseParts } from "../../lib/text/prose.ts";
import { plainLine } from "../../lib/text/visible-text.ts";
import { verbOf as actVerbOf } from "../../policy/infer/verbs.ts";
import { fillWords, joinSentences, type Words } from "../words/words.ts";
import type { Language, UndoneCall } from "./disclosed.ts";
import { membersOf } from "./members.ts";
import { nameable, shownValue, valueInSentence } from "./shown-value.ts";
import { fillTemplate, localText, placesOf, policyWords, splitQuestion, textIn } from "./template.ts";
import {
  type Arguments,
  isOfAnother,
  isVerb,
  isWithin,
  nameOf,
  nounOf,
  objectOf,
  type TitledCall,
  type TitleObject,
  withAmounts,
  withPlace,
} from "./title-object.ts";

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
  const { disclosure, given: args } = call;
  if (disclosure.undoes) return undoTitle(disclosure.undoes, disclosure.tool, words);
  const template = localText(disclosure.template, language);
  if (template !== undefined) {
    const { statement, question } = splitQuestion(template);
    const sentence = withFullStop(fillTemplate(statement, args), words);
    // "Write {{path}}, replacing what is in it?" asks by itself.
    const asks = question ?? (/[?？]\s*$/.test(statement) ? "" : words.title.proceed);
    const title = joinSentences([sentence, asks], words);
    if (statement !== "" && title.length <= MAX_TITLE) return { title, summary: "", named: wholeIn(statement, args) };
    if (statement !== "") return { ...nameTitle(call, words, language), summary: sentence };
  }
  // It is written for the model, in one language: in another conversation the name says more.
  const description = policyWords(textIn(disclosure.description, language) ?? "").trim();
  return description === "" ? nameTitle(call, words, language) : describedTitle(call, description, words, language);
}

/** The person has asked for the undo, and may not know the tool that does it. */
function undoTitle(
  { tool: done, arguments: args }: UndoneCall,
  tool: string,
  { effects, notes: { undo } }: Words,
): Title {
  const first = firstValues(membersOf(done, args));
  const values = first === "" ? "" : `${effects.brackets.open}${first}${effects.brackets.close}`;
  return {
    title: fillWords(undo.title, { tool: codeSpan(shownTool(done)), values }),
    summary: fillWords(undo.uses, { tool: codeSpan(shownTool(tool)) }),
    named: [],
  };
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
  const saysAct =
    verb !== undefined || (language === "en" && actOf(tool) !== undefined && !joinsActs(wordsOfName(tool)));
  const summary = saysAct && listed ? "" : does[category];
  const titled = (title: string, shown: TitleObject | undefined): Title => ({
    title,
    summary,
    named: shown?.named ?? [],
  });
  if (listed && object && verb && isWithin(call, verb, object)) {
    const values = withPlace(call, object);
    const made = language === "en" ? actOf(tool) : undefined;
    const named = { object: `${codeSpan(nounOf(tool))} ${values.span}` };
    return titled(
      made
        ? fillWords(words.describedWith, { words: made, object: values.span })
        : capitalised(fillWords(words.verbs[verb], named)),
      values,
    );
  }
  const isOther = object !== undefined && isOfAnother(call, verb, object);
  if (listed && isOther) {
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
  const act = language === "en" && listed && !(verb && object && !namesMore.has(verb)) ? actOf(tool) : undefined;
  if (act !== undefined) {
    const values = object && withAmounts(call, object);
    return titled(
      fillWords(values ? words.describedWith : words.described, { words: act, object: values?.span ?? "" }),
      values,
    );
  }
  const name = codeSpan(shownTool(tool));
  const sent = language === "en" && listed && object ? sentThing(nameOf(tool)) : undefined;
  if (sent) return titled(fillWords(words.sendsTo, { words: sent, object: object?.span ?? "" }), object);
  // Without what it is about, or with another thing, the verb alone says something else than the call does.
  if (verb && object && !isOther)
    return titled(fillWords(words.verbs[verb], { object: withNoun(tool, verb, object.span, allWords) }), object);
  // The noun of the tool's name says more than the name itself, where the sentence has a place for it.
  const noun = object || !verb || !listed || needsPerson.has(verb) ? "" : nounBehind(tool, verb);
  if (verb && noun !== "") return titled(fillWords(words.verbs[verb], { object: codeSpan(noun) }), undefined);
  const values = object && withAmounts(call, object);
  return titled(fillWords(values ? words.useWith : words.use, { tool: name, object: values?.span ?? "" }), values);
}

/** Verbs that say little without the noun behind them: `Lock door: front?`, `Set brightness: hall, 40?` */
const namesMore: ReadonlySet<Verb> = new Set(
  "activate archive assign book close deactivate label lock mark open pause pin play resume set start stop toggle turnOff turnOn unlock".split(
    " ",
  ) as Verb[],
);
/** Their sentences name whom or what it is for. */
const needsPerson: ReadonlySet<Verb> = new Set(["append", "invite", "reply", "search", "send"]);

/** Empty where the verb is not the first word: `git_commit`. */
const nounBehind = (tool: string, verb: Verb): string =>
  verbOf({ tool: nameOf(tool).split("_")[0] ?? "", category: null }) === verb ? nounOf(tool) : "";

/** `hall` (`brightness`), where the verb alone does not say what is set. */
function withNoun(tool: string, verb: Verb, object: string, { effects: { brackets } }: Words): string {
  const noun = verb === "set" || verb === "mark" ? nounBehind(tool, verb) : "";
  return noun === "" ? object : `${object}${brackets.open}${codeSpan(noun)}${brackets.close}`;
}

/** `send_sms_to_owner` → `Send SMS` */
function sentThing(tool: string): string | undefined {
  const [, thing] = /^(send(?:_(?!to_)[a-z]{3,20}){1,3})(?:_to_[a-z_]{1,30})?$/.exec(snakeCase(tool)) ?? [];
  return thing === undefined || thing === "send_to" ? undefined : actOf(thing);
}

/** The operator's own name as words, where it begins with a verb that does more than look: `book_appointment` → `Book appointment`. */
function actOf(tool: string): string | undefined {
  const words = wordsOfName(tool.slice(0, 80), isVerb);
  const verb = words.length > 1 ? actVerbOf(words[0] ?? "") : undefined;
  return verb !== undefined && verb.effect !== "read"
    ? capitalised(words.map((word) => (ACRONYMS.has(word) ? word.toUpperCase() : word)).join(" "))
    : undefined;
}

const ACRONYMS: ReadonlySet<string> = new Set("sms mms api url pdf csv id ip dns vm pr iban crm faq".split(" "));

export const shownTool = (tool: string): string => shownValue(tool, 80).text;

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function withFullStop(text: string, { sentence }: Words): string {
  if (text === "" || /[.!?。！？…]$/.test(text)) return text;
  return text + (/[\0-\x7f]$/.test(text) ? "." : sentence.end);
}

/** The least disclosure: one line for a call that runs unasked. In Markdown; in a span of code nothing comes to life. */
export function unconfirmedLine(call: Pick<TitledCall, "disclosure" | "args">, language: Language): string {
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
  const values = firstValues(membersOf(tool, args));
  return values === "" ? shownTool(tool) : `${shownTool(tool)}: ${values}`;
}

/** ``title `Gadamer`, private `true` `` */
const firstValues = (args: Arguments): string =>
  Object.keys(args)
    .filter((name) => args[name] !== redacted)
    .slice(0, 3)
    .map((name) => `${plainLine(name, 80).replaceAll("`", "'")} ${valueInSentence(args[name])}`)
    .join(", ");
