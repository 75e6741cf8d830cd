/** The desk's chat frontend: sends a story's messages to the gateway, runs the calls that it gets, and answers its questions. */
import type { ApprovalView } from "../../api-views/approval-views.ts";
import type { Message } from "../../api-views/chat-views.ts";
import { askGateway } from "../chat/ask-gateway.ts";
import { CASE_HEADER, type ScriptedModel } from "../policy/cases/scripted-model.ts";
import type { DeskClock } from "./desk-clock.ts";
import type { Draw } from "./draw.ts";
import type { Answer, Story, StoryTurn } from "./story.ts";

export interface DeskUser {
  readonly name: string;
  readonly role: "user" | "premium" | "admin";
}

interface Desk {
  readonly origin: string;
  readonly model: ScriptedModel;
  readonly clock: DeskClock;
}

/** A story needs far fewer. */
const MAX_REQUESTS = 12;

/** @returns the number of requests, each of which is a turn. Throws if the gateway answers with an error. */
export async function playStory(
  desk: Desk,
  user: DeskUser,
  session: string,
  story: Story,
  draw: Draw,
): Promise<number> {
  const messages: Message[] = [];
  let requests = 0;
  for (const turn of story.turns)
    requests += await playTurn(desk, user, { session, mode: story.mode, draw }, turn, messages);
  return requests;
}

async function playTurn(
  { origin, model, clock }: Desk,
  { name, role }: DeskUser,
  { session, mode, draw }: { readonly session: string; readonly mode: string | undefined; readonly draw: Draw },
  turn: StoryTurn,
  messages: Message[],
): Promise<number> {
  model.script(session, scriptOf(turn));
  const results = new Map(turn.steps.flatMap(({ calls = [] }) => calls.map(({ name, result }) => [name, result])));
  const gateway = { url: origin, key: `tg-dev-${role}`, keyFrom: "the development key" };
  const others = { [CASE_HEADER]: session, "x-toolgate-approvals": "inline" };
  messages.push({ role: "user", content: turn.user });
  let { answer } = turn;
  for (let requests = 1; requests < MAX_REQUESTS; requests++) {
    const reply = await askGateway(
      gateway,
      { model: "desk-model", messages, tools: deskTools },
      { headers: { session, mode, user: name, others }, onWords: () => {}, signal: AbortSignal.timeout(30_000) },
    );
    if (!reply.ok) throw new Error(`the gateway answers ${reply.error.status}: ${reply.error.message}`);
    const { words, calls } = reply.value;
    messages.push({ role: "assistant", content: words || null, ...(calls.length > 0 ? { tool_calls: calls } : {}) });
    for (const call of calls)
      messages.push({ role: "tool", tool_call_id: call.id, content: results.get(call.function.name) ?? "{}" });
    if (calls.length > 0) continue;
    // A person reads before answering.
    if (answer) await clock.advance(name, draw.whole(3_000, 90_000));
    const typed = answer && (await answerQuestion({ ...gateway, user: name }, session, answer));
    if (typed === undefined) return requests;
    messages.push({ role: "user", content: typed });
    answer = undefined;
  }
  throw new Error(`the story of \`${turn.user}\` has no end`);
}

function scriptOf({ steps }: StoryTurn) {
  const scripted = steps.map(({ text, calls = [] }) => ({
    ...(text === undefined ? {} : { text }),
    calls: calls.map((one) => ({ tool: one.name, arguments: one.arguments })),
  }));
  // After a refusal the gateway asks the model once more than the story knows.
  return [...scripted, ...Array.from({ length: 4 }, () => ({ text: "All right.", calls: [] }))];
}

/** Answers the session's pending questions. @returns the person's next message; undefined if nothing waits. */
async function answerQuestion(
  { url, key, user }: { readonly url: string; readonly key: string; readonly user: string },
  session: string,
  answer: Answer,
): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${key}`, "x-toolgate-user": user, "content-type": "application/json" };
  const response = await fetch(`${url}/v1/approvals?status=pending&limit=100`, { headers });
  const { data } = (await response.json()) as { readonly data: readonly Pick<ApprovalView, "id" | "session_id">[] };
  const waiting = data.find(({ session_id }) => session_id === session);
  if (!waiting) return undefined;
  if (answer === "say_yes" || answer === "say_no") return answer === "say_yes" ? "yes" : "no";
  const body = JSON.stringify({ action: answer });
  const answered = await fetch(`${url}/v1/approvals/${waiting.id}`, { method: "POST", headers, body });
  if (!answered.ok) throw new Error(`the answer is refused: ${await answered.text()}`);
  return "continue";
}

const text = { type: "string" };

const tool = (name: string, description: string, properties: Readonly<Record<string, object>>) => ({
  type: "function",
  function: {
    name,
    description,
    parameters: { type: "object", properties, required: Object.keys(properties), additionalProperties: false },
  },
});

export const deskTools = [
  tool("search_orders", "Find the orders of a customer", { customer: text }),
  tool("read_order", "Read one order", { id: text }),
  tool("read_mail", "Read a mail in the desk's mailbox", { id: text }),
  tool("search_web", "Search the web", { query: text }),
  tool("create_note", "Keep a note about a customer", { title: text, text }),
  tool("send_mail", "Send a mail", { to: text, subject: text, body: text }),
  tool("change_address", "Change where an order goes", { order: text, address: text }),
  tool("refund", "Pay a customer back", { order: text, amount: { type: "number" } }),
  tool("cancel_order", "Cancel an order", { id: text, reason: text }),
  tool("delete_customer", "Delete a customer and all that is known of them", { email: text }),
  tool("export_customers", "Send a list of all customers", { to: text }),
];
