/**
 * How a person is asked in the chat, in Markdown that any frontend draws: a short question with its code, its values as code, where no
 * link, image or HTML comes to life, and what can be answered. Pure.
 */

import { codeSpan } from "../../lib/text/prose.ts";
import { durationText } from "../../lib/text/time-text.ts";
import { beginningOf } from "../../lib/text/visible-text.ts";
import type { Approval } from "../approval.ts";
import { markCode } from "../codes.ts";
import { fillWords } from "../words/fill-words.ts";
import type { Words } from "../words/words.ts";
import { wordsOf } from "../words/words-of.ts";
import { tellsAll } from "./changes.ts";
import type { DisclosedArgument, DisclosureView } from "./disclosed.ts";
import { asideText, describeApproval, orderedArguments } from "./disclosure.ts";
import { fenced, hasLongRun, markdownOf, quoted, textBlock, wrapped } from "./markdown.ts";
import { measureOf } from "./shown-value.ts";

export interface FrameSettings {
  /** An answer must name the code. */
  readonly typedCode: boolean;
  /** It must because what others wrote stands in the conversation. */
  readonly untrusted?: boolean | undefined;
  /** An earlier question in the conversation has said how to answer. */
  readonly explained?: boolean | undefined;
  /** The question stands whole above: it is named, and how to answer. */
  readonly brief?: boolean | undefined;
  /** The address of a page that answers it. */
  readonly linkTo?: ((approval: Approval) => string | undefined) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Frames of one reply; a step has hardly more calls. */
const MAX_FRAMES = 20;
export const MAX_VALUES = 10;
const MAX_CHANGES = 20;
/** Of a text of several lines: what a chat shows of it without being asked. */
const MAX_LINES = 12;
const MAX_TEXT = 800;

interface Asked {
  readonly approval: Approval;
  readonly view: DisclosureView;
  /** Something is not shown whole. */
  readonly isCut: boolean;
}

/** One frame for all that wait, with each code in it. */
export function frameText(waiting: readonly Approval[], settings: FrameSettings): string {
  const [first] = waiting;
  if (!first) return "";
  const words = wordsOf(first.disclosure.language);
  const parts: string[] = [];
  const asked: Asked[] = [];
  if (waiting.length > 1) parts.push(`**${fillWords(words.frame.several, { count: String(waiting.length) })}**`);
  for (const [index, approval] of waiting.slice(0, MAX_FRAMES).entries()) {
    const view = describeApproval(approval, "whole", first.disclosure.language);
    const body = settings.brief ? { parts: [], isCut: false } : bodyOf(approval, view, words);
    const number = waiting.length > 1 ? `${index + 1}/${waiting.length} ` : "";
    const link = settings.linkTo?.(approval);
    const tap = link === undefined ? "" : ` · [${words.frame.link}](${link})`;
    parts.push(`**${number}${markdownOf(view.title)}** ${markCode(approval.code)}${tap}`, ...body.parts);
    asked.push({ approval, view, isCut: body.isCut });
  }
  const answers = answersOf(asked, words, settings);
  return settings.brief && waiting.length === 1 ? `${parts.join("")} · ${answers}` : [...parts, answers].join("\n\n");
}

function bodyOf(
  approval: Approval,
  view: DisclosureView,
  words: Words,
): { readonly parts: readonly string[]; readonly isCut: boolean } {
  const raw = orderedArguments(approval, "whole");
  const shown = view.arguments.map((one, index) => ({ one, name: raw[index]?.[0] ?? "", value: raw[index]?.[1] }));
  const listed = shown.filter(({ name, value }) => !view.named.includes(name) && !isChange(value, view));
  const values = listed.slice(0, MAX_VALUES).map(({ one, value }) => listValue(one, value, view, words));
  const more = view.more + listed.length - values.length;
  const others: ListedValue[] =
    more > 0 ? [{ text: `- … (${fillWords(words.frame.moreValues, { count: String(more) })})`, isCut: true }] : [];
  const all = [...values, ...others];
  const effects = view.effects.map(({ text }) => markdownOf(text)).join(words.sentence.space);
  return {
    parts: [
      ...(view.summary === "" ? [] : [markdownOf(view.summary)]),
      ...(all.length === 0
        ? []
        : [
            all
              .map(({ text, block = "" }) => text + block)
              .join("\n")
              .trimEnd(),
          ]),
      ...changesIn(view, words),
      ...(effects === "" ? [] : [effects]),
    ],
    isCut: all.some(({ isCut }) => isCut) || view.changes.length > MAX_CHANGES,
  };
}

/** What changes is shown line by line. */
const isChange = (value: unknown, { changes }: DisclosureView): boolean =>
  typeof value === "string" && changes.length > 0 && changes.length <= MAX_CHANGES && tellsAll(changes, value);

interface ListedValue {
  readonly text: string;
  /** What stands below it. */
  readonly block?: string;
  readonly isCut: boolean;
}

function listValue(one: DisclosedArgument, value: unknown, view: DisclosureView, { frame }: Words): ListedValue {
  const { language } = view;
  const label = `- ${/^[\p{L}\p{N}_.$-]+$/u.test(one.name) ? markdownOf(one.name) : codeSpan(one.name)}`;
  if (one.redacted) return { text: `${label}: ${frame.hidden}`, isCut: false };
  const isText = typeof value === "string" && value.includes("\n");
  if (!isText) {
    const [isCut, aside] = [one.cut !== null, asideText(one, language)];
    if (hasLongRun(one.value)) return { text: `${label}:${aside}`, block: `\n\n${quoted([one.value])}\n`, isCut };
    return { text: `${label}: ${codeSpan(one.value)}${aside}`, isCut };
  }
  const measure = measureOf(value);
  if (view.changes.length > 0) {
    return { text: `${label}${asideText({ ...one, escaped: false, cut: measure }, language)}`, isCut: true };
  }
  const begun = beginningOf(value.split("\n", MAX_LINES).join("\n"), MAX_TEXT);
  const isCut = begun.length < value.length;
  const { markdown, escaped } = textBlock(begun);
  return {
    text: `${label}:${asideText({ ...one, escaped, cut: isCut ? measure : null }, language)}`,
    block: `\n\n${markdown}\n`,
    isCut,
  };
}

function changesIn({ changes }: DisclosureView, words: Words): readonly string[] {
  if (changes.length === 0) return [];
  const left = changes.length - MAX_CHANGES;
  const more = left > 0 ? [`  ${fillWords(words.moreLines, { count: String(left) })}`] : [];
  return [fenced([...changes.slice(0, MAX_CHANGES).flatMap(changedLine), ...more], "diff")];
}

const signs = { same: " ", added: "+", removed: "-" } as const;

/** A line of a change, as the frame and the preview draw it. */
export const changedLine = ({ kind, text }: DisclosureView["changes"][number]): string[] =>
  wrapped(`${signs[kind]} ${text}`);

/** What can be answered: explained once in a conversation, then only named. */
function answersOf(asked: readonly Asked[], words: Words, settings: FrameSettings): string {
  const short = settings.explained === true || settings.brief === true;
  return short ? shortAnswers(asked, words, settings) : explainedAnswers(asked, words, settings);
}

/** A code behind a word where it must be typed, or tells which call is meant. */
const suffixOf = (asked: readonly Asked[], approval: Approval, { typedCode }: FrameSettings): string =>
  typedCode || asked.length > 1 ? ` ${approval.code}` : "";

function shortAnswers(asked: readonly Asked[], words: Words, settings: FrameSettings): string {
  const { options } = words.frame;
  const [first, second] = asked;
  const suffix = first ? suffixOf(asked, first.approval, settings) : "";
  const named = second
    ? [
        `${options.yes}${suffix}, ${options.no} ${second.approval.code}`,
        ...(settings.typedCode ? [] : [words.frame.allExample]),
      ]
    : [`${options.yes}${suffix}`, options.no];
  const others = [
    ...(asked.some(({ approval }) => approval.editable) ? [options.edit] : []),
    ...(asked.some(lasts) ? [options.always] : []),
    ...(asked.some(({ isCut }) => isCut) ? [options.preview] : []),
    ...(asked.some(({ view }) => view.learnMore !== null) ? [options.learnMore] : []),
  ];
  return [...named, ...others]
    .map(code)
    .join(" / ")
    .concat(` · ${code("/toolgate help")}`);
}

function explainedAnswers(asked: readonly Asked[], words: Words, settings: FrameSettings): string {
  const { frame } = words;
  const { options } = frame;
  const told = (text: string, wanted: (one: Asked) => boolean, word: string, behind = ""): string[] => {
    const one = asked.find(wanted);
    return one
      ? [fillWords(text, { example: code(`${word}${suffixOf(asked, one.approval, settings)}${behind}`) })]
      : [];
  };
  return [
    ...howToReply(asked, words, settings),
    ...told(frame.edit, ({ approval }) => approval.editable, options.edit, ` ${frame.field}`),
    ...told(alwaysText(asked, words), lasts, options.always),
    ...told(frame.preview, ({ isCut }) => isCut, options.preview),
    ...told(frame.learnMore, ({ view }) => view.learnMore !== null, options.learnMore),
    fillWords(frame.stands, { time: timeLeft(asked, settings) }),
  ].join(words.sentence.space);
}

function alwaysText(asked: readonly Asked[], { frame, sentence }: Words): string {
  const one = asked.find(lasts);
  if (!one || one.view.firstUse === null) return frame.always;
  const enables = one.view.firstUse === "lasting" ? frame.enables : frame.enablesHere;
  return one.approval.asks.includes("confirmation_required")
    ? `${enables}${sentence.space}${frame.stillAsked}`
    : enables;
}

function howToReply(asked: readonly Asked[], { frame }: Words, settings: FrameSettings): readonly string[] {
  const { yes, no } = frame.options;
  const [first, second] = asked.map(({ approval }) => approval.code);
  const example = code(second === undefined ? `${yes} ${first}` : `${yes} ${first}, ${no} ${second}`);
  if (settings.typedCode) {
    const typed = fillWords(frame.codeMustBeTyped, { example });
    return settings.untrusted === true ? [typed, frame.whyTyped] : [typed];
  }
  if (second === undefined) return [fillWords(frame.reply, { yes: code(yes), no: code(no) })];
  return [fillWords(frame.replySeveral, { example, all: code(frame.allExample) })];
}

function timeLeft(asked: readonly Asked[], { now }: FrameSettings): string {
  const left = Math.min(...asked.map(({ approval }) => approval.expiresAt)) - now;
  return durationText(left, asked[0]?.view.language ?? "en");
}

/** `always` means something: calls that come later are allowed with this one. */
const lasts = ({ approval, view }: Asked): boolean => view.firstUse !== null || grantsLater(approval);

/** A grant answers only what is asked of every call. */
export const grantsLater = ({ grantable, asks }: Pick<Approval, "grantable" | "asks">): boolean =>
  grantable && asks.includes("confirmation_required");

/** Only for words of ours, and codes. */
const code = (text: string): string => `\`${text}\``;
