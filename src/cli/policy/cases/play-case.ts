/** Plays the client's side of a case through the gateway, turn by turn, and keeps the results of each. */
import type { CaseGateway, CaseTenant, CaseUser, TurnTrail } from "./case-gateway.ts";
import type { CaseFile, CaseTurn, PolicyCase } from "./case-schema.ts";
import { answerHeld, ClientHistory, postAnswers } from "./client-history.ts";
import { type Reply, readReply } from "./read-reply.ts";
import { type HostFault, hostScript } from "./scripted-hosts.ts";
import type { SentStep } from "./scripted-model.ts";

/** As the model was sent it. */
interface ObservedStep extends SentStep {
  readonly withheld: Readonly<Record<string, readonly string[]>>;
}

export interface ObservedTurn {
  readonly reply: Reply;
  readonly steps: readonly ObservedStep[];
  /** Undefined if the request was refused before a turn began. */
  readonly audit: TurnTrail | undefined;
}

interface PlayedCase {
  readonly turns: readonly ObservedTurn[];
  /** Why the next turn was not played. */
  readonly stoppedBy: string | undefined;
  /** Requests to other hosts that differ from the case's script. */
  readonly faults: readonly HostFault[];
}

/** `id` is undefined if the request was refused before a turn began. */
type EndedTurn = Omit<ObservedTurn, "audit"> & { readonly id: string | undefined };

/** Throws if the gateway itself cannot be reached or used. */
export async function playCase(
  { model, hosts }: CaseGateway,
  tenant: CaseTenant,
  file: CaseFile,
  one: PolicyCase,
): Promise<PlayedCase> {
  const { tools } = file;
  const user = await tenant.user(one.principal);
  hosts.script(user.id, hostScript(tenant.policy, file, one));
  const history = new ClientHistory();
  const turns: EndedTurn[] = [];
  let stoppedBy: string | undefined;
  for (const [place, turn] of one.turns.entries()) {
    if (turn.advance !== undefined) await user.advance(turn.advance);
    stoppedBy =
      (await giveConsent(user, turn)) ??
      (await postAnswers(user, turn.inbox, history.waiting)) ??
      history.prepare(turn);
    if (stoppedBy !== undefined) break;
    const mode = place === 0 ? one.session.mode : undefined;
    model.script(user.id, turn.model, turn.verdict);
    const [reply, unanswered] = await Promise.all([
      send(user, turn, mode, history, tools).then(readReply),
      answerHeld(user, turn.held),
    ]);
    history.receive(reply);
    const id = reply.note?.turn_id ?? reply.headers.get("x-toolgate-turn") ?? undefined;
    turns.push({ id, reply, steps: await stepsOf(user, id, model.sent(user.id)) });
    stoppedBy = unanswered;
    if (stoppedBy !== undefined) break;
  }
  return { ...(await addRecords(user, turns, stoppedBy)), faults: hosts.faults(user.id) };
}

/**
 * After the last turn, because records come a moment after the reply. The last turn's own record is awaited first: records are delivered in
 * order, so the later outcomes of earlier turns' questions are there with it.
 */
async function addRecords(
  user: CaseUser,
  turns: readonly EndedTurn[],
  stoppedBy: string | undefined,
): Promise<Omit<PlayedCase, "faults">> {
  const last = turns.findLast(({ id }) => id !== undefined);
  const its = last?.id === undefined ? undefined : await user.audit(last.id);
  const auditOf = async (id: string | undefined) => {
    if (id === undefined) return undefined;
    return id === last?.id ? its : user.audit(id);
  };
  const seen = await Promise.all(turns.map(async ({ id, ...turn }) => ({ ...turn, audit: await auditOf(id) })));
  const lost = turns.find(({ id }, place) => id !== undefined && !seen[place]?.audit);
  const late = lost && `the record of turn \`${lost.id}\` did not reach the audit trail in time`;
  return { turns: seen, stoppedBy: stoppedBy ?? late };
}

function send(
  user: CaseUser,
  turn: CaseTurn,
  mode: string | undefined,
  { messages, answers }: ClientHistory,
  tools: CaseFile["tools"],
): Promise<Response> {
  const clientTools = (turn.tools ?? Object.keys(tools)).map((name) => ({
    type: "function",
    function: { name, ...tools[name] },
  }));
  const body = {
    model: "scripted",
    stream: true,
    messages,
    ...(clientTools.length > 0 ? { tools: clientTools } : {}),
    ...(answers.length > 0 ? { toolgate: { approvals: answers } } : {}),
    ...turn.request,
  };
  const headers = {
    "content-type": "application/json",
    "x-toolgate-session": user.id,
    ...(mode === undefined ? {} : { "x-toolgate-mode": mode }),
    ...turn.headers,
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

async function stepsOf(user: CaseUser, turn: string | undefined, sent: readonly SentStep[]): Promise<ObservedStep[]> {
  const offers = turn === undefined ? [] : await user.offers(turn);
  return sent.map((one, step) => ({ ...one, withheld: offers[step]?.withheld ?? {} }));
}
