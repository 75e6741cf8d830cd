/** Notes that are made, and taken back. */
import { type Gateway, type GatewayOptions, gateway, tool, type Upstream } from "../../support/gateway.ts";
import { type Answer, ask, call, result, says, user } from "../../support/script.ts";

const id = { type: "object", properties: { note_id: { type: "string" } }, required: ["note_id"] };
export const tools = [tool("create_note"), tool("delete_note", id), tool("search")];
const session = { "x-toolgate-session": "s" };
const hi = user("note it");
const text = { title: "T", content: "private" };
export const made = '{"note_id":"n1","owner":"ada"}';

/** `delete_note` runs unasked unless told; found by name, since the policy says what it takes. */
export const policy = (
  deleting: Record<string, unknown> = { confirm: "auto" },
  creating: Record<string, unknown> = {},
) => ({
  roles: ["guest", "user", "admin"],
  modes: { quiet: { allow: ["category:read_only"] } },
  tools: {
    create_note: { category: "note_taking", confirm: "auto", redact: ["content"], undo: "delete_note", ...creating },
    delete_note: { category: "modification", parameters: id, ...deleting },
    search: { category: "read_only" },
  },
  intents: { NOTE: { description: "take a note", tools: ["create_note"] } },
});

export const handshake = says({ calls: [call("hs", "select_intent", { intent: "NOTE" })] });
const makes = says({ calls: [call("a", "create_note", text)] });
export const ok = says({ text: "ok" });

export interface Noted {
  readonly gate: Gateway;
  readonly history: Record<string, unknown>[];
  /** The id of the call that made the note. */
  readonly made: string;
  say(...messages: Record<string, unknown>[]): Promise<Answer>;
}

/** A note was made, in the session `s`; `brought` is what came back of it. */
export async function noted(
  options: Partial<GatewayOptions> = {},
  brought: unknown = made,
  then: readonly Upstream[] = [],
): Promise<Noted> {
  const gate = await gateway({ policy: policy(), upstream: [handshake, makes, ok, ...then], ...options });
  const history: Record<string, unknown>[] = [];
  const say = async (...messages: Record<string, unknown>[]) => {
    history.push(...messages);
    const answer = await ask(gate, { messages: [...history], tools }, session);
    history.push(answer.message);
    return answer;
  };
  await say(hi);
  if (brought !== null) await say({ ...result("a"), content: brought });
  const [call] = (await list(gate)).data;
  return { gate, history, made: String(call?.id), say };
}

export type Told = Record<string, unknown>;

export async function list(gate: Gateway, query = ""): Promise<{ data: Told[]; has_more: boolean }> {
  return (await gate.fetch(`/v1/calls${query}`)).json();
}

export interface Undone {
  readonly status: number;
  readonly body: Told & { readonly error?: { code: string; message: string; reasons?: { code: string }[] } };
}

export async function undo(gate: Gateway, call: string, headers: Record<string, string> = {}): Promise<Undone> {
  const response = await gate.fetch(`/v1/calls/${call}/undo`, { method: "POST", headers });
  return { status: response.status, body: await response.json() };
}
