/** The conversation of a case as a client keeps it. */
import type { CaseTurn } from "./case-schema.ts";
import { asBody, matchAnswers } from "./give-answers.ts";
import type { Reply, WaitingCall } from "./read-reply.ts";

/** A turn that failed leaves nothing in it: the client would send it again. */
export class ClientHistory {
  messages: unknown[] = [];
  /** The calls that wait for a person, as the last reply that had any told them. */
  waiting: readonly WaitingCall[] = [];
  /** What the request answers in its body. */
  answers: readonly unknown[] = [];
  private kept: readonly unknown[] = [];
  /** The messages of the last request, for one that is sent again with its answers. */
  private asked: readonly unknown[] = [];
  private released: Reply["calls"] = [];

  /** @returns why the turn cannot be asked. */
  ask({ user, results, native }: CaseTurn): string | undefined {
    const matched = matchAnswers(native, this.waiting);
    if (typeof matched === "string") return matched;
    this.answers = asBody(matched);
    this.kept = [...this.messages];
    if (user === undefined && results === undefined) this.messages = [...this.asked];
    if (results !== undefined) {
      const [brought, waiting] = [results.map(({ tool }) => tool), this.released.map(({ name }) => name)];
      if (brought.join() !== waiting.join()) {
        return `\`results\` are of [${brought.join(", ")}], but the turn before released [${waiting.join(", ")}]`;
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
    this.asked = [...this.messages];
    return undefined;
  }

  hear({ status, error, text, calls, note }: Reply): void {
    if (status !== 200 || error) {
      this.messages = [...this.kept];
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

  /** `{code}`, `{code 2}`: of the calls that wait. Undefined where there is no such call. */
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
