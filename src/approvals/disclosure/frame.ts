/**
 * How a person is asked in the chat, in Markdown that any frontend draws: a short question with its code, its values as code, where no
 * link, image or HTML comes to life, and what can be answered. Pure.
 */

import { redacted } from "../../lib/redact.ts";
import { codeSpan } from "../../lib/text/prose.ts";
import { durationText } from "../../lib/text/time-text.ts";
import { beginningOf } from "../../lib/text/visible-text.ts";
import type { Approval, CodeDemand } from "../approval.ts";
import { markCode } from "../codes.ts";
import { fillWords, joinSentences, moreLinesText, type Words, wordsOf } from "../words/words.ts";
import { authorityFirst, MAX_VALUES } from "./authority-first.ts";
import { tellsAll } from "./changes.ts";
import type { ChangedLine, DisclosedArgument, DisclosureView } from "./disclosed.ts";
import { asideText, describeApproval, orderedArguments, signedLine } from "./disclosure.ts";
import { fenced, hasLongRun, markdownOf, quoted, textBlock, wrapped } from "./markdown.ts";
import { measureOf, shownName, shownValue } from "./shown-value.ts";
import { shownTool } from "./title.ts";

export interface FrameSettings {
  /** An answer must name the code. */
  readonly typedCode: boolean;
  /** Why it must. Absent: `policy`. */
  readonly whyTyped?: CodeDemand | undefined;
  /** An earlier question in the conversation explains how to answer. */
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
const MAX_CHANGES = 20;
/** How much of a text of several lines a chat shows at first. */
const MAX_LINES = 12;
const MAX_TEXT = 800;
/** Of the places that a sentence names, together, and of the names where it does not. */
const MAX_PLACES = 160;
const MAX_SAME = 5;

interface FramedCall {
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
  const calls: FramedCall[] = [];
  if (waiting.length > 1) parts.push(`**${fillWords(words.frame.several, { count: String(waiting.length) })}**`);
  for (const [index, approval] of waiting.slice(0, MAX_FRAMES).entries()) {
    const view = describeApproval(approval, "whole", first.disclosure.language);
    const body = settings.brief ? { parts: [], isCut: false } : bodyOf(approval, view, words);
    const number = waiting.length > 1 ? `${index + 1}/${waiting.length} ` : "";
    const link = settings.linkTo?.(approval);
    const tap = link === undefined ? "" : ` · [${words.frame.link}](${link})`;
    parts.push(`**${number}${markdownOf(view.title)}** ${markCode(approval.code)}${tap}`, ...body.parts);
    calls.push({ approval, view, isCut: body.isCut });
  }
  const answers = answersOf(calls, words, settings);
  return settings.brief && waiting.length === 1 ? `${parts.join("")} · ${answers}` : [...parts, answers].join("\n\n");
}

function bodyOf(
  approval: Approval,
  view: DisclosureView,
  words: Words,
): { readonly parts: readonly string[]; readonly isCut: boolean } {
  const raw = orderedArguments(approval, "whole");
  const { leading } = authorityFirst(
    approval.tool,
    raw.map(([name]) => name),
  );
  const shown = view.arguments.map((one, index) => {
    const [name = "", value] = raw[index] ?? [];
    return { one, name, value, leads: index < leading };
  });
  const listed = shown.filter(({ name, value }) => !view.named.includes(name) && !isChange(value, view));
  const leads = listed.filter((one) => one.leads).length;
  const values = listed
    .slice(0, Math.max(MAX_VALUES, leads))
    .map(({ one, value }) => listValue(one, value, view, words));
  const more = view.more + listed.length - values.length;
  const others: ListedValue[] =
    more > 0 ? [{ text: `- … (${fillWords(words.frame.moreValues, { count: String(more) })})`, isCut: true }] : [];
  const all = [...values, ...others];
  const list = all
    .map(({ text, block = "" }) => text + block)
    .join("\n")
    .trimEnd();
  const effects = joinSentences(
    view.effects.map(({ text }) => markdownOf(text)),
    words,
  );
  return {
    parts: [
      ...(view.summary === "" ? [] : [markdownOf(view.summary)]),
      ...(list === "" ? [] : [list]),
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

function listValue(one: DisclosedArgument, value: unknown, view: DisclosureView, words: Words): ListedValue {
  const { frame } = words;
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
  const left = value.split("\n").length - begun.split("\n").length;
  const end = left > 0 ? `\n\n${moreLinesText(left, words)}` : isCut ? "\n\n…" : "";
  return {
    text: `${label}:${asideText({ ...one, escaped, cut: isCut ? measure : null }, language)}`,
    block: `\n\n${markdown}${end}\n`,
    isCut,
  };
}

function changesIn({ changes }: DisclosureView, words: Words): readonly string[] {
  if (changes.length === 0) return [];
  const left = changes.length - MAX_CHANGES;
  const more = left > 0 ? [`  ${moreLinesText(left, words)}`] : [];
  return [fenced([...changes.slice(0, MAX_CHANGES).flatMap(changedLine), ...more], "diff")];
}

/** A line of a change, as the frame and the preview draw it. */
export const changedLine = (line: ChangedLine): string[] => wrapped(signedLine(line));

/** What can be answered: explained once in a conversation, then only named. */
function answersOf(calls: readonly FramedCall[], words: Words, settings: FrameSettings): string {
  const short = settings.explained === true || settings.brief === true;
  return short ? shortAnswers(calls, words, settings) : explainedAnswers(calls, words, settings);
}

/** A code behind a word where it must be typed, or says which call is meant. */
const suffixOf = (calls: readonly FramedCall[], approval: Approval, { typedCode }: FrameSettings): string =>
  typedCode || calls.length > 1 ? ` ${approval.code}` : "";

function shortAnswers(calls: readonly FramedCall[], words: Words, settings: FrameSettings): string {
  const { options } = words.frame;
  const [first, second] = calls;
  const suffix = first ? suffixOf(calls, first.approval, settings) : "";
  const named = second
    ? [
        `${options.yes}${suffix}, ${options.no} ${second.approval.code}`,
        ...(settings.typedCode ? [] : [words.frame.allExample]),
      ]
    : [`${options.yes}${suffix}`, options.no];
  const forFirst = (word: string, wanted: (one: FramedCall) => boolean): readonly string[] =>
    calls
      .filter(wanted)
      .slice(0, 1)
      .map(({ approval }) => `${word}${suffixOf(calls, approval, settings)}`);
  const others = [
    ...forFirst(options.edit, ({ approval }) => approval.editable),
    ...forFirst(options.always, lasts),
    ...calls
      .filter(isEndorsable)
      .slice(0, 1)
      .map((one) => endorseExample(calls, one.approval, words, settings)),
    ...(calls.some(({ isCut }) => isCut) ? [options.preview] : []),
    ...(calls.some(({ view }) => view.learnMore !== null) ? [options.learnMore] : []),
  ];
  const why = settings.typedCode ? fillWords(words.frame.shortTyped, { why: whyTyped(words, settings) }) : "";
  return `${why}${[...named, ...others].map(code).join(" / ")} · ${code("/toolgate help")}`;
}

function explainedAnswers(calls: readonly FramedCall[], words: Words, settings: FrameSettings): string {
  const { frame } = words;
  const { options } = frame;
  const left = Math.min(...calls.map(({ approval }) => approval.expiresAt)) - settings.now;
  const line = (text: string, wanted: (one: FramedCall) => boolean, word: string, behind = ""): string[] => {
    const one = calls.find(wanted);
    return one
      ? [fillWords(text, { example: code(`${word}${suffixOf(calls, one.approval, settings)}${behind}`) })]
      : [];
  };
  const sentences = [
    ...howToReply(calls, words, settings),
    ...(calls.length > 1 ? line(frame.edit, ({ approval }) => approval.editable, options.edit, ` ${frame.field}`) : []),
    ...line(alwaysText(calls, words), lasts, options.always),
    ...endorseText(calls, words, settings),
    ...line(frame.preview, ({ isCut }) => isCut, options.preview),
    ...line(frame.learnMore, ({ view }) => view.learnMore !== null, options.learnMore),
    fillWords(frame.stands, { time: durationText(left, calls[0]?.view.language ?? "en") }),
  ];
  return joinSentences(sentences, words);
}

/** The sentence of where the call goes, with these places in it; the other one with the names of the arguments that must be the same. */
function boundText({ destinations, goesTo = {} }: Approval, there: string, same: string, { and }: Words): string {
  const places = [...new Set(Object.values(goesTo).flat())];
  const spans = places.map((place) => codeSpan(shownValue(place).text)).join(and);
  if (places.length > 0 && !places.includes(redacted) && spans.length <= MAX_PLACES)
    return fillWords(there, { places: spans });
  const names = Object.keys(destinations ?? {}).slice(0, MAX_SAME);
  return fillWords(same, { names: names.map((name) => codeSpan(shownName(name).text)).join(and) });
}

function alwaysText(calls: readonly FramedCall[], words: Words): string {
  const { frame } = words;
  const one = calls.find(lasts);
  const bound = one?.approval.destinations ? one.approval : undefined;
  if (!one || one.view.firstUse === null)
    return bound ? boundText(bound, frame.alwaysThere, frame.alwaysSame, words) : frame.always;
  const enables = one.view.firstUse === "lasting" ? frame.enables : frame.enablesHere;
  const isAsked = one.approval.asks.some((code) => code === "confirmation_required" || code === "condition_asks");
  const only = bound ? boundText(bound, frame.onlyThere, frame.onlySame, words) : "";
  return joinSentences([enables, only, isAsked ? frame.stillAsked : ""], words);
}

const isEndorsable = ({ approval }: FramedCall): boolean => approval.endorsable !== undefined;

/** The offer to trust a source, for the first call that has one. */
function endorseText(calls: readonly FramedCall[], words: Words, settings: FrameSettings): readonly string[] {
  const approval = calls.find(isEndorsable)?.approval;
  if (!approval?.endorsable) return [];
  const example = code(endorseExample(calls, approval, words, settings));
  return [fillWords(words.frame.endorse, { example, tool: codeSpan(shownTool(approval.endorsable.tool)) })];
}

const whyTyped = ({ frame }: Pick<Words, "frame">, settings: FrameSettings): string =>
  frame.whyTyped[settings.whyTyped ?? "policy"];

/** `yes K7QF, use its values`. */
const endorseExample = (
  calls: readonly FramedCall[],
  approval: Approval,
  { frame: { options } }: Words,
  settings: FrameSettings,
): string => fillWords(options.endorse, { yes: `${options.yes}${suffixOf(calls, approval, settings)}` });

function howToReply(calls: readonly FramedCall[], { frame }: Words, settings: FrameSettings): readonly string[] {
  const { yes, no, edit } = frame.options;
  const why = whyTyped({ frame }, settings);
  const [first, second] = calls.map(({ approval }) => approval);
  if (first && !second) {
    const suffix = suffixOf(calls, first, settings);
    const all = [`${yes}${suffix}`, no, ...(first.editable ? [`${edit}${suffix} ${frame.field}`] : [])];
    const answers = all.map(code).join(" / ");
    return [fillWords(settings.typedCode ? frame.codeMustBeTyped : frame.reply, { answers, why })];
  }
  const example = code(`${yes} ${first?.code}, ${no} ${second?.code}`);
  if (settings.typedCode) return [fillWords(frame.codesMustBeTyped, { example, why })];
  return [fillWords(frame.replySeveral, { example, all: code(frame.allExample) })];
}

/** `always` means something: calls that come later are allowed with this one. */
const lasts = ({ approval, view }: FramedCall): boolean => view.firstUse !== null || grantsLater(approval);

/** A grant answers only the question that every call gets. */
export const grantsLater = ({ grantable, asks }: Pick<Approval, "grantable" | "asks">): boolean =>
  grantable && asks.includes("confirmation_required");

/** Only for words of ours, and codes. */
const code = (text: string): string => `\`${text}\``;
