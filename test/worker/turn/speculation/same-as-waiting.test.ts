/** The law of speculation: whatever a conversation is like, its replies and its records are those of turns that waited. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Gateway, gateway, tool } from "../../support/gateway.ts";
import { type Answer, ask, call, result, says, toolsOf, user } from "../../support/script.ts";

const tools = [tool("read_file"), tool("write_file"), tool("send_mail"), tool("look_up"), tool("unheard_of")];

const documentOf = (select: string, speculate: boolean) => ({
  modes: { default: { allow: ["*"] }, careful: { allow: ["category:read_only"] } },
  tools: {
    read_file: { category: "read_only" },
    write_file: { category: "modification", rateLimits: [{ max: 2, window: "1h" }] },
    send_mail: { category: "external", confirm: "auto" },
    look_up: { category: "read_only", connection: "crm", trusted: true },
  },
  intents: {
    WRITE: { keywords: ["write"], tools: ["write_file", "read_file"] },
    MAIL: { keywords: ["mail"], tools: ["send_mail", "look_up"] },
    CHAT: { tools: [] },
  },
  confirmation: { autoConfirmNoteTaking: true },
  detection: { fallback: "CHAT", layers: ["keywords", "patterns"] },
  handshake: { select },
  execution: { speculate },
});

const wishes = [
  "please write the file",
  "mail it to ada",
  "go ahead",
  "what is the weather like?",
  "write it, and mail it",
];
const acts = ["words", "read_file", "write_file", "send_mail", "look_up", "select WRITE", "select MAIL", "nonsense"];

const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("message"),
      wish: fc.constantFrom(...wishes),
      act: fc.constantFrom(...acts),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("results") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("again") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("answer"), word: fc.constantFrom("yes", "no") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("title") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("mode"), mode: fc.constantFrom("careful", "default") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("link"), linked: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reset") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("fewer tools") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("pass"), ms: fc.constantFrom(500, 3_000, 60_000) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const scenario = fc.record({
  named: fc.boolean(),
  select: fc.constantFrom("detected", "model", "off"),
  stream: fc.boolean(),
  actions: fc.array(action, { minLength: 1, maxLength: 9 }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
}

/** What the model does follows from what it is sent alone: a call that is made anew gets the same answer. */
function model(body: Record<string, unknown>): Parameters<typeof says>[0] {
  const messages = body.messages as readonly WireMessage[];
  const last = messages.at(-1);
  const at = messages.length;
  const usage = { prompt_tokens: at, completion_tokens: toolsOf(body).length, total_tokens: at + toolsOf(body).length };
  const [, act = "words"] = /\[model: ([^\]]+)\]/.exec(String(last?.content)) ?? [];
  if (last?.role === "tool" || act === "words") return { text: `words ${at} of ${toolsOf(body).length}`, usage };
  if (act.startsWith("select ")) return { calls: [call(`hs${at}`, "select_intent", { intent: act.slice(7) })], usage };
  return { calls: [call(`c${at}`, act, { path: "a.txt" })], text: "let me see", usage };
}

interface Transcript {
  /** Replies, what the model was sent, and the records. */
  readonly told: unknown;
  /** Turns of which a first step was made anew or given up. */
  readonly inVain: number;
}

/** Ids, codes, digests and times differ from run to run. */
const settled = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/\b(turn|sess|dec|apr|tool)_[\w-]+/g, "$1")
      .replace(/\b[0-9a-f]{16,}\b/g, "hex")
      .replace(/untrusted-\w+/g, "untrusted")
      .replace(/\b(?=[A-Z0-9]{4}\b)(?![A-Z]{4}\b)[A-Z0-9]{4}\b/g, "code")
      .replace(/\(([A-Z]{4})\)|`([A-Z]{4})`|\[([A-Z]{4})\]/g, "code"),
  );

