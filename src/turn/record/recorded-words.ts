/**
 * The parts of the user's own message that a record holds: by default none. A policy may keep each message, with the detected words marked
 * (`audit.logMessages`), and messages for which the model had to name the intent (`audit.logMissedMessages`).
 */
import type { Detection } from "../../intent/detection.ts";
import { cutAtMarks, type Mark } from "../../lib/text/marked-text.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { RecordedWords } from "../../ports/turns/turn-account.ts";
import type { Turn } from "../turn.ts";

/** UTF-16 units. */
const MAX_MISSED = 200;
const MAX_WORDS = 1_000;
/** Pieces of a message: a record must fit into one row. */
const MAX_PIECES = 64;

/**
 * None if the policy keeps no arguments, or redacts an argument of any tool: such a value may be in the message, and only a later call
 * would show it.
 */
export function keptWords(turn: Turn): { readonly message?: string; readonly words?: readonly RecordedWords[] } {
  const { input, tools, stateOpened, log, detection } = turn;
  const { policy, conversation } = input;
  const { logMessages, logMissedMessages, logToolCalls } = policy.audit;
  const message = conversation.newMessage;
  if (!logToolCalls || !(logMessages || logMissedMessages) || message === undefined || !detection) return {};
  const names = [...policy.tools.keys(), ...tools.map(({ name }) => name)];
  if (names.some((name) => traitsOf(policy, name).redact.length > 0)) return {};
  const missed = logMissedMessages && stateOpened !== "action" && log.intents.length > 0;
  return {
    ...(missed ? { message: withoutSecrets(message, detection) } : {}),
    ...(logMessages ? { words: markWords(message, detection) } : {}),
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

/** What a piece is marked as: an intent that it is or seems to be evidence of, or an entity that is not recorded. */
type Meaning = { readonly intent: string; readonly counts: boolean } | "secret";

/** The message's beginning in successive pieces, each with the intents that it is evidence of. Pure. */
export function markWords(
  message: string,
  detection: Pick<Detection, "intents" | "discounted" | "entities">,
): readonly RecordedWords[] {
  const pieces: RecordedWords[] = [];
  const marks = [...secretMarks(message, detection), ...intentMarks(message, detection)];
  for (const { text, as } of cutAtMarks(message.slice(0, MAX_WORDS), marks)) {
    const isSecret = as.includes("secret");
    // A secret is one piece, even if other marks cut it.
    if (isSecret && pieces.at(-1)?.text === SECRET) continue;
    pieces.push(isSecret ? { text: SECRET } : { text: text.toWellFormed(), ...heardIn(as) });
  }
  return pieces.slice(0, MAX_PIECES);
}

const SECRET = "…";

function heardIn(as: readonly Meaning[]): Pick<RecordedWords, "heard" | "discounted"> {
  const named = (counts: boolean) => [
    ...new Set(as.flatMap((one) => (one !== "secret" && one.counts === counts ? [one.intent] : []))),
  ];
  const [heard, discounted] = [named(true), named(false)];
  return { ...(heard.length > 0 ? { heard } : {}), ...(discounted.length > 0 ? { discounted } : {}) };
}

function secretMarks(message: string, detection: Pick<Detection, "entities">): readonly Mark<Meaning>[] {
  const marks: Mark<Meaning>[] = [];
  for (const secret of secretsIn(detection))
    for (let from = message.indexOf(secret); from >= 0; from = message.indexOf(secret, from + secret.length))
      marks.push({ from, to: from + secret.length, as: "secret" });
  return marks;
}

function intentMarks(
  message: string,
  { intents, discounted }: Pick<Detection, "intents" | "discounted">,
): readonly Mark<Meaning>[] {
  return [...intents, ...discounted].flatMap(({ name, evidence }) =>
    evidence
      // In the layer `model` the text is the model's reason, and a misspelt word is not at the position of the word that it was taken for.
      .filter(({ text, at }) => text !== "" && message.startsWith(text, at))
      .map(({ text, at, discounted: why }) => {
        return { from: at, to: at + text.length, as: { intent: name, counts: why === undefined } };
      }),
  );
}
