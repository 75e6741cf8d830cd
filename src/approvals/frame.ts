/**
 * How a person is asked in the chat, in Markdown that any frontend draws: a fixed frame, with what varies inside fences,
 * where no link, image or HTML comes to life and nothing can close the fence. Pure.
 */
import type { Approval } from "./approval.ts";
import { markCode } from "./codes.ts";
import { wholeLength } from "./cut-values.ts";
import type { DisclosedArgument, Disclosure } from "./disclosed.ts";
import { fenced } from "./fenced.ts";
import { fillWords } from "./fill-words.ts";
import { lastingText } from "./lasting-text.ts";
import { optionsOf } from "./options.ts";
import type { Words } from "./words/words.ts";
import { wordsOf } from "./words/words-of.ts";

export interface FrameSettings {
  /** An answer must name the code. */
  readonly typedCode: boolean;
  /** It must because what others wrote stands in the conversation. */
  readonly untrusted?: boolean | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const MAX_CHANGES = 20;
/** Frames of one reply; a step has hardly more calls. */
const MAX_FRAMES = 20;

/** One frame for all that wait, with each code in it. */
export function frameText(waiting: readonly Approval[], settings: FrameSettings): string {
  const [first] = waiting;
  if (!first) return "";
  const words = wordsOf(first.disclosure.language);
  const shown = waiting.slice(0, MAX_FRAMES);
  if (waiting.length === 1) {
    return [
      `**${words.frame.title}** ${markCode(first.code)}`,
      fenced(questionLines(first)),
      afterOne(first, words, settings),
    ].join("\n\n");
  }
  const parts = shown.flatMap((approval, index) => [
    `**${index + 1}/${waiting.length}** ${markCode(approval.code)}`,
    fenced(questionLines(approval)),
  ]);
  const title = `**${fillWords(words.frame.several, { count: String(waiting.length) })}**`;
  return [title, ...parts, afterSeveral(shown, words, settings)].join("\n\n");
}

function questionLines(approval: Approval): string[] {
  const { disclosure } = approval;
  const words = wordsOf(disclosure.language);
  return [
    ...disclosedLines(approval, MAX_CHANGES),
    "",
    `[${disclosure.question} ${optionsOf(approval, words).join(" / ")}]`,
  ];
}

/** As `disclosureText`, each kind of line with a beginning of its own, so that none reads as one of another kind. */
function disclosedLines(approval: Approval, maxChanges: number): string[] {
  const { disclosure } = approval;
  const { summary, notes, arguments: args, more, changes, undoing } = disclosure;
  const words = wordsOf(disclosure.language);
  const left = changes.length - maxChanges;
  return [
    summary,
    ...args.map((one) => `  ${one.name}: ${one.value}${lengthOf(approval, one, words)}`),
    ...(more > 0 ? [`  … (${fillWords(words.frame.moreValues, { count: String(more), ...previewOf(words) })})`] : []),
    ...changes.slice(0, maxChanges).map(changedLine),
    ...(left > 0 ? [`  | ${fillWords(words.moreLines, { count: String(left) })}`] : []),
    ...notes,
    ...(undoing === "" ? [] : [undoing]),
  ];
}

const previewOf = ({ frame }: Words) => ({ preview: frame.options.preview });

function lengthOf(approval: Approval, argument: DisclosedArgument, words: Words): string {
  const length = wholeLength(approval, argument);
  if (length === undefined) return "";
  return ` (${fillWords(words.frame.cutValue, { count: String(length), ...previewOf(words) })})`;
}

const signs = { same: " ", added: "+", removed: "-" } as const;

/** A line of a change, as the frame and the preview draw it. */
export const changedLine = ({ kind, text }: Disclosure["changes"][number]): string => `  | ${signs[kind]} ${text}`;

function afterOne(approval: Approval, words: Words, settings: FrameSettings): string {
  const { frame } = words;
  const yes = code(settings.typedCode ? `${frame.options.yes} ${approval.code}` : frame.options.yes);
  const no = code(frame.options.no);
  const lines = [
    settings.typedCode ? typeCode(yes, words, settings) : fillWords(frame.howToAnswer, { options: `${yes} / ${no}` }),
    ...optionLines([approval], words, settings.typedCode ? ` ${approval.code}` : ""),
    `${stands([approval], words, settings)}${words.sentence.space}${frame.anythingElse}`,
  ];
  return lines.join("  \n");
}

function afterSeveral(waiting: readonly Approval[], words: Words, settings: FrameSettings): string {
  const { frame } = words;
  const [first, second] = waiting;
  const example = code(`${frame.options.yes} ${first?.code}, ${frame.options.no} ${second?.code}`);
  const lines = [
    settings.typedCode
      ? typeCode(example, words, settings)
      : fillWords(frame.howToAnswerSeveral, { example, all: code(frame.allExample) }),
    ...optionLines(waiting, words, ` ${first?.code}`),
    `${stands(waiting, words, settings)}${words.sentence.space}${frame.anythingElse}`,
  ];
  return lines.join("  \n");
}

const typeCode = (example: string, { frame }: Words, { untrusted }: FrameSettings): string =>
  `${fillWords(frame.codeMustBeTyped, { example })}${untrusted === true ? frame.whyTyped : ""}`;

function optionLines(waiting: readonly Approval[], words: Words, suffix: string): string[] {
  const { frame } = words;
  const edit = waiting.some(({ editable }) => editable);
  const grant = waiting.some((approval) => grantsLater(approval));
  const more = waiting.find(({ disclosure }) => disclosure.learnMore !== null);
  const which = waiting.length > 1 ? ` ${more?.code}` : "";
  return [
    ...(edit ? [fillWords(frame.edit, { example: code(`${frame.options.edit}${suffix} ${frame.field}`) })] : []),
    ...(grant ? [fillWords(frame.always, { example: code(`${frame.options.always}${suffix}`) })] : []),
    ...(more ? [fillWords(frame.learnMore, { example: code(`${frame.options.learnMore}${which}`) })] : []),
  ];
}

/** A grant answers only what is asked of every call. */
export const grantsLater = ({ grantable, asks }: Pick<Approval, "grantable" | "asks">): boolean =>
  grantable && asks.includes("confirmation_required");

function stands(waiting: readonly Approval[], words: Words, { now }: FrameSettings): string {
  const left = Math.min(...waiting.map(({ expiresAt }) => expiresAt)) - now;
  return fillWords(words.frame.stands, { time: lastingText(left, words) });
}

/** Only for words of ours, and codes. */
const code = (text: string): string => `\`${text}\``;
