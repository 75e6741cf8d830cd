/** What a message that reads as an answer means for the calls that wait. Pure. */

import { err, ok, type Result } from "../../lib/result.ts";
import type { Language } from "../../lib/text/languages.ts";
import { type AnswerAction, type Approval, type GrantTerms, holdsOrders } from "../approval.ts";
import { shownMembers } from "../disclosure/disclosure.ts";
import { type FrameSettings, frameText, grantsLater } from "../disclosure/frame.ts";
import type { Changes } from "../edit/edit.ts";
import { fillWords, type Words, wordsOf } from "../words/words.ts";
import { askedBy } from "./acts.ts";
import { asksForNext, asksWhetherDone } from "./asks-about.ts";
import { decidedText } from "./decided-elsewhere.ts";
import { answersEach, ordersAll, saysAll, saysHowMany } from "./each-call.ts";
import { isFurtherAct } from "./further-act.ts";
import { goesAhead } from "./go-ahead.ts";
import { onlyPraises } from "./praise.ts";
import type { AnswerPart, WrittenAnswer } from "./read-answer.ts";
import { fieldList, isOneValue, readChanges } from "./read-changes.ts";
import { namesOthers } from "./read-wish.ts";
import { repeatsQuestion, saysOtherAct } from "./repeats-question.ts";
import { learnMoreText, previewText } from "./show-more.ts";

export interface ResolveSettings extends FrameSettings {
  readonly language: Language;
  /** Whether the policy permits grants, and the longest that one may hold, in milliseconds. */
  readonly grants: boolean;
  readonly longestGrant?: number | undefined;
  /** The codes that the last assistant message holds; absent: those of all that wait. No other call is answered. */
  readonly shown?: readonly string[] | undefined;
}

interface ResolvedAnswer {
  readonly approval: Approval;
  /**
   * Absent: it was decided elsewhere, or has expired, and is only acted on now. If it was approved there and the message
   * says no to it, the caller refuses it.
   */
  readonly action: AnswerAction | undefined;
  readonly reason?: string | undefined;
  readonly changes?: Changes | undefined;
  readonly grant?: GrantTerms | undefined;
  /** The tool is enabled beyond this call. */
  readonly enables?: true | undefined;
  /** The task may use the values of the result that the question names. */
  readonly endorses?: true | undefined;
}

/** `reply`: nothing is answered; the text says why, or shows more, and asks again. */
type Resolution =
  | { readonly kind: "answers"; readonly answers: readonly ResolvedAnswer[] }
  | { readonly kind: "reply"; readonly text: string };

interface Context {
  readonly settings: ResolveSettings;
  readonly words: Words;
  readonly pending: readonly Approval[];
  /** Answered elsewhere, expired or cancelled. */
  readonly settled: readonly Approval[];
}

/** @param waiting those that wait, and those that were decided elsewhere and not acted on. */
export function resolveAnswers(
  answer: WrittenAnswer,
  waiting: readonly Approval[],
  settings: ResolveSettings,
): Resolution {
  const here = waiting.filter(({ code }) => settings.shown?.includes(code) ?? true);
  const isPending = ({ status, expiresAt }: Approval) => status === "pending" && expiresAt > settings.now;
  const pending = here.filter(isPending);
  const settled = here.filter((approval) => !isPending(approval));
  const words = wordsOf(settings.language);
  const reply = (text: string): Resolution => {
    // The question stands above already: it is only named, so that its code stands in the last message. Who asks about it gets it whole.
    const frame = frameText(pending, { ...settings, brief: !answer.some(({ action }) => action === "ask") });
    // With its code, so that the next message can still take up what was approved elsewhere.
    const parts = [text, decidedText(settled, settings.language), frame];
    return { kind: "reply", text: parts.filter((part) => part !== "").join("\n\n") };
  };
  if (here.length === 0) return reply(words.replies.nothingWaits);
  const given: ResolvedAnswer[] = [];
  for (const part of answer.flatMap((one) => readEach(one, here, pending, settings))) {
    const resolved = resolvePart(part, { settings, words, pending, settled });
    if (!resolved.ok) return reply(resolved.error);
    given.push(...resolved.value);
  }
  const answers = withoutRepeats(given);
  const ids = new Set(answers.map(({ approval }) => approval.id));
  if (ids.size < answers.length) return reply(words.replies.whichOne);
  const collected = settled.filter(({ id }) => !ids.has(id)).map((approval) => ({ approval, action: undefined }));
  return { kind: "answers", answers: [...answers, ...collected] };
}

