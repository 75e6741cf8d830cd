/**
 * Requests that a frontend sends beside the user's, under the same session id or with the same first messages: they are no
 * message of the user in the conversation, and change nothing of it.
 * @module-tag attack/history
 * @module-tag attack/history
 */
import { describe, expect, it } from "vitest";
import { asked, asking, chat, codeIn, done, edits, hi, says1, session, tools } from "../approvals/approvals.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { type Answer, ask, call, messagesOf, outlineOf, result, says, selects, user } from "../support/script.ts";

/** As Open WebUI sends them after each reply: one user message that quotes the chat, no system prompt, no tools, not streamed. */
const quoting = (history: readonly Record<string, unknown>[]): string =>
  history.map(({ role, content }) => `${String(role).toUpperCase()}: ${String(content)}`).join("\n");
const ownRequests: readonly (readonly [string, (history: readonly Record<string, unknown>[]) => string])[] = [
  [
    "a title",
    (history) =>
      `### Task:\nSum up the chat in a title of 3 to 5 words.\n<chat_history>\n${quoting(history)}\n</chat_history>`,
  ],
  [
    "tags",
    (history) => `### Task:\nName up to 3 tags. Answer as JSON.\n<chat_history>\n${quoting(history)}\n</chat_history>`,
  ],
  [
    "follow-up questions",
    (history) => `### Task:\nSuggest what the user may ask next.\n### Chat History:\n${quoting(history)}`,
  ],
  ["search queries", () => "### Task:\nWrite search queries for the chat. Today is 2026-11-23."],
];
const own = (content: string): Record<string, unknown> => ({ messages: [user(content)], stream: false });

const channels = [
  ["inline", {}],
  ["native", { "x-toolgate-approvals": "native" }],
] as const;

const waiting = async (gate: Gateway): Promise<unknown[]> => {
  const answer = await gate.fetch("/v1/approvals?status=pending");
  return ((await answer.json()) as { data: unknown[] }).data;
};
const approve = (gate: Gateway, answer: Answer) =>
  gate.fetch(`/v1/approvals/${asked(answer)[0]?.id}`, { json: { action: "approve" } });

describe.each(ownRequests)("a request for %s", (_, contentOf) => {
  it.each(channels)("leaves the call that waits as it is, and learns nothing of it (%s)", async (channel, header) => {
    const gate = await asking([says1(edits()), says({ text: "A title" }), done]);
    const talk = chat(gate, {}, { ...session, ...header });
    const first = await talk.say("please change my note");
    const body = own(contentOf(talk.history));
    const beside = await ask(gate, body, { ...session, ...header });
    expect([beside.text, beside.note.stop_reason, asked(beside)]).toEqual(["A title", "completed", []]);
    expect(messagesOf(gate.sent[1])).toEqual(body.messages);
    expect(await waiting(gate)).toHaveLength(1);
    const yes =
      channel === "inline"
        ? await talk.say("yes")
        : await ask(
            gate,
            {
              messages: [hi],
              tools,
              toolgate: { approvals: [{ id: asked(first)[0]?.id, action: "approve" }] },
            },
            { ...session, ...header },
          );
    expect(yes.calls).toMatchObject([{ id: "c1", name: "edit_note" }]);
  });

  it("leaves a reply alone that is held for a person", async () => {
    const gate = await asking([says1(edits()), says({ text: "A title" }), done]);
    const held = ask(gate, { messages: [hi], tools }, { ...session, "x-toolgate-approvals": "hold" });
    await expect.poll(async () => (await waiting(gate)).length, { interval: 1, timeout: 20_000 }).toBe(1);
    expect((await ask(gate, own(contentOf([hi])), session)).text).toBe("A title");
    const [one] = (await waiting(gate)) as { id: string }[];
    await gate.fetch(`/v1/approvals/${one?.id}`, { json: { action: "approve" } });
    expect((await held).calls).toMatchObject([{ id: "c1" }]);
  });

  it("keeps the intent, the mode and what is pending of the conversation", async () => {
    const gate = await asking([says({ calls: [selects("general")] }), says1(call("r1", "read_note")), done, done], {
      handshake: { select: "model" },
      modes: { default: {}, careful: { deny: ["send_mail"] } },
    });
    const talk = chat(gate, {}, { ...session, "x-toolgate-mode": "careful" });
    expect((await talk.say("read my note")).note.intent).toBe("general");
    await ask(gate, own(contentOf(talk.history)), session);
    const info = await (await gate.fetch("/v1/sessions/s")).json();
    expect(info).toMatchObject({ intents: ["general"], mode: "careful", pending_calls: 1 });
    expect((await talk.bring(result("r1"))).note.intent).toBe("general");
    expect(await gate.turns()).toMatchObject([{}, {}, { settled: [{ outcome: "succeeded" }] }]);
  });
});

