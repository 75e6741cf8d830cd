import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { putPolicy } from "../../../src/stores/policies/policy-source.ts";
import { asked as approvalsOf, codeIn } from "../approvals/approvals.ts";
import { tool, type Upstream } from "../support/gateway.ts";
import { type Answer, ask, call, messagesOf, outlineOf, result, says, user } from "../support/script.ts";
import { type Host, managed, policy, runsIn, runsOf, tell, tools, type World } from "./managed.ts";

const session = { "x-toolgate-session": "s" };
const hi = user("please create it");
const creates = says({ text: "I will.", calls: [call("c", "create_lead", { name: "eve" })] });
const done = says({ text: "Done." });
const fails: Upstream = () => Response.json({ error: { message: "broken" } }, { status: 500 });

afterEach(() => {
  vi.useRealTimers();
});

interface Talk extends World {
  readonly history: unknown[];
  say(words: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
}

async function talk(options: Parameters<typeof managed>[0], host?: Host): Promise<Talk> {
  const world = await managed(options, host);
  const history: unknown[] = [];
  return {
    ...world,
    history,
    async say(words, body = {}, headers = {}) {
      history.push(user(words));
      const answer = await ask(world.gate, { messages: [...history], ...body }, { ...session, ...headers });
      if (answer.status === 200) history.push(answer.message);
      else history.pop();
      return answer;
    },
  };
}

describe("a managed call that waits for a person", () => {
  for (const stream of [true, false]) {
    it(`is run on a yes, once, and the model goes on with what came of it (stream ${stream})`, async () => {
      const { gate, asked, history, say } = await talk({ upstream: [creates, done, done] });
      const question = await say("create it", { stream });
      expect([question.note.stop_reason, asked.length]).toEqual(["awaiting_approval", 0]);
      const answer = await say("yes", { stream }, tell);
      expect([answer.text, answer.calls, asked.length]).toEqual(["Done.", [], 1]);
      expect(runsOf(answer.note)).toMatchObject([{ call_id: "c", tool: "create_lead", status: "succeeded" }]);
      expect(outlineOf(gate.sent[1])).toEqual(["user", "assistant", "user", "assistant(c)", "tool(c)"]);
      // In a later task it stands before the answer.
      await say("thanks", { stream });
      expect(outlineOf(gate.sent[2])).toEqual([
        ...["user", "assistant", "user", "assistant(c)", "tool(c)", "assistant", "user"],
      ]);
      // The very same yes, sent again, runs nothing again.
      await ask(gate, { messages: history.slice(0, 3), stream }, session);
      expect(asked.length).toBe(1);
      expect(await gate.decisions()).toMatchObject([{ disposition: "asked" }, { disposition: "run" }]);
    });
  }

  it("runs as it was edited, with what the gateway sets; is refused on a no; and is granted for later", async () => {
    const { asked, say } = await talk({ upstream: [creates, done, creates, done, creates, done, creates, done] });
    await say("create it");
    await say("edit name=mallory");
    expect(asked.at(-1)?.body).toEqual({ name: "mallory", owner: "ada" });
    await say("create it");
    expect([(await say("no")).text, asked.length]).toEqual(["Done.", 1]);
    await say("create it");
    await say("always");
    expect((await say("create another")).text).toMatch(/Done\.$/);
    expect(asked.length).toBe(3);
  });

  it("stands in its place once, also where the model's answer to it failed, or called on", async () => {
    const reads = says({ calls: [call("f", "read_file")] });
    const { gate, asked, history, say } = await talk({ upstream: [creates, fails, reads, done] });
    const body = { tools: [tool("read_file")] };
    await say("create it", body);
    expect((await say("yes", body)).status).toBe(500);
    await say("yes", body);
    const before = ["user", "assistant", "user", "assistant(c)", "tool(c)"];
    expect([asked.length, outlineOf(gate.sent[2])]).toEqual([1, before]);
    await ask(gate, { ...body, messages: [...history, result("f")] }, session);
    expect(outlineOf(gate.sent[3])).toEqual([...before, "assistant(f)", "tool(f)"]);
  });

  it("is not what was approved where the gateway would set something else by now", async () => {
    const run = { ...tools.create_lead.run, system: { owner: "user.role" } };
    const set = policy({ tools: { ...tools, create_lead: { ...tools.create_lead, run } } });
    const { gate, asked, history, say } = await talk({ policy: set, upstream: [creates, done] });
    await say("create it");
    const key = await gate.keyFor("ada", "admin");
    const json = { model: "m", messages: [...history, user("yes")] };
    await gate.fetch("/v1/chat/completions", { json, key, headers: session });
    expect([asked, messagesOf(gate.sent[1]).find(({ role }) => role === "tool")?.content]).toEqual([
      [],
      expect.stringContaining("has not confirmed this very use"),
    ]);
  });

  it("is told where it goes, and is not what was approved where the policy sends it elsewhere by now", async () => {
    const { gate, asked, history, say } = await talk({ upstream: [creates, done] });
    const question = await say("create it");
    expect(question.text).toContain("crm.test");
    const run = { ...tools.create_lead.run, url: "https://evil.test/leads" };
    const moved = policy({ tools: { ...tools, create_lead: { ...tools.create_lead, run } } });
    const start = Date.now();
    // The isolate keeps a policy for a while: it is later then.
    vi.useFakeTimers({ toFake: ["Date"], now: start + 300_000 });
    await putPolicy(env.KV, gate.tenant, moved, start);
    await ask(gate, { messages: [...history, user("yes")] }, session);
    expect([asked, messagesOf(gate.sent[1]).find(({ role }) => role === "tool")?.content]).toEqual([
      [],
      expect.stringContaining("has not confirmed this very use"),
    ]);
  });

  it("is run first where a client's call is released with it", async () => {
    const over = { ...tools, write_file: { category: "modification" } };
    const both = says({ calls: [call("c", "create_lead", { name: "eve" }), call("w", "write_file")] });
    const { gate, asked, history, say } = await talk({ policy: policy({ tools: over }), upstream: [both, done] });
    const body = { tools: [tool("write_file")] };
    await say("do both", body);
    const answer = await say("yes all", body);
    expect([answer.calls.map(({ id }) => id), asked.length, gate.sent.length]).toEqual([["w"], 1, 1]);
    await ask(gate, { ...body, messages: [...history, result("w")] }, session);
    expect(outlineOf(gate.sent[1])).toEqual([
      ...["user", "assistant", "user", "assistant(c)", "tool(c)", "assistant(w)", "tool(w)"],
    ]);
  });

  it("is told to have been run where another one still waits: the model is asked after that one", async () => {
    const both = says({
      calls: [call("c", "create_lead", { name: "eve" }), call("d", "create_lead", { name: "bob" })],
    });
    for (const [words, told, status] of [
      ["create them", "Toolgate: `create_lead` is done.", 200],
      ["请创建两个", "Toolgate: `create_lead` 已完成。", 200],
      ["作成してください", "Toolgate: `create_lead` は成功しませんでした。", 500],
    ] as const) {
      const host = () => Response.json({ id: "7" }, { status });
      const { gate, asked, history, say } = await talk({ upstream: [both, done] }, host);
      const question = await say(words);
      const [first] = approvalsOf(question);
      const next = await say(`yes ${first?.code}`);
      expect(next.text.slice(0, told.length + 4)).toBe(`${told}\n\n**`);
      // The same yes again is told the same.
      const again = await ask(gate, { messages: history.slice(0, 3) }, session);
      expect([again.text, asked.length, gate.sent.length]).toEqual([next.text, 1, 1]);
      expect([(await say("yes")).text, asked.length]).toEqual(["Done.", 2]);
    }
  });

  it("is run within the same reply where that is held, and where the client answers with data", async () => {
    const set = policy({ confirmation: { channels: ["hold", "native"] } });
    const { gate, asked } = await talk({ policy: set, upstream: [creates, done, creates, done] });
    const headers = { ...session, "x-toolgate-approvals": "hold" };
    const answering = ask(gate, { messages: [hi], stream: true }, headers);
    const approvals = gate.guard.approvals;
    let id: string | undefined;
    while (id === undefined) id = (await approvals.list({ status: "pending", limit: 1, order: "asc" })).data[0]?.id;
    await gate.fetch(`/v1/approvals/${id}`, { json: { action: "approve" } });
    expect([(await answering).text, asked.length]).toEqual(["I will.\n\nDone.", 1]);
    expect(outlineOf(gate.sent[1])).toEqual(["user", "assistant(c)", "tool(c)"]);

    const native = { "x-toolgate-session": "n", "x-toolgate-approvals": "native" };
    const first = await ask(gate, { messages: [hi] }, native);
    const messages = [hi, first.message];
    const body = { messages, toolgate: { approvals: [{ id: approvalsOf(first)[0]?.id, action: "approve" }] } };
    expect([(await ask(gate, body, native)).text, asked.length]).toEqual(["Done.", 2]);
    // The same answer again goes on from the run that it has made.
    expect((await ask(gate, body, native)).status).toBe(200);
    expect(asked.length).toBe(2);
  });
});

describe("the same request again", () => {
  const finds = says({ calls: [call("a", "find_lead", { name: "x" }), call("b", "find_lead", { name: "y" })] });

  for (const stream of [true, false]) {
    it(`goes on from the runs that it has made (stream ${stream})`, async () => {
      const { gate, asked } = await managed({ upstream: [finds, fails, done] });
      const body = { messages: [hi], stream };
      const first = await ask(gate, body, session);
      expect([first.error !== undefined, asked.length]).toEqual([true, 2]);
      const again = await ask(gate, body, { ...session, ...tell });
      expect([again.text, asked.length, gate.sent.length]).toEqual(["Done.", 2, 3]);
      expect(outlineOf(gate.sent[2])).toEqual(["user", "assistant(a,b)", "tool(a)", "tool(b)"]);
      expect(runsOf(again.note).map(({ call_id }) => call_id)).toEqual(["a", "b"]);
      await gate.turns();
      expect((await runsIn(gate)).length).toBe(2);
    });
  }

  it("is one answer to later turns: what its tries ran stands before it once", async () => {
    const { gate, asked } = await managed({ upstream: [finds, done, done, done] });
    await ask(gate, { messages: [hi] }, session);
    const { message } = await ask(gate, { messages: [hi] }, session);
    await ask(gate, { messages: [hi, message, user("thanks")] }, session);
    expect(asked.length).toBe(2);
    expect(outlineOf(gate.sent[3])).toEqual([...["user", "assistant(a,b)", "tool(a)", "tool(b)", "assistant", "user"]]);
  });

  for (const stream of [true, false]) {
    it(`that failed for good has told the model what it ran, where the user goes on (stream ${stream})`, async () => {
      const { gate, asked } = await managed({ upstream: [finds, fails, fails, done, done] });
      const ran = ["assistant(a,b)", "tool(a)", "tool(b)"];
      const body = { messages: [hi], stream };
      await ask(gate, body, session);
      await ask(gate, body, session);
      expect([asked.length, outlineOf(gate.sent[2])]).toEqual([2, ["user", ...ran]]);
      // Behind the words that it was for, whether or not the client keeps what it got of the reply; and nowhere else.
      const broken = { role: "assistant", content: "I lo" };
      await ask(gate, { messages: [hi, broken, user("go on")], stream }, session);
      expect(outlineOf(gate.sent[3])).toEqual(["user", ...ran, "assistant", "user"]);
      await ask(gate, { messages: [hi, user("go on"), broken, user("please create it")], stream }, session);
      expect(outlineOf(gate.sent[4])).toEqual(["user", ...ran, "user", "assistant", "user"]);
    });
  }

  it("that failed once and then was answered tells what it ran once", async () => {
    const { gate, asked } = await managed({ upstream: [finds, fails, done, done] });
    await ask(gate, { messages: [hi] }, session);
    const { message } = await ask(gate, { messages: [hi] }, session);
    await ask(gate, { messages: [hi, message, user("thanks")] }, session);
    const once = ["user", "assistant(a,b)", "tool(a)", "tool(b)", "assistant", "user"];
    expect([asked.length, outlineOf(gate.sent[3])]).toEqual([2, once]);
  });

  it("waits for what the first try still runs, and tells the model what that one brought", async () => {
    const answer = Promise.withResolvers<object>();
    const begun = Promise.withResolvers<void>();
    const { gate, asked } = await managed({ upstream: [creates, done, done], policy: unasked() }, () => {
      begun.resolve();
      return answer.promise;
    });
    const client = new AbortController();
    const json = { model: "test-model", messages: [hi] };
    const first = gate.fetch("/v1/chat/completions", { json, headers: session, signal: client.signal });
    await begun.promise;
    client.abort();
    const again = gate.fetch("/v1/chat/completions", { json: { ...json }, headers: session });
    answer.resolve({ id: "7" });
    await first;
    expect([(await again).status, asked.length, gate.sent.length]).toEqual([200, 1, 2]);
    expect(messagesOf(gate.sent[1]).at(-1)?.content).toContain('"7"');
  });

  it("gets a released call again, with the runs that were made beside it kept for when it comes back", async () => {
    const both = says({ calls: [call("a", "find_lead", { name: "x" }), call("f", "read_file")] });
    const { gate, asked } = await managed({ upstream: [both, done] });
    const body = { messages: [hi], tools: [tool("read_file")] };
    const first = await ask(gate, body, session);
    const again = await ask(gate, body, session);
    expect([again.message, asked.length, gate.sent.length]).toEqual([first.message, 1, 1]);
    await ask(gate, { ...body, messages: [hi, again.message, result("f")] }, session);
    expect(outlineOf(gate.sent[1])).toEqual(["user", "assistant(a)", "tool(a)", "assistant(f)", "tool(f)"]);
  });
});

const unasked = (more: object = {}) =>
  policy({ tools: { ...tools, create_lead: { ...tools.create_lead, confirm: "auto" }, ...more } });

describe("taking back a managed call", () => {
  const made = async (set = unasked(), host?: Host): Promise<Talk> => {
    const talking = await talk({ policy: set, upstream: [creates, done, done] }, host);
    await talking.say("create it");
    return talking;
  };

  it("by the command runs its undo and says so, without the model; again there is nothing left", async () => {
    const { gate, asked, say } = await made();
    expect((await say("/toolgate undo")).text).toBe("Toolgate: `create_lead` is undone, with `delete_lead`.");
    expect(asked.at(-1)).toMatchObject({ method: "DELETE", path: "crm.test/leads/7" });
    expect((await say("/toolgate undo")).text).toBe("Toolgate: there is nothing here to undo.");
    expect([asked.length, gate.sent.length]).toEqual([2, 2]);
    expect((await gate.decisions()).at(-1)).toMatchObject({ tool: "delete_lead", disposition: "run" });
  });

  it("is told once more to the same request, and undoes nothing else", async () => {
    const { gate, asked, say, history } = await made();
    const first = await say("/toolgate undo");
    const again = await ask(gate, { messages: history.slice(0, -1) }, session);
    expect([again.text, asked.length]).toEqual([first.text, 2]);
  });

  it("that a person must confirm runs on the yes, and the gateway says what came of it", async () => {
    const asks = unasked({ delete_lead: { ...tools.delete_lead, confirm: "ask" } });
    const { gate, asked, say } = await made(asks);
    const question = await say("/toolgate undo");
    expect(asked.length).toBe(1);
    expect((await say(`yes ${codeIn(question)}`)).text).toBe("Toolgate: `create_lead` is undone, with `delete_lead`.");
    expect([asked.length, gate.sent.length]).toEqual([2, 2]);
  });

  it("that fails is told as failed, and may be tried again", async () => {
    let broken = true;
    const { say } = await made(unasked(), ({ method }) =>
      method === "DELETE" && broken ? new Response("", { status: 500 }) : { id: "7" },
    );
    expect((await say("/toolgate undo")).text).toMatch(/^Toolgate: `create_lead` is not undone: .*500/);
    broken = false;
    expect((await say("/toolgate undo")).text).toContain("is undone");
  });

  it("by the route answers with what came of it, and the same key with the same", async () => {
    const { gate, asked } = await made();
    const list = (await (await gate.fetch("/v1/calls")).json()) as { data: { id: string; undo: unknown }[] };
    const [first] = list.data;
    expect(first?.undo).toMatchObject({ tool: "delete_lead", available: true });
    const undo = async (key: string) => {
      const init = { method: "POST", headers: { "idempotency-key": key } };
      const response = await gate.fetch(`/v1/calls/${first?.id}/undo`, init);
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const told = { object: "undo", undoes: first?.id, run: { status: "succeeded", failure: null, detail: null } };
    expect(await undo("k")).toMatchObject({ status: 200, body: told });
    expect(await undo("k")).toMatchObject({ status: 200, body: told });
    expect((await undo("other")).status).toBe(409);
    expect(asked.length).toBe(2);
    expect((await gate.turns()).at(-1)).toMatchObject({ stop_reason: "completed", steps: 0 });
  });

  it("undoes a client's call by a managed tool, and a managed one by a client's", async () => {
    const over = {
      save: {
        category: "note_taking",
        confirm: "auto",
        undo: { tool: "delete_lead", arguments: { id: "{{result.id}}" } },
      },
      create_lead: { ...tools.create_lead, confirm: "auto", undo: "drop" },
      drop: { category: "modification", confirm: "auto", parameters: tools.delete_lead.parameters },
    };
    const saves = says({ calls: [call("s", "save")] });
    const { gate, asked, history, say } = await talk({ policy: unasked(over), upstream: [saves, done, creates, done] });
    const body = { tools: [tool("save"), tool("drop", tools.delete_lead.parameters)] };
    await say("save it", body);
    history.push(result("s", '{"id":"9"}'));
    history.push((await ask(gate, { messages: [...history], ...body }, session)).message);
    expect((await say("/toolgate undo", body)).text).toContain("`save` is undone, with `delete_lead`");
    expect(asked.at(-1)?.path).toBe("crm.test/leads/9");
    await say("create it", body);
    const { calls } = await say("/toolgate undo", body);
    expect(calls).toMatchObject([{ name: "drop", arguments: '{"id":"7"}' }]);
  });
});