/** `1 yes, 2 no` and "both", as answers with codes. Places are those of the question: where a call is answered already, they are not. */
function readEach(
  part: AnswerPart,
  here: readonly Approval[],
  pending: readonly Approval[],
  { typedCode, shown }: ResolveSettings,
): WrittenAnswer {
  if (part.action !== "each") return [part];
  const unread = [{ ...part, action: "unread" } as const];
  // Where a call of the question is gone, its places are others.
  if (pending.length < here.length || shown?.some((code) => !here.some((one) => one.code === code))) return unread;
  if (saysAll(part.edit) || ordersAll(part.edit, pending))
    return saysHowMany(part.edit, pending) ? [{ ...part, action: "approve", all: true, edit: "" }] : unread;
  const read = answersEach(part.edit, pending) ?? unread;
  // A place is no code that was typed.
  return typedCode && read.some(({ action }) => action === "approve")
    ? [{ ...part, action: "approve", all: true, edit: "" }]
    : read;
}

/** "Yes, 240 is right" says yes to the same call twice. */
const withoutRepeats = (answers: readonly ResolvedAnswer[]): readonly ResolvedAnswer[] =>
  answers.filter((one, index) => answers.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === index);

/** The text of a reply where the part is no answer that can be acted on. */
type Resolved = Result<readonly ResolvedAnswer[], string>;

function resolvePart(part: AnswerPart, context: Context): Resolved {
  const { words, pending, settled } = context;
  const known = new Map([...settled, ...pending].map((approval) => [approval.code, approval]));
  const wrong = part.codes.find((code) => !known.has(code));
  const valued = wrong === undefined ? undefined : withoutValues(part, known, pending);
  if (valued) return resolvePart(valued, context);
  if (wrong !== undefined && /^\d+$/.test(wrong) && !known.has(wrong)) return err(unreadText(words));
  if (wrong !== undefined) return err(fillWords(words.replies.wrongCode, { code: `\`${wrong}\`` }));
  const named = part.codes.flatMap((code) => known.get(code) ?? []);
  const meant = named.length > 0 ? named : pending;
  // What was decided elsewhere is shown, and acted on by a yes, as what waits is.
  const about = meant.length > 0 ? meant : settled;
  switch (part.action) {
    case "preview":
      return err(previewText(about, words));
    case "learn_more":
      return err(learnMoreText(about, words));
    case "code":
      return err(fillWords(words.replies.codeAlone, { code: part.codes.map((code) => `\`${code}\``).join(", ") }));
    case "unread":
      return err(unreadText(words));
    case "agree": {
      const { wish, asks } = part;
      const [only] = about.length === 1 ? about : [];
      const repeats = !asks && about.length > 0 && about.every((approval) => repeatsQuestion(part.edit, approval));
      const leavesCall = (one: string, call: Approval) => (asks ? asksForNext(one) : isFurtherAct(one, call));
      const wishes = wish !== undefined && only !== undefined && leavesCall(wish, only);
      const orders = !asks && only !== undefined && part.words !== undefined && goesAhead(part.words, only);
      const isYes = repeats || orders || (wishes && !(pending.length > 1 && namesOthers().test(wish)));
      // Its words are checked already.
      const { words: _, ...agreed } = part;
      if (isYes) return decide({ ...agreed, action: "approve" }, meant, context);
      const isElsewhere = part.edit === "" && settled.some(({ status }) => status === "approved");
      return err(isElsewhere ? ONLY_DECIDED : unreadText(words));
    }
    // Who asks for time has not asked for what was approved elsewhere to go out.
    case "wait":
      return err(pending.length > 0 ? words.replies.waits : ONLY_DECIDED);
    case "ask":
    case "aside": {
      const isApproved = settled.some(({ status }) => status === "approved");
      // Any other message may be against the call, in words that nobody lists.
      if (isApproved) return asksWhetherDone(part.edit) ? ok([]) : err(ONLY_DECIDED);
      if (part.action === "aside") return err(unreadText(words));
      return err(pending.length > 0 ? words.replies.asks : ONLY_DECIDED);
    }
    case "continue":
      return settled.length > 0 ? ok([]) : err(words.replies.stillWaiting);
    default:
      return decide(part, meant, context);
  }
}

