/** Conversations in which a person is asked. */
import { type Gateway, type GatewayOptions, gateway, tool, type Upstream } from "../support/gateway.ts";
import { type Answer, ask, call, type ScriptedCall, says, user } from "../support/script.ts";

/** As `toolgate.approvals` tells it. */
export interface AskedView {
  readonly id: string;
  readonly code: string;
  readonly status: string;
  readonly tool: string;
  readonly call_id: string;
  readonly asks: readonly string[];
  readonly arguments: Record<string, unknown>;
  readonly disclosure: string;
  readonly question: string;
  readonly schema: unknown;
  readonly editable: boolean;
  readonly grantable: boolean;
  readonly expires_at: string;
  readonly channel: string;
}

const note = {
  type: "object",
  properties: {
    title: { type: "string" },
    tags: { type: "array", items: { type: "string" } },
    count: { type: "integer", minimum: 0 },
    private: { type: "boolean", default: true },
  },
  required: ["title"],
  additionalProperties: false,
};
export const tools = [
  tool("edit_note", note),
  tool("read_note"),
  tool("send_mail", { type: "object", properties: { to: { type: "string" } } }),
];
export const policy = {
  handshake: { select: "off" },
  tools: {
    edit_note: { category: "modification", description: "Change a note", trusted: true },
    read_note: { category: "read_only", trusted: true },
    send_mail: { category: "external", destination: "the mail service", learnMore: "Mails go to ACME." },
  },
};
export const hi = user("please change my note");
export const edits = (id = "c1", args: unknown = { title: "Gadamer" }): ScriptedCall => call(id, "edit_note", args);

export const asking = (
  upstream: readonly Upstream[],
  more: Record<string, unknown> = {},
  options: Partial<GatewayOptions> = {},
): Promise<Gateway> => gateway({ policy: { ...policy, ...more }, upstream, ...options });

export const session = { "x-toolgate-session": "s" };

/** What waits, as the reply tells it. */
export const asked = ({ note: told }: Answer): readonly AskedView[] =>
  (told as unknown as { approvals: readonly AskedView[] }).approvals;

export const codeIn = (answer: Answer, index = 0): string => asked(answer)[index]?.code ?? "none";

export interface Chat {
  readonly gate: Gateway;
  readonly history: Record<string, unknown>[];
  /** Says something, and puts the reply into the history. */
  say(text: string, body?: Record<string, unknown>): Promise<Answer>;
  /** Brings results of these calls. */
  bring(...results: Record<string, unknown>[]): Promise<Answer>;
}

/** A frontend that knows nothing of approvals. */
export function chat(
  gate: Gateway,
  base: Record<string, unknown> = {},
  headers: Record<string, string> = session,
): Chat {
  const history: Record<string, unknown>[] = [];
  const send = async (more: readonly Record<string, unknown>[], body: Record<string, unknown> = {}) => {
    history.push(...more);
    const answer = await ask(gate, { messages: [...history], tools, ...base, ...body }, headers);
    if (answer.status === 200) history.push(answer.message);
    return answer;
  };
  return { gate, history, say: (text, body) => send([user(text)], body), bring: (...results) => send(results) };
}

export const says1 = (...calls: ScriptedCall[]): Upstream => says({ text: "Let me do that.", calls });
export const done = says({ text: "Done." });

/** Messages of an upstream request, in short: role, with the ids of calls. */
export const reasonsOf = ({ note: told }: Answer): string[][] =>
  told.decisions.map(({ reasons }) => reasons.map(({ code }) => code));