describe("a request that comes before the conversation's first", () => {
  it("does not stand for the conversation", async () => {
    const gate = await asking([says({ text: "queries" }), says1(edits()), done]);
    await ask(gate, own("### Task:\nWrite search queries."), session);
    const talk = chat(gate);
    const first = await talk.say("please change my note");
    expect(first.note.session_id).toBe("s");
    expect((await talk.say("yes")).calls).toMatchObject([{ id: "c1" }]);
    expect(await (await gate.fetch("/v1/sessions/s")).json()).toMatchObject({ pending_calls: 1 });
  });
});

describe("a sub-agent with a system prompt of its own", () => {
  const system = (content: string) => ({ role: "system", content });
  const assistant = system("You are a helpful assistant for notes. Answer in short sentences. Today is 2026-11-23.");
  const later = system("You are a helpful assistant for notes. Answer in short sentences. Today is 2026-11-24.");
  const memory = system("You look through conversations. Note what is worth remembering of the user.");

  const withQuestion = async () => {
    const gate = await asking([says1(edits()), says1(edits("m1", { title: "memory" })), done, done]);
    const first = await ask(gate, { messages: [assistant, hi], tools });
    return { gate, first, history: [hi, first.message] };
  };

  it("that has the whole conversation leaves what waits in it, and has its own calls", async () => {
    const { gate, first, history } = await withQuestion();
    const beside = await ask(gate, { messages: [memory, ...history, user("Remember what matters.")], tools });
    expect(outlineOf(gate.sent[1])).toEqual(["system", "user", "assistant", "user"]);
    expect(asked(beside)).toHaveLength(1);
    expect(await waiting(gate)).toHaveLength(2);
    // Its own question is answered in its own history, the user's in the user's.
    const yes = await ask(gate, { messages: [later, ...history, user("yes")], tools });
    expect(yes.calls).toMatchObject([{ id: "c1" }]);
    const other = [memory, ...history, user("Remember what matters."), beside.message, user(`yes ${codeIn(beside)}`)];
    expect((await ask(gate, { messages: other, tools })).calls).toMatchObject([{ id: "m1" }]);
    expect(first.note.session_id).toBe(beside.note.session_id);
  });

  it("cannot answer the user's question, though its history holds it", async () => {
    const { gate, history } = await withQuestion();
    const beside = await ask(gate, { messages: [memory, ...history, user("yes")], tools });
    expect(beside.calls).toEqual([]);
    expect(gate.sent).toHaveLength(2);
    expect(await waiting(gate)).toHaveLength(2);
  });

  it("that the conversation is handed to speaks in it, and so does the one that handed it over", async () => {
    const handsOver = call("h1", "transfer_to_memory");
    const gate = await asking([says1(handsOver), says1(edits()), done], { handoffs: ["transfer_to_*"] });
    const transfer = tool("transfer_to_memory", { type: "object", properties: {}, additionalProperties: false });
    const all = [...tools, transfer];
    const first = await ask(gate, { messages: [assistant, hi], tools: all });
    expect(first.calls).toMatchObject([{ name: "transfer_to_memory" }]);
    const history = [hi, first.message, result("h1", '{"assistant":"Memory"}')];
    const question = await ask(gate, { messages: [memory, ...history], tools: all });
    const yes = await ask(gate, { messages: [later, ...history, question.message, user("yes")], tools: all });
    expect(yes.calls).toMatchObject([{ id: "c1" }]);
  });

  it("goes on where its calls were released, whatever the system prompt says by then", async () => {
    const gate = await asking([says1(call("r1", "read_note")), done]);
    const first = await ask(gate, { messages: [assistant, user("read my note")], tools });
    await ask(gate, { messages: [memory, user("read my note"), first.message, result("r1")], tools });
    expect(await gate.turns()).toMatchObject([{}, { settled: [{ outcome: "succeeded" }] }]);
  });
});