/** `yes 240 is right`: a number that is a value of the one call that waits is no code. */
function withoutValues(
  part: AnswerPart,
  known: ReadonlyMap<string, Approval>,
  pending: readonly Approval[],
): AnswerPart | undefined {
  const [only] = pending.length === 1 ? pending : [];
  const values = part.codes.filter((code) => !known.has(code));
  if (part.action !== "approve" || !only || !values.every((value) => /^\d+$/.test(value) && hasValue(only, value)))
    return undefined;
  return { ...part, codes: part.codes.filter((code) => known.has(code)) };
}

function hasValue(approval: Approval, value: string): boolean {
  const shown = shownMembers(approval, "whole");
  return Object.values(shown).some((one) => String(one) === value);
}

/** Says what can be written. */
const unreadText = ({ replies, frame: { options } }: Words): string =>
  fillWords(replies.unread, { yes: `\`${options.yes}\``, no: `\`${options.no}\`` });

/** The reply says what was decided, and nothing before it. */
const ONLY_DECIDED = "";

function decide(part: AnswerPart, meant: readonly Approval[], context: Context): Resolved {
  const { words, pending, settled, settings } = context;
  const { replies } = words;
  const hasCodes = part.codes.length > 0;
  const decided = hasCodes ? meant.filter((one) => !pending.includes(one)) : pending.length === 0 ? settled : [];
  // A no is the caller's to heed: the call must not run because somebody said yes elsewhere.
  const changesMore = part.action !== "approve" && part.action !== "deny";
  const approved = decided.filter(({ status }) => status === "approved");
  if (changesMore && approved.length > 0) return err(ONLY_DECIDED);
  const open = meant.filter((one) => pending.includes(one));
  // Who endorses several results must have named each of them.
  const sources = new Set(open.map(({ endorsable }) => endorsable?.digest));
  if (part.action === "endorse" && !hasCodes && sources.size > 1) return err(replies.whichSource);
  if (!hasCodes && !part.all && open.length > 1) return err(replies.whichOne);
  if (settings.typedCode && !hasCodes && part.action !== "deny" && open.length > 0) return err(replies.typeCode);
  const { words: message } = part;
  if (message !== undefined && part.all && !saysHowMany(message, open)) return err(unreadText(words));
  const isUnclear = (message: string, approval: Approval) => {
    if (part.action === "deny") return repeatsQuestion(message, approval);
    const asked = askedBy(approval);
    return saysOtherAct(message, asked) || onlyPraises(message, approval.tool, asked);
  };
  if (message !== undefined && open.some((approval) => isUnclear(message, approval))) return err(unreadText(words));
  // "Save it" is a yes, and no deletion.
  const saysOther = (approval: Approval) => message !== undefined && saysOtherAct(message, askedBy(approval));
  if (part.action === "approve" && approved.some(saysOther)) return err(ONLY_DECIDED);
  const answers: ResolvedAnswer[] = [];
  for (const approval of open) {
    const answer = answerTo(approval, part, context);
    if (!answer.ok) return answer;
    answers.push(answer.value);
  }
  return ok(answers);
}

function answerTo(approval: Approval, part: AnswerPart, context: Context): Result<ResolvedAnswer, string> {
  const { words, settings, pending } = context;
  const { replies, frame } = words;
  switch (part.action) {
    case "always": {
      // Enabled is not granted: what asks with each call goes on asking, until that is allowed in its turn.
      if (approval.asks.includes("first_use")) return ok({ approval, action: "approve", enables: true });
      if (!settings.grants || !grantsLater(approval)) return err(replies.noGrant);
      const { now, longestGrant } = settings;
      // As the question says of `always`: this tool, any arguments, this session.
      const expiresAt = longestGrant === undefined ? null : now + longestGrant;
      return ok({ approval, action: "approve", grant: { session: true, expiresAt, arguments: {} } });
    }
    case "endorse":
      if (approval.endorsable) return ok({ approval, action: "approve", endorses: true });
      return err(holdsOrders(approval) ? replies.endorsesOrders : replies.noEndorsement);
    case "deny":
      return ok({ approval, action: "deny", reason: part.reason ?? undefined });
    case "edit": {
      if (!approval.editable) return err(replies.notEditable);
      if (part.edit === "" || (part.loose && !isOneValue(part.edit, approval))) {
        const example = `\`${frame.options.edit} ${frame.field}\``;
        return err(`${fillWords(replies.howToEdit, { example })}\n\n${fieldList(approval)}`);
      }
      const others = pending.flatMap((one) => (one === approval ? [] : [one.code]));
      const changes = readChanges(part.edit, approval, words, others);
      return changes.ok ? ok({ approval, action: "edit", changes: changes.value }) : changes;
    }
    default:
      return ok({ approval, action: "approve" });
  }
}
