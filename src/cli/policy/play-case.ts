/** Plays the client's side of a case through the gateway, turn by turn, and keeps what was seen of each. */
import type { CaseGateway, CaseTenant, CaseUser, TurnTrail } from "./case-gateway.ts";
import type { CaseFile, CaseTurn, PolicyCase } from "./case-schema.ts";
import { type Reply, readReply } from "./read-reply.ts";
import { CASE_HEADER } from "./scripted-model.ts";

export interface SeenStep {
  /** As the model was sent them. */
  readonly offered: readonly string[];
  readonly withheld: Readonly<Record<string, readonly string[]>>;
}

export interface SeenTurn {
  readonly reply: Reply;
  readonly steps: readonly SeenStep[];
  /** Undefined where the request was refused before a turn began. */
  readonly audit: TurnTrail | undefined;
}

export interface PlayedCase {
  readonly turns: readonly SeenTurn[];
  /** What kept the next turn from being played. */
  readonly broke: string | undefined;
}

/** `id` is undefined where the request was refused before a turn began. */
type EndedTurn = Omit<SeenTurn, "audit"> & { readonly id: string | undefined };

/** Throws where the gateway itself cannot be reached or asked. */
export async function playCase(
  { model }: CaseGateway,
  tenant: CaseTenant,
  { tools }: CaseFile,
  one: PolicyCase,
): Promise<PlayedCase> {
  const user = await tenant.user(one.principal);
  const history = new History();
  const turns: EndedTurn[] = [];
  let broke: string | undefined;
  for (const [place, turn] of one.turns.entries()) {
    if (turn.advance !== undefined) await user.advance(turn.advance);
    broke = (await giveConsent(user, turn)) ?? history.ask(turn);
    if (broke !== undefined) break;
    const mode = place === 0 ? one.session.mode : undefined;
    model.script(user.id, turn.model, turn.verdict);
    const reply = await readReply(await send(user, turn, mode, history.messages, tools));
    history.hear(reply);
    const id = reply.note?.turn_id ?? reply.headers.get("x-toolgate-turn") ?? undefined;
    turns.push({ id, reply, steps: await stepsOf(user, id, model.sent(user.id)) });
  }
  return withRecords(user, turns, broke);
}

/** All at once, after the last turn: records come a moment after the reply. */
async function withRecords(
  user: CaseUser,
  turns: readonly EndedTurn[],
  broke: string | undefined,
): Promise<PlayedCase> {
  const seen = await Promise.all(
    turns.map(async ({ id, ...turn }) => ({ ...turn, audit: id === undefined ? undefined : await user.audit(id) })),
  );
  const lost = turns.find(({ id }, place) => id !== undefined && !seen[place]?.audit);
  const late = lost && `the record of turn \`${lost.id}\` did not reach the audit trail in time`;
  return { turns: seen, broke: broke ?? late };
}

function send(
  user: CaseUser,
  turn: CaseTurn,
  mode: string | undefined,
  messages: readonly unknown[],
  tools: CaseFile["tools"],
): Promise<Response> {
  const brought = (turn.tools ?? Object.keys(tools)).map((name) => ({
    type: "function",
    function: { name, ...tools[name] },
  }));
  const body = {
    model: "scripted",
    stream: true,
    messages,
    ...(brought.length > 0 ? { tools: brought } : {}),
    ...turn.request,
  };
  const headers = {
    "content-type": "application/json",
    "x-toolgate-session": user.id,
    ...(mode === undefined ? {} : { "x-toolgate-mode": mode }),
    ...turn.headers,
    [CASE_HEADER]: user.id,
  };
  return user.fetch("/v1/chat/completions", { method: "POST", headers, body: JSON.stringify(body) });
}

/** First without a session, which is consent for all of them; a policy that keeps none asks for the session's id. */
async function giveConsent(user: CaseUser, { consent }: CaseTurn): Promise<string | undefined> {
  for (const tool of consent) {
    const path = `/v1/gates/${encodeURIComponent(tool)}`;
    let response = await user.fetch(path, { method: "POST" });
    if (response.status === 400) {
      response = await user.fetch(path, { method: "POST", body: JSON.stringify({ session_id: user.id }) });
    }
    if (!response.ok) return `the gate of \`${tool}\` does not open: ${response.status} ${await response.text()}`;
  }
  return undefined;
}

async function stepsOf(
  user: CaseUser,
  turn: string | undefined,
  sent: readonly (readonly string[])[],
): Promise<SeenStep[]> {
  const offers = turn === undefined ? [] : await user.offers(turn);
  return sent.map((offered, step) => ({ offered, withheld: offers[step]?.withheld ?? {} }));
}

/** The conversation as a client keeps it. A turn that failed leaves nothing in it: the client would send it again. */
class History {
  messages: unknown[] = [];
  private kept: readonly unknown[] = [];
  private released: Reply["calls"] = [];

  /** @returns why the turn cannot be asked. */
  ask({ user, results }: CaseTurn): string | undefined {
    this.kept = [...this.messages];
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
    if (user !== undefined) this.messages.push({ role: "user", content: user });
    return undefined;
  }

  hear({ status, error, text, calls }: Reply): void {
    if (status !== 200 || error) {
      this.messages = [...this.kept];
      return;
    }
    this.released = calls;
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
}
