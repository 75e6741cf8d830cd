/** How the scripted model reads what a user wants: by rules that are stated here and are the same for all columns. Pure. */

export interface Wish {
  readonly tool: string;
  /** What `select_intent` calls it. */
  readonly intent: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the user's words do not say, and the tool cannot do without. */
  readonly lacks?: string;
}

/** A call that a model should not make: it makes it first, once, whatever tools it was sent. */
export interface Slip {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

type Rule = readonly [wanted: RegExp, wish: (text: string) => Wish];

const first = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1];

const levelOf = (text: string) => first(text, /\b(N[1-5])\b/);
const topicOf = (text: string) => first(text, /\b(?:about|on|with)\s+(?:N[1-5]\s+)?([a-z]+)/i);
/** Of the line that holds the word: two wishes may stand in two lines. */
const lineWith = (text: string, word: RegExp) => text.split("\n").find((line) => word.test(line)) ?? text;

/** @param answer what the user said when asked for the topic. */
function study(tool: string, intent: string, text: string, answer: string | undefined): Wish {
  const [level, topic] = [levelOf(text), topicOf(text) ?? answer];
  const count = first(text, /\b(\d+)\s+(?:N[1-5]\s+)?(?:flashcards|questions)/);
  const known = { topic, level, count: count === undefined ? undefined : Number(count) };
  const wish = { tool, intent, arguments: JSON.parse(JSON.stringify(known)) as Wish["arguments"] };
  return topic === undefined ? { ...wish, lacks: "topic" } : wish;
}

const plain =
  (tool: string, intent: string, args: (text: string) => Wish["arguments"] = () => ({})) =>
  (text: string): Wish => ({ tool, intent, arguments: args(text) });

const rules = (answer: string | undefined): readonly Rule[] => [
  [
    /flashcards/i,
    (text) => study("create_study_flashcards", "CREATE_FLASHCARDS", lineWith(text, /flashcards/i), answer),
  ],
  [/quiz/i, (text) => study("create_study_quiz", "CREATE_QUIZ", lineWith(text, /quiz/i), answer)],
  [/exam|test/i, plain("create_practice_exam", "CREATE_EXAM", (text) => ({ level: levelOf(text) ?? "N5" }))],
  [/how am i doing|streak/i, plain("audit_study_progress", "CHECK_PROGRESS")],
  [/history/i, plain("query_learning_records", "VIEW_HISTORY", (text) => ({ topic: topicOf(text) ?? "all" }))],
  [/suggest/i, plain("generate_suggested_goals", "GET_SUGGESTIONS")],
  [
    /first in my goals/i,
    plain("recalibrate_study_priorities", "UPDATE_GOALS", (text) => ({
      prioritized_topics: [first(text, /put (.+?) first/i) ?? "all"],
    })),
  ],
];

/** @param said the user's messages: what was asked for, and the answer to a question about it. */
export function wishesOf([text = "", answer]: readonly string[]): readonly Wish[] {
  return rules(answer).flatMap(([wanted, wish]) => (wanted.test(text) ? [wish(text)] : []));
}

/** What it gets wrong of one of its wishes, or makes up. */
export function slipOf([text = ""]: readonly string[], [wish]: readonly Wish[]): Slip | undefined {
  if (/as many .* as you can/i.test(text) && wish) {
    return { tool: wish.tool, arguments: { ...wish.arguments, count: 500 } };
  }
  if (/hardest/i.test(text) && wish) return { tool: wish.tool, arguments: { ...wish.arguments, level: "N9" } };
  if (/how am i doing/i.test(text)) return { tool: "perform_detailed_audit", arguments: {} };
  if (/translate/i.test(text)) return { tool: "translate_text", arguments: { text } };
  // It remembers the tool, whoever asks and whether or not it was sent it.
  if (/first in my goals/i.test(text) && wish) return wish;
  return undefined;
}
