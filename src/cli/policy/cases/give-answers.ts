/** What a case's person answers to the calls that wait: from the inbox, while a reply is held, or in the next request. */
import type { CaseUser } from "./case-gateway.ts";
import type { CaseAnswer } from "./case-schema.ts";
import type { WaitingCall } from "./read-reply.ts";

/** Long enough for a held reply to have asked, even on a busy machine. */
const ASKED_WITHIN_MS = 15_000;
const POLL_MS = 50;

export type Matched = { readonly answer: CaseAnswer; readonly call: WaitingCall };

/** Each answer with the first call of its tool that no other answer is for, or why there is none. */
export function matchAnswers(answers: readonly CaseAnswer[], waiting: readonly WaitingCall[]): Matched[] | string {
  const left = [...waiting];
  const matched: Matched[] = [];
  for (const answer of answers) {
    const place = left.findIndex(({ tool }) => tool === answer.tool);
    const [call] = place < 0 ? [] : left.splice(place, 1);
    if (!call) return `no call of \`${answer.tool}\` waits for an answer`;
    matched.push({ answer, call });
  }
  return matched;
}

/** `toolgate.approvals` of a request's body. */
export const asBody = (matched: readonly Matched[]) =>
  matched.map(({ answer: { tool: _, ...answer }, call }) => ({ id: call.id, ...answer }));

/** @returns why an answer was not taken. */
export async function postAnswers(
  user: CaseUser,
  answers: readonly CaseAnswer[],
  waiting: readonly WaitingCall[],
): Promise<string | undefined> {
  const matched = matchAnswers(answers, waiting);
  if (typeof matched === "string") return matched;
  for (const { answer, call } of matched) {
    const { tool, ...body } = answer;
    const response = await user.fetch(`/v1/approvals/${call.id}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) return `the answer to \`${tool}\` is not taken: ${response.status} ${await response.text()}`;
  }
  return undefined;
}

/** Answers while a reply is held: as soon as as many calls wait. */
export async function answerHeld(user: CaseUser, answers: readonly CaseAnswer[]): Promise<string | undefined> {
  if (answers.length === 0) return undefined;
  const deadline = Date.now() + ASKED_WITHIN_MS;
  for (;;) {
    const waiting = await pending(user);
    if (waiting.length >= answers.length) return postAnswers(user, answers, waiting);
    if (Date.now() > deadline) return `${waiting.length} calls wait for an answer, not ${answers.length}`;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function pending(user: CaseUser): Promise<readonly WaitingCall[]> {
  const response = await user.fetch("/v1/approvals?status=pending&order=asc");
  if (!response.ok) throw new Error(`the approvals cannot be read: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: WaitingCall[] }).data;
}
