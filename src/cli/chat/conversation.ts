/**
 * A conversation with a gateway: sends the person's message with all messages before it, shows the reply, asks for answers to approvals,
 * and goes on until it is the person's turn.
 */

import type { ManagedRun, Message, ToolCall } from "../../api-views/chat-views.ts";
import { visible } from "../../lib/text/visible-text.ts";
import type { GatewayAddress } from "../gateway-client.ts";
import type { ChatFailure, ChatReply } from "./ask-gateway.ts";
import { askGateway, type ChatHeaders } from "./ask-gateway.ts";
import type { Asker, NativeAnswer } from "./asker.ts";
import { wrapped } from "./box.ts";
import { resultSections, type ShownResult } from "./result-box.ts";
import type { Screen } from "./screen.ts";
import { statusLine } from "./status-line.ts";

/** Tools that this program runs itself. */
export interface LocalTools {
  readonly definitions: readonly object[];
  run(call: ToolCall): Promise<LocalResult>;
}

export interface LocalResult extends ShownResult {
  readonly text: string;
}

export interface ConversationSettings {
  readonly gateway: GatewayAddress;
  readonly model: string;
  readonly headers: ChatHeaders;
  readonly screen: Screen;
  readonly asker: Asker;
  readonly tools?: LocalTools | undefined;
}

/** `left`: a call waits, and was not answered. */
export type SayEnd = "done" | "failed" | "left";

export interface Conversation {
  readonly last: ChatReply | undefined;
  readonly results: readonly ShownResult[];
  say(text: string): Promise<SayEnd>;
  /** Asks questions again that were left open. */
  askAgain(): Promise<SayEnd>;
  /** Continues with answers that were given on another channel. */
  goOn(): Promise<SayEnd>;
  setMode(mode: string): void;
}

export function openConversation(settings: ConversationSettings): Conversation {
  const { gateway, screen, asker, tools } = settings;
  const messages: Message[] = [];
  let headers = settings.headers;
  let last: ChatReply | undefined;
  let results: readonly ShownResult[] = [];

  async function send(answers: readonly NativeAnswer[] | undefined) {
    const stop = new AbortController();
    const release = asker.holdKeys(() => stop.abort());
    const words = screen.words();
    const body = {
      model: settings.model,
      messages,
      ...(tools ? { tools: tools.definitions } : {}),
      ...(answers ? { toolgate: { approvals: answers } } : {}),
    };
    try {
      return await askGateway(gateway, body, { headers, onWords: (text) => words.write(text), signal: stop.signal });
    } finally {
      words.end();
      release();
    }
  }

  function show(reply: ChatReply): void {
    last = reply;
    results = [];
    for (const run of reply.note.runs ?? []) showResult(shownRun(run));
    for (const line of wrapped(statusLine(reply, screen.style), screen.style.width)) screen.aside(line);
  }

  function showResult(result: ShownResult): void {
    results = [...results, result];
    screen.box(resultSections(result, screen.style));
  }

  function keep({ words, calls }: ChatReply): void {
    if (words === "" && calls.length === 0) return;
    const content = words === "" ? null : words;
    messages.push(
      calls.length === 0 ? { role: "assistant", content } : { role: "assistant", content, tool_calls: calls },
    );
  }

  async function runCalls(calls: readonly ToolCall[]): Promise<void> {
    for (const call of calls) {
      const result = await runLocally(tools, call);
      messages.push({ role: "tool", tool_call_id: call.id, content: result.text });
      showResult(result);
    }
  }

  async function converse(first: readonly NativeAnswer[] | undefined): Promise<SayEnd> {
    let answers = first;
    for (;;) {
      const reply = await send(answers);
      if (!reply.ok) {
        const problem = describe(reply.error);
        if (!answers || !isAnswerProblem(reply.error)) {
          for (const line of wrapped(problem, screen.style.width)) screen.aside(screen.style.paint("red", line));
          return "failed";
        }
        const again = await ask(problem);
        if (typeof again === "string") return again;
        answers = again;
        continue;
      }
      keep(reply.value);
      show(reply.value);
      await runCalls(reply.value.calls);
      if (waitingIn(reply.value).length > 0) {
        const given = await ask(undefined);
        if (typeof given === "string") return given;
        answers = given;
      } else if (reply.value.calls.length > 0) answers = undefined;
      else return "done";
    }
  }

  async function ask(problem: string | undefined): Promise<readonly NativeAnswer[] | SayEnd> {
    const given = await asker.answers(waitingIn(last), problem);
    if (given.kind === "answers") return given.answers;
    if (given.kind === "message") return say(given.text);
    const left = "Not answered: it waits in the inbox until it expires. /ask asks again, a new message cancels it.";
    for (const line of wrapped(left, screen.style.width)) screen.aside(line);
    return "left";
  }

  async function say(text: string): Promise<SayEnd> {
    messages.push({ role: "user", content: text });
    const before = last;
    const end = await converse(undefined);
    // Nothing came of it: the person may say it again.
    if (end === "failed" && last === before) messages.pop();
    return end;
  }

  function waits(): boolean {
    const waiting = waitingIn(last).length > 0;
    if (!waiting) screen.aside("Nothing waits for an answer.");
    return waiting;
  }

  return {
    get last() {
      return last;
    },
    get results() {
      return results;
    },
    say,
    async askAgain() {
      if (!waits()) return "done";
      const given = await ask(undefined);
      return typeof given === "string" ? given : converse(given);
    },
    async goOn() {
      return waits() ? converse(waitingIn(last).map(({ id }) => ({ id }))) : "done";
    },
    setMode(mode) {
      headers = { ...headers, mode };
    },
  };
}

const waitingIn = (reply: ChatReply | undefined) => reply?.note.approvals ?? [];

const isAnswerProblem = ({ code }: ChatFailure): boolean =>
  code !== undefined &&
  /^approval_(edit_invalid|not_editable|grant_invalid|enables_nothing|endorses_nothing)$/.test(code);

/** A provider's error is in it as it came. */
const describe = ({ message, code }: ChatFailure): string =>
  visible(code === undefined ? message : `${message} (${code})`) + (code === "approval_settled" ? SETTLED : "");

const SETTLED =
  "\nIt was answered elsewhere: /continue goes on with that answer, a new message cancels what was not run.";

const shownRun = ({ tool, status, ms, trusted, suspicious, result }: ManagedRun): ShownResult => ({
  tool,
  status,
  ms,
  trusted,
  suspicious: suspicious.length > 0,
  text: result,
});

/** A call of a tool that this program does not have gets a result, too: without one the conversation could not go on. */
async function runLocally(tools: LocalTools | undefined, call: ToolCall): Promise<LocalResult> {
  if (tools) return tools.run(call);
  const text = JSON.stringify({ error: "this client runs no tools" });
  return { tool: call.function.name, status: "failed", ms: null, trusted: true, suspicious: false, text };
}