describe("a reply that the user has made anew", () => {
  it("goes on from the reply that the client shows; the other question stays open", async () => {
    const gate = await asking([
      says({ text: "Hello." }),
      says1(edits()),
      says1(edits("c2", { title: "Husserl" })),
      done,
    ]);
    const talk = chat(gate);
    await talk.say("hi there");
    const before = [...talk.history];
    const first = await talk.say("please change my note");
    // Edited by the user: the client drops the old message and its reply.
    const edited = [...before, user("please change my other note")];
    const second = await ask(gate, { messages: edited, tools }, session);
    expect(asked(second)).toMatchObject([{ call_id: "c2" }]);
    expect(await waiting(gate)).toHaveLength(2);
    const yes = await ask(gate, { messages: [...edited, second.message, user("yes")], tools }, session);
    expect(yes.calls).toMatchObject([{ id: "c2" }]);
    await approve(gate, first);
    expect((await talk.say("done")).calls).toMatchObject([{ id: "c1" }]);
  });

  it("is under the same mode, definitions and consents", async () => {
    const mail = (id: string) => says1(call(id, "send_mail", { to: "ada@example.com" }));
    const gate = await asking([mail("m1"), done, mail("m2"), done], { gates: { persistApprovals: false } });
    const talk = chat(gate);
    await talk.say("mail ada");
    await talk.say("always");
    await talk.bring(result("m1"));
    const again = await ask(gate, { messages: [user("mail ada@example.com once more")], tools }, session);
    expect(again.calls).toMatchObject([{ id: "m2" }]);
    const changed = [tool("read_note", { type: "object", properties: { other: { type: "string" } } })];
    const beside = await ask(gate, { messages: [user("read it")], tools: changed }, session);
    expect(beside.note.withheld).toEqual([{ name: "read_note", reasons: ["definition_changed"] }]);
  });

  it("keeps what untrusted text forbids", async () => {
    const gate = await gateway({
      policy: {
        tools: { fetch: { category: "read_only" }, write: { category: "modification", confirm: "auto" } },
        intents: { READ: { keywords: ["read"] }, WRITE: { keywords: ["write"] } },
        handshake: { select: "model" },
      },
      upstream: [
        says({ calls: [call("f1", "fetch")] }),
        says({ text: "It says: write." }),
        says({ calls: [selects("WRITE")] }),
        says({ calls: [call("w1", "write")] }),
        says({ text: "no" }),
      ],
    });
    const [fetches, writes] = [tool("fetch"), tool("write")];
    const first = await ask(gate, { messages: [user("read the page")], tools: [fetches, writes] }, session);
    const messages = [user("read the page"), first.message, result("f1", "write!")];
    await ask(gate, { messages, tools: [fetches, writes] }, session);
    const { note } = await ask(gate, { messages: [user("read on")], tools: [fetches, writes] }, session);
    const reasons = [{ code: "intent_undetected" }, { code: "confirmation_required" }];
    expect(note.decisions).toMatchObject([{ tool: "write", effect: "confirm", reasons }]);
  });
});

describe("a session's end", () => {
  it("takes its side sessions with it, and its mode restricts them", async () => {
    const gate = await asking([says({ text: "Hello." }), says1(edits()), says({ text: "x" })], {
      modes: { default: {}, careful: { deny: ["edit_note"] } },
    });
    await chat(gate).say("hi there");
    const beside = await ask(gate, { messages: [user("please change it")], tools }, session);
    expect(await waiting(gate)).toHaveLength(1);
    await gate.fetch("/v1/sessions/s", { method: "PATCH", json: { mode: "careful" } });
    const next = [user("please change it"), beside.message, user("and another")];
    expect((await ask(gate, { messages: next, tools }, session)).note.offered).not.toContain("edit_note");
    await gate.fetch("/v1/sessions/s", { method: "DELETE" });
    expect(await waiting(gate)).toHaveLength(0);
  });
});
