/**
 * What of the user's own message a record holds: by default nothing. A policy may keep each message with what was heard in it marked
 * (`audit.logMessages`), and those for which the model had to name the intent (`audit.logMissedMessages`).
 */
import type { Detection } from "../../intent/detection.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { RecordedWords } from "../../ports/turn-account.ts";
import type { Turn } from "../turn.ts";

/** UTF-16 units. */
const MAX_MISSED = 200;
const MAX_WORDS = 1_000;
/** Pieces of a message: a record has its place in one row. */
const MAX_PIECES = 64;

/**
 * None where the policy keeps no arguments, or hides some of any tool: they may stand in the message, and only a later call would tell.
 */
export function keptWords(turn: Turn): { readonly message?: string; readonly words?: readonly RecordedWords[] } {
  const { input, tools, stateOpened, log, detection } = turn;
  const { policy, conversation } = input;
  const { logMessages, logMissedMessages, logToolCalls } = policy.audit;
  const said = conversation.newMessage;
  if (!logToolCalls || !(logMessages || logMissedMessages) || said === undefined || !detection) return {};
  const names = [...policy.tools.keys(), ...tools.map(({ name }) => name)];
  if (names.some((name) => traitsOf(policy, name).redact.length > 0)) return {};
  const missed = logMissedMessages && stateOpened !== "action" && log.intents.length > 0;
  return {
    ...(missed ? { message: withoutSecrets(said, detection) } : {}),
    ...(logMessages ? { words: markWords(said, detection) } : {}),
  };
}

/** Pure. */
export function withoutSecrets(message: string, detection: Pick<Detection, "entities">): string {
  const text = secretsIn(detection).reduce((text, secret) => text.replaceAll(secret, "…"), message);
  return text.slice(0, MAX_MISSED).toWellFormed();
}

/** Texts of the entities that are not recorded, the longest first: one may hold another. */
const secretsIn = ({ entities }: Pick<Detection, "entities">): readonly string[] =>
  [...new Set(entities.filter(({ redact, text }) => redact && text !== "").map(({ text }) => text))].sort(
    (one, other) => other.length - one.length,
  );

interface Mark {
  readonly from: number;
  readonly to: number;
  /** Undefined: it is not recorded. */
  readonly intent: string | undefined;
  readonly counts: boolean;
}

/** The message's beginning in pieces that follow each other, each with the intents that its words speak for. Pure. */
export function markWords(
  message: string,
  detection: Pick<Detection, "intents" | "discounted" | "entities">,
): readonly RecordedWords[] {
  const end = Math.min(message.length, MAX_WORDS);
  const marks = [...secretMarks(message, detection), ...intentMarks(message, detection)];
  const edges = marks.flatMap(({ from, to }) => [Math.min(from, end), Math.min(to, end)]);
  const cuts = [...new Set([0, ...edges, end])].sort((one, other) => one - other);
  const pieces: RecordedWords[] = [];
  for (const [index, from] of cuts.entries()) {
    const to = cuts[index + 1];
    if (to === undefined) break;
    const over = marks.filter((mark) => mark.from <= from && to <= mark.to);
    const isSecret = over.some(({ intent }) => intent === undefined);
    // A secret is one piece, however its place is cut by others.
    if (isSecret && pieces.at(-1)?.text === SECRET) continue;
    pieces.push(isSecret ? { text: SECRET } : { text: message.slice(from, to).toWellFormed(), ...heardIn(over) });
  }
  return pieces.slice(0, MAX_PIECES);
}

const SECRET = "…";

function heardIn(marks: readonly Mark[]): Pick<RecordedWords, "heard" | "discounted"> {
  const named = (counts: boolean) => [
    ...new Set(marks.flatMap((mark) => (mark.counts === counts ? (mark.intent ?? []) : []))),
  ];
  const [heard, discounted] = [named(true), named(false)];
  return { ...(heard.length > 0 ? { heard } : {}), ...(discounted.length > 0 ? { discounted } : {}) };
}

function secretMarks(message: string, detection: Pick<Detection, "entities">): readonly Mark[] {
  const marks: Mark[] = [];
  for (const secret of secretsIn(detection))
    for (let from = message.indexOf(secret); from >= 0; from = message.indexOf(secret, from + secret.length))
      marks.push({ from, to: from + secret.length, intent: undefined, counts: false });
  return marks;
}

const intentMarks = (message: string, { intents, discounted }: Pick<Detection, "intents" | "discounted">): Mark[] =>
  [...intents, ...discounted].flatMap(({ name, evidence }) =>
    evidence
      // Of the layer `model` the text is its reason, and a misspelt word is elsewhere than the one it was taken for.
      .filter(({ text, at }) => text !== "" && message.startsWith(text, at))
      .map(({ text, at, discounted: why }) => {
        return { from: at, to: at + text.length, intent: name, counts: why === undefined };
      }),
  );
