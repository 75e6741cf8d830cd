/** The twenty requests that the study agent's before-and-after table is measured on. Pure data. */

export interface StudyUser {
  readonly name: string;
  readonly role: "guest" | "user" | "premium" | "admin";
}

export const users = [
  { name: "ada", role: "user" },
  { name: "bo", role: "premium" },
  { name: "gus", role: "guest" },
  { name: "kim", role: "admin" },
  // Has spent the hour's quizzes before the twenty begin.
  { name: "rae", role: "user" },
] as const satisfies readonly StudyUser[];

type UserName = (typeof users)[number]["name"];

export interface StudyRequest {
  readonly user: UserName;
  readonly text: string;
  /** What the user says next where the answer was a question. */
  readonly answer?: string;
  /** What it is there to show. */
  readonly shows: string;
  /** Whether its words say all that the intent's tool needs, and the user may use it: the system can decide alone. */
  readonly whole?: true;
}

/** Of a policy that is redacted in the audit: nobody else's word for anything. */
export const REDACTED = "funeral vocabulary";

export const requests: readonly StudyRequest[] = [
  { user: "ada", text: "Make 5 N4 flashcards about verbs", shows: "plain", whole: true },
  { user: "kim", text: "Make me 12 flashcards about counters", shows: "plain", whole: true },
  { user: "ada", text: "Quiz me on N3 keigo, as many questions as you can", shows: "model: count 500", whole: true },
  { user: "bo", text: "Give me the hardest mock exam for N1", shows: "model: level N9", whole: true },
  { user: "ada", text: "How am I doing?", shows: "model: a premium tool that no intent has", whole: true },
  { user: "gus", text: "Show my streak", shows: "a guest reads", whole: true },
  { user: "ada", text: "Show me my history with counters", shows: "plain", whole: true },
  { user: "bo", text: "Suggest something for the coming weeks", shows: "plain", whole: true },
  { user: "ada", text: "Explain the particle は", shows: "no tool" },
  { user: "ada", text: "Translate good evening into Japanese", shows: "no tool; model: an invented one" },
  { user: "ada", text: "Let's talk in Korean", shows: "no tool" },
  { user: "ada", text: "Do you remember what we discussed?", shows: "no tool" },
  { user: "ada", text: "Hello, I am back!", shows: "no tool" },
  { user: "bo", text: `Put ${REDACTED} first in my goals`, shows: "redacted arguments" },
  { user: "ada", text: "Put keigo first in my goals", shows: "a tool above the role" },
  { user: "ada", text: "Make me some flashcards", answer: "kanji", shows: "no topic told" },
  { user: "gus", text: "Make 3 flashcards about kanji", shows: "a tool above the role" },
  { user: "rae", text: "Quiz me about particles", shows: "over the hour's limit" },
  { user: "ada", text: "1. Make flashcards about verbs\n2. Quiz me on keigo", shows: "two intents" },
  { user: "ada", text: "Draw up a plan and test me for N2", shows: "ambiguous" },
];