async function play({ named, select, stream, actions }: Scenario, speculate: boolean): Promise<Transcript> {
  let now = Date.now();
  const aborted = new Set<number>();
  let calls = 0;
  const gate = await gateway({
    policy: documentOf(select, speculate),
    now: () => now,
    upstream: (body, request) => {
      const index = calls;
      calls += 1;
      if (request.signal.aborted) aborted.add(index);
      request.signal.addEventListener("abort", () => void aborted.add(index));
      return says(model(body))(body, request);
    },
  });
  const replies: unknown[] = [];
  let messages: Record<string, unknown>[] = [
    { role: "system", content: "You help with files and mail, and are brief." },
  ];
  let offered = tools;
  let last: Answer | undefined;
  let body: Record<string, unknown> = {};
  const headers: Record<string, string> = named ? { "x-toolgate-session": "s" } : {};
  const send = async (over: Record<string, unknown>, more: Record<string, string> = {}): Promise<Answer> => {
    const reply = await ask(gate, over, { ...headers, ...more });
    await gate.settle();
    replies.push(replyOf(reply));
    return reply;
  };
  const turn = async (added: readonly Record<string, unknown>[], more?: Record<string, string>) => {
    body = { messages: [...messages, ...added], tools: offered, stream };
    last = await send(body, more);
    if (last.status === 200) messages = [...(body.messages as Record<string, unknown>[]), last.message];
  };
  for (const one of actions) await act(one, gate);
  async function act(one: Action, { guard, tenant, user: name }: Gateway): Promise<void> {
    switch (one.kind) {
      case "message":
        return turn([user(`${one.wish} [model: ${one.act}]`)]);
      case "results":
        return last && last.calls.length > 0 ? turn(last.calls.map(({ id }) => result(id))) : undefined;
      case "again":
        if (body.messages) await send(body);
        return;
      case "answer": {
        const code = /"code":"([A-Z0-9]+)"/.exec(JSON.stringify(last?.note ?? {}))?.[1];
        return code ? turn([user(`${one.word} ${code}`)]) : undefined;
      }
      case "title": {
        const title = [
          { role: "system", content: "Write a title of three words for this conversation." },
          user("title?"),
        ];
        await send({ messages: title, tools: [], stream });
        return;
      }
      case "mode":
        await guard.sessions.setMode("s", one.mode);
        return;
      case "link":
        await guard.connections.replace(
          { tenant, user: name },
          one.linked ? [{ provider: "crm", hosts: [], expiresAt: null }] : [],
          "op",
        );
        return;
      case "reset":
        return turn([user("begin anew [model: words]")], { "x-toolgate-reset": "true" });
      case "fewer tools":
        offered = offered.slice(0, -1);
        return;
      case "pass":
        now += one.ms;
    }
  }
  const turns = await gate.turns();
  const decisions = (await gate.decisions()).map(decisionOf);
  const sent = gate.sent.filter((_, index) => !aborted.has(index));
  const inVain = turns.filter(({ redone }) => redone === true).length;
  return { told: settled({ replies, sent, turns: turns.map(turnOf), decisions }), inVain };
}

function replyOf({ status, text, calls, finish, usage, note, error, headers }: Answer): unknown {
  const { turn_id: _turn, session_id: _session, ...rest } = note ?? {};
  const { approvals, ...told } = rest as Record<string, unknown>;
  const asked = (approvals as readonly { readonly tool: string }[] | undefined)?.map((one) => one.tool);
  return { status, text, calls, finish, usage, told, asked, error, state: headers.get("x-toolgate-state") };
}

/** What only speculation has to say is left out, and what differs from user to user. */
function turnOf(row: Record<string, unknown>): unknown {
  const own = ["id", "at", "ended_at", "session", "seq", "previous", "hash", "policy", "tenant", "redone"];
  return Object.fromEntries(Object.entries(row).filter(([name]) => !own.includes(name)));
}

function decisionOf({
  tool: name,
  effect,
  reasons,
  arguments: args,
  step,
  mode,
  state,
  intents,
}: Record<string, unknown>) {
  const codes = (reasons as readonly { readonly code: string }[]).map((reason) => reason.code);
  return { name, effect, codes, args, step, mode, state, intents };
}

describe("the law of speculation", () => {
  it("a_turn_that_speculates_replies_and_records_as_one_that_waits", async () => {
    let inVain = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async (one) => {
        const waited = await play(one, false);
        const speculated = await play(one, true);
        inVain += speculated.inVain;
        expect(speculated.told).toEqual(waited.told);
      }),
      { numRuns: 40 },
    );
    expect(inVain).toBeGreaterThan(0);
  });
});
