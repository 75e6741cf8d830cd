/** The conversation of a case as a client keeps it. */

import { wait } from "../../../lib/deadline.ts";
import type { CaseUser } from "./case-gateway.ts";
import type { CaseAnswer, CaseTurn } from "./case-schema.ts";
import type { Reply, WaitingCall } from "./read-reply.ts";

/** A turn that failed leaves nothing in it: the client would send it again. */
export class ClientHistory {
  messages: unknown[] = [];
  /** The calls that wait for a person, by the last reply that listed any. */
  waiting: readonly WaitingCall[] = [];
  /** The answers in the request's body. */
  answers: readonly unknown[] = [];
  private beforeTurn: readonly unknown[] = [];
  /** The messages of the last request, for one that is sent again with its answers. */
  private lastRequest: readonly unknown[] = [];
  private released: Reply["calls"] = [];

  /** Adds what the turn sends. @returns why the turn cannot be sent. */
  prepare({ user, results, native }: CaseTurn): string | undefined {
    const matched = matchAnswers(native, this.waiting);
    if (typeof matched === "string") return matched;
    this.answers = asBody(matched);
    this.beforeTurn = [...this.messages];
    if (user === undefined && results === undefined) this.messages = [...this.lastRequest];
    if (results !== undefined) {
      const [given, released] = [results.map(({ tool }) => tool), this.released.map(({ name }) => name)];
      if (given.join() !== released.join()) {
        return `\`results\` are of [${given.join(", ")}], but the turn before released [${released.join(", ")}]`;
      }
      for (const [index, { content }] of results.entries()) {
        const text = typeof content === "string" ? content : JSON.stringify(content ?? null);
        this.messages.push({ role: "tool", tool_call_id: this.released[index]?.id, content: text });
      }
    }
    if (user !== undefined) {
      const content = this.withCodes(user);
      if (content === undefined) return `no such call waits as \`${user}\` has the code of`;
      this.messages.push({ role: "user", content });
    }
    this.lastRequest = [...this.messages];
    return undefined;
  }

  receive({ status, error, text, calls, note }: Reply): void {
    if (status !== 200 || error) {
      this.messages = [...this.beforeTurn];
      return;
    }
    this.released = calls;
    // A reply that only says that the code is missing repeats the frame, not the list.
    if (note?.approvals?.length || calls.length > 0) this.waiting = note?.approvals ?? [];
    const made = calls.map(({ id, name, arguments: args }) => ({
      id,
      type: "function",
      function: { name, arguments: args },
    }));
    this.messages.push({
      role: "assistant",
      content: text === "" ? null : text,
      ...(made.length > 0 ? { tool_calls: made } : {}),
    });
  }

  /** `{code}`, `{code 2}`: the codes of the pending calls. Undefined if there is no such call. */
  private withCodes(text: string): string | undefined {
    let missing = false;
    const filled = text.replace(/\{code(?: (\d))?\}/g, (_, place?: string) => {
      const call = this.waiting[Number(place ?? 1) - 1];
      missing ||= call === undefined;
      return call?.code ?? "";
    });
    return missing ? undefined : filled;
  }
}

/** Long enough for a held reply to have its question, even on a busy machine. */
const ASKED_WITHIN_MS = 15_000;
const POLL_MS = 50;

type AnswerMatch = { readonly answer: CaseAnswer; readonly call: WaitingCall };

/** Each answer with the first call of its tool that no other answer is for, or why there is none. */
function matchAnswers(answers: readonly CaseAnswer[], waiting: readonly WaitingCall[]): AnswerMatch[] | string {
  const left = [...waiting];
  const matched: AnswerMatch[] = [];
  for (const answer of answers) {
    const place = left.findIndex(({ tool }) => tool === answer.tool);
    const [call] = place < 0 ? [] : left.splice(place, 1);
    if (!call) return `no call of \`${answer.tool}\` waits for an answer`;
    matched.push({ answer, call });
  }
  return matched;
}

/** `toolgate.approvals` of a request's body. */
const asBody = (matched: readonly AnswerMatch[]) =>
  matched.map(({ answer: { tool: _, ...answer }, call }) => ({ id: call.id, ...answer }));

/** @returns why the gateway refused an answer. */
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
    if (!response.ok) return `the answer to \`${tool}\` is refused: ${response.status} ${await response.text()}`;
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
    await wait(POLL_MS);
  }
}

async function pending(user: CaseUser): Promise<readonly WaitingCall[]> {
  const response = await user.fetch("/v1/approvals?status=pending&order=asc");
  if (!response.ok) throw new Error(`the approvals cannot be read: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: WaitingCall[] }).data;
}
