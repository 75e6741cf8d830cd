/** What a message that reads as an answer means for the calls that wait. Pure. */
import type { Approval } from "../approval.ts";
import { frameText } from "../disclosure/frame.ts";
import { wordsOf } from "../words/words-of.ts";
import type { Resolution, ResolvedAnswer, ResolveSettings } from "./resolution.ts";
import { resolvePart, type Told } from "./resolve-part.ts";
import type { Said } from "./said.ts";

/** @param waiting those that wait, and those that were decided elsewhere and not acted on. */
export function resolveAnswers(said: Said, waiting: readonly Approval[], settings: ResolveSettings): Resolution {
  const here = waiting.filter(({ code }) => settings.shown?.includes(code) ?? true);
  const told: Told = {
    settings,
    words: wordsOf(settings.language),
    pending: here.filter((approval) => isPending(approval, settings.now)),
    settled: here.filter((approval) => !isPending(approval, settings.now)),
  };
  const reply = (text: string): Resolution => ({ kind: "reply", text: withFrame(text, told) });
  if (here.length === 0) return reply(told.words.replies.nothingWaits);
  const answers: ResolvedAnswer[] = [];
  for (const part of said) {
    const resolved = resolvePart(part, told);
    if (!resolved.ok) return reply(resolved.error);
    answers.push(...resolved.value);
  }
  const ids = new Set(answers.map(({ approval }) => approval.id));
  if (ids.size < answers.length) return reply(told.words.replies.whichOne);
  const collected = told.settled.filter(({ id }) => !ids.has(id));
  return { kind: "answers", answers: [...answers, ...collected.map((approval) => ({ approval, action: undefined }))] };
}

const isPending = ({ status, expiresAt }: Approval, now: number): boolean => status === "pending" && expiresAt > now;

/** The question stands above already: it is only named, so that its code stands in the last message. */
function withFrame(text: string, { pending, settings }: Told): string {
  const frame = frameText(pending, { ...settings, brief: true });
  return frame === "" ? text : `${text}\n\n${frame}`;
}
