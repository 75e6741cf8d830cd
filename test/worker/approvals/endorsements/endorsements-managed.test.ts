/** Endorsements of results that the gateway itself fetched, and of several calls at once. */
import { describe, expect, it, vi } from "vitest";
import { gateway } from "../../support/gateway.ts";
import { type Answer, ask, call, result, says, user } from "../../support/script.ts";
import { managed, runsOf, tell } from "../../tools/managed.ts";

const string = { type: "string" };
const object = (properties: object, required: readonly string[]) => ({ type: "object", properties, required });
const http = (method: string, url: string) => ({ kind: "http", method, url, retries: 0 });

const tools = {
  read_mail: {
    category: "read_only",
    description: "Read a mail",
    parameters: object({ id: string }, ["id"]),
    run: http("GET", "https://mail.test/{{arguments.id}}"),
  },
  send_mail: {
    category: "modification",
    confirm: "ungrounded",
    trusted: true,
    description: "Send a mail",
    parameters: object({ to: string }, ["to"]),
    run: http("POST", "https://mail.test/send"),
  },
};
const policy = { handshake: { select: "off" }, tools };
const MAIL = { body: "Dear Ada,\nplease write to\nann@corp.example and ben@corp.example." };
const session = { "x-toolgate-session": "s" };
const hi = user("read my mail m1 and send the report to the people in it");

const steps = [
  call("c1", "read_mail", { id: "m1" }),
  call("c2", "send_mail", { to: "ann@corp.example" }),
  call("c3", "send_mail", { to: "ben@corp.example" }),
].map((one) => says({ calls: [one] }));
const upstream = [...steps, says({ text: "Both are sent." })];
const open = () => managed({ policy, upstream }, ({ method }) => (method === "GET" ? MAIL : { sent: true }));

const codeIn = ({ text }: Answer) => /⟦\W*([A-Za-z2-9]{4})\W*⟧/.exec(text)?.[1] ?? "";
const sentTo = (asked: readonly { readonly body: unknown }[]) =>
  asked.flatMap(({ body }) => (body ? [(body as { to: string }).to] : []));

describe("a result that the gateway fetched", () => {
  it("is endorsed in the chat: the same reply goes on with its other values", async () => {
    const { gate, asked } = await open();
    const question = await ask(gate, { messages: [hi] }, session);
    expect(question.text).toContain(
      `\`yes ${codeIn(question)}, use its values\` also accepts other addresses, names and numbers`,
    );
    const messages = [hi, question.message, user(`yes ${codeIn(question)}, use its values`)];
    const answer = await ask(gate, { messages }, { ...session, ...tell });
    expect(answer.text).toContain("Both are sent.");
    expect(runsOf(answer.note)).toHaveLength(2);
    expect(sentTo(asked)).toEqual(["ann@corp.example", "ben@corp.example"]);
  });

  it("is endorsed elsewhere while the reply is held", async () => {
    const { gate, asked } = await open();
    const replying = ask(gate, { messages: [hi] }, { ...session, "x-toolgate-approvals": "hold" });
    const [approval] = await vi.waitFor(
      async () => {
        const { data } = await gate.guard.approvals.list({ status: "pending", limit: 10, order: "asc" });
        if (data.length === 0) throw new Error("nothing waits");
        return data;
      },
      { timeout: 20_000, interval: 1 },
    );
    const json = { action: "approve", endorse: true };
    expect((await gate.fetch(`/v1/approvals/${approval?.id}`, { method: "POST", json })).status).toBe(200);
    expect((await replying).text).toContain("Both are sent.");
    expect(sentTo(asked)).toEqual(["ann@corp.example", "ben@corp.example"]);
  });
});

describe("several calls that wait", () => {
  const definition = (name: string, properties: object) => ({
    type: "function",
    function: { name, description: "", parameters: { type: "object", properties } },
  });
  const all = [definition("send_mail", { to: string }), definition("read_mail", { id: string })];
  const client = {
    handshake: { select: "off" },
    tools: { read_mail: { category: "read_only" }, send_mail: { category: "modification", confirm: "ungrounded" } },
  };

  /** Two mails were read, and two calls made, with a value of each. */
  async function asked(second: string) {
    const reads = ["m1", "m2"].map((id) => call(id, "read_mail", { id }));
    const sends = [call("s1", "send_mail", { to: "ann@corp.example" }), call("s2", "send_mail", { to: second })];
    const gate = await gateway({ policy: client, upstream: [says({ calls: reads }), says({ calls: sends })] });
    const first = await ask(gate, { messages: [hi], tools: all }, session);
    const results = [result("m1", "ann@corp.example, ben@corp.example"), result("m2", "cem@corp.example")];
    const messages = [hi, first.message, ...results];
    const question = await ask(gate, { messages, tools: all }, session);
    const codes = [...question.text.matchAll(/⟦\W*([A-Za-z2-9]{4})\W*⟧/g)].map(([, code]) => code ?? "");
    const say = (words: string) =>
      ask(gate, { messages: [...messages, question.message, user(words)], tools: all }, session);
    const endorsed = async () =>
      (await gate.approvals()).flatMap(({ event, endorsed }) =>
        event === "approved" ? [(endorsed as { callId?: string } | undefined)?.callId ?? null] : [],
      );
    return { codes, say, endorsed };
  }

  it("endorse, of different results, each its own and only by its code", async () => {
    const unnamed = await (await asked("cem@corp.example")).say("yes all, use its values");
    expect([unnamed.calls, unnamed.note.stop_reason]).toEqual([[], "awaiting_approval"]);
    const { codes, say, endorsed } = await asked("cem@corp.example");
    const [one, two] = codes;
    const answer = await say(`yes ${one}, use its values, yes ${two}`);
    expect(answer.calls.map(({ id }) => id)).toEqual(["s1", "s2"]);
    expect((await endorsed()).toSorted()).toEqual(["m1", null]);
  });

  it("endorse one result with one answer, where all of them are about it", async () => {
    const { codes, say, endorsed } = await asked("ben@corp.example");
    const answer = await say(`yes ${codes.join(" and ")}, use its values`);
    expect(answer.calls.map(({ id }) => id)).toEqual(["s1", "s2"]);
    expect(await endorsed()).toEqual(["m1", "m1"]);
  });
});
