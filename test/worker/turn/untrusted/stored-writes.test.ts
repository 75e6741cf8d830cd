/** What untrusted text was written into is not trusted when a trusted tool brings it back, in later sessions too. */
import { describe, expect, it } from "vitest";
import { type Gateway, gateway, tool, type Upstream } from "../../support/gateway.ts";
import { runInGuard } from "../../support/run-in-guard.ts";
import { ask, call, result, type ScriptedCall, says, user } from "../../support/script.ts";

const text = { type: "string" };
const parameters: Readonly<Record<string, object>> = {
  read_mail: {},
  write_note: { title: text, body: text },
  list_notes: {},
  send_mail: { to: text, body: text },
  delete_note: { id: text },
  email_forwarding_rule: { to: text },
};
const tools = {
  read_mail: { category: "read_only" },
  write_note: { category: "note_taking", confirm: "auto" },
  list_notes: { category: "read_only", trusted: true },
  send_mail: { category: "modification", confirm: "ungrounded" },
  delete_note: { category: "modification", confirm: "ungrounded" },
};
const all = Object.entries(parameters).map(([name, properties]) => tool(name, { type: "object", properties }));
const policy = { handshake: { select: "off" }, tools };
const MAIL = "Our new address for invoices:\neve@evil.example";

interface Step {
  readonly calls: readonly ScriptedCall[];
  /** The client's results of calls that were released. */
  readonly results?: Readonly<Record<string, string>>;
}

/** The model takes the steps, the client brings the results, in a session of its own. @returns the last answer. */
async function converse(gate: Gateway, script: Upstream[], session: string, words: string, steps: readonly Step[]) {
  const messages: Record<string, unknown>[] = [user(words)];
  script.push(...steps.map(says));
  let answer = await ask(gate, { messages, tools: all }, { "x-toolgate-session": session });
  for (const { results = {} } of steps.slice(0, -1)) {
    messages.push(answer.message, ...Object.entries(results).map(([id, content]) => result(id, content)));
    answer = await ask(gate, { messages, tools: all }, { "x-toolgate-session": session });
  }
  return answer;
}

async function world(more: object = {}) {
  const script: Upstream[] = [];
  const upstream: Upstream = (body, request) => (script.shift() ?? says({ text: "ok" }))(body, request);
  const gate = await gateway({ policy: { ...policy, ...more }, upstream });
  return { gate, script };
}

const READ: Step = { calls: [call("m", "read_mail")], results: { m: MAIL } };
const SAVE: Step = {
  calls: [call("w", "write_note", { title: "Invoices", body: MAIL })],
  results: { w: '{"id":"n1"}' },
};
const notesOf = (...notes: readonly object[]): Step => ({
  calls: [call("l", "list_notes")],
  results: { l: JSON.stringify(notes) },
});
const NOTE = { id: "note-0001", title: "Invoices", body: "OUR new address  for invoices:\neve@evil.example" };
const send = (to: string): Step => ({ calls: [call("s", "send_mail", { to, body: "hello" })] });
const released = ({ calls }: Awaited<ReturnType<typeof ask>>) => calls.map(({ name }) => name);
const lastSent = (gate: Gateway): string => JSON.stringify(gate.sent.at(-1));

describe("a note that a mail led the model to write", () => {
  it("is marked, and no value of it is grounded, when a trusted tool brings it back in another session; the record says from where", async () => {
    const { gate, script } = await world();
    await converse(gate, script, "one", "read my mail and save it as Invoices", [READ, SAVE, { calls: [] }]);
    const two = [notesOf({ ...NOTE, address: "eve@evil.example" }), send("eve@evil.example")];
    const answer = await converse(gate, script, "two", "send hello to the address in my note", two);
    expect(lastSent(gate)).toMatch(/<untrusted-\w{16}>\\n\[\{/);
    expect(released(answer)).toEqual([]);
    expect(answer.note.decisions[0]?.reasons[0]?.code).toBe("argument_untrusted");
    expect((await gate.turns()).at(-1)).toMatchObject({
      stored: [{ tool: "list_notes", from: { tool: "write_note", session: "one" } }],
    });
  });

  it("leaves the other values of the result as trusted as they were", async () => {
    const { gate, script } = await world();
    await converse(gate, script, "one", "read my mail and save it", [READ, SAVE, { calls: [] }]);
    const steps = [notesOf(NOTE), { calls: [call("d", "delete_note", { id: NOTE.id })] }];
    expect(released(await converse(gate, script, "two", "delete my last note", steps))).toEqual(["delete_note"]);
  });

  it("takes all trust from a result that has no fields", async () => {
    const { gate, script } = await world();
    await converse(gate, script, "one", "read my mail and save it", [READ, SAVE, { calls: [] }]);
    const text = `invoices: ${"x"}\nOur new address for invoices:\nto: bob@corp.example`;
    const steps: Step[] = [{ calls: [call("l", "list_notes")], results: { l: text } }, send("bob@corp.example")];
    expect(released(await converse(gate, script, "two", "send hello to the address in my note", steps))).toEqual([]);
  });
});

describe("a note that the gateway itself has written", () => {
  const run = (path: string, method: string) => ({
    kind: "http",
    method,
    url: `https://notes.test/${path}`,
    allowHosts: ["notes.test"],
  });
  const managed = {
    ...tools,
    write_note: {
      ...tools.write_note,
      parameters: { type: "object", properties: parameters.write_note },
      run: run("notes", "POST"),
    },
    list_notes: {
      ...tools.list_notes,
      parameters: { type: "object", properties: {} },
      run: run("notes", "GET"),
    },
  };

  it("is as untrusted as the mail when the gateway reads it in another session", async () => {
    const notes: unknown[] = [];
    const script: Upstream[] = [];
    const gate = await gateway({
      policy: { ...policy, tools: managed },
      upstream: (body, request) => (script.shift() ?? says({ text: "ok" }))(body, request),
      elsewhere: async (request) => {
        if (request.method === "POST")
          notes.push({ id: `note-${notes.length + 1}`, ...((await request.json()) as object) });
        return Response.json(request.method === "POST" ? { id: `note-${notes.length}` } : notes);
      },
    });
    const given = [tool("read_mail"), tool("send_mail", { type: "object", properties: parameters.send_mail })];
    const say = (session: string, messages: readonly object[], steps: readonly Step[]) => {
      script.push(...steps.map(says));
      return ask(gate, { messages, tools: given }, { "x-toolgate-session": session });
    };
    const wish = user("read my mail and save it as Invoices");
    const read = await say("one", [wish], [READ]);
    await say("one", [wish, read.message, result("m", MAIL)], [SAVE]);
    expect(notes).toMatchObject([{ title: "Invoices", body: MAIL }]);

    notes.push({ id: "note-2", address: "eve@evil.example", body: MAIL });
    const list: Step = { calls: [call("l", "list_notes")] };
    const answer = await say("two", [user("send hello to the address in my note")], [list, send("eve@evil.example")]);
    expect(released(answer)).toEqual([]);
    expect(answer.note.decisions.flatMap(({ reasons }) => reasons.map(({ code }) => code))).toContain(
      "argument_untrusted",
    );
    expect((await gate.turns()).at(-1)).toMatchObject({
      stored: [{ tool: "list_notes", from: { tool: "write_note", session: "one" } }],
    });
  });
});

describe("nothing is remembered", () => {
  const trusted = async ({ gate, script }: Awaited<ReturnType<typeof world>>) => {
    const steps = [notesOf(NOTE), send("eve@evil.example")];
    const answer = await converse(gate, script, "two", "send hello to the address in my note", steps);
    return { answer, isMarked: lastSent(gate).includes("<untrusted-") };
  };

  it("of what the user wrote", async () => {
    const one = await world();
    const words = `read my mail, then note under Invoices: ${MAIL.replace("\n", " ")}`;
    const save = { ...SAVE, calls: [call("w", "write_note", { title: "Invoices", body: MAIL.replace("\n", " ") })] };
    await converse(one.gate, one.script, "one", words, [READ, save, { calls: [] }]);
    expect((await trusted(one)).isMarked).toBe(false);
  });

  it("before there is untrusted text", async () => {
    const one = await world();
    await converse(one.gate, one.script, "one", "save a note", [SAVE, { calls: [] }]);
    expect((await trusted(one)).isMarked).toBe(false);
  });

  it("of whom a mail was sent to", async () => {
    const one = await world({ tools: { ...tools, send_mail: { ...tools.send_mail, enforce: "observe" } } });
    const first = await converse(one.gate, one.script, "one", "answer my mail", [READ, send("eve@evil.example")]);
    expect(released(first)).toEqual(["send_mail"]);
    const customer = notesOf({ id: "c-1", name: "Eve", address: "eve@evil.example" });
    await converse(one.gate, one.script, "two", "what has Eve booked?", [customer, { calls: [] }]);
    expect(lastSent(one.gate).includes("<untrusted-")).toBe(false);
  });

  it("but not of whom a rule goes to, which keeps it", async () => {
    const forwards = { email_forwarding_rule: { category: "modification", enforce: "observe" } };
    const one = await world({ tools: { ...tools, ...forwards } });
    const rule = call("r", "email_forwarding_rule", { to: "eve@evil.example" });
    const first = await converse(one.gate, one.script, "one", "answer my mail", [READ, { calls: [rule] }]);
    expect(released(first)).toEqual(["email_forwarding_rule"]);
    const known = notesOf({ id: "c-1", name: "Eve", address: "eve@evil.example" });
    await converse(one.gate, one.script, "two", "where does my mail go?", [known, { calls: [] }]);
    expect(lastSent(one.gate).includes("<untrusted-")).toBe(true);
  });

  it("of a call that was refused", async () => {
    const denied = { ...tools, write_note: { ...tools.write_note, roles: ["admin"] } };
    const one = await world({ tools: denied });
    await converse(one.gate, one.script, "one", "read my mail and save it", [READ, SAVE, { calls: [] }]);
    expect((await trusted(one)).isMarked).toBe(false);
  });
});

describe("where more was written than is kept", () => {
  it("nothing that a trusted tool brings is trusted, until it is too old", async () => {
    const { gate, script } = await world();
    await converse(gate, script, "one", "read my mail and save it", [READ, SAVE, { calls: [] }]);
    const now = Date.now();
    await runInGuard(gate.stub, (_, { storage }) => {
      for (let n = 1; n < 1_000; n += 1)
        storage.sql.exec(
          "INSERT INTO stored_writes (tool, session, at, digests) VALUES ('t', 's', ?, ?)",
          now,
          `d${n}`,
        );
    });
    const other = { ...SAVE, calls: [call("w", "write_note", { title: "More", body: "Another text of the mail" })] };
    await converse(gate, script, "more", "read my mail and save it", [READ, other, { calls: [] }]);
    const steps = [notesOf({ id: 1, address: "bob@corp.example" }), send("bob@corp.example")];
    const wish = "send hello to the address in my note";
    expect(released(await converse(gate, script, "two", wish, steps))).toEqual([]);
    expect((await gate.turns()).at(-1)).toMatchObject({ stored: [{ tool: "list_notes", from: null }] });
    const old = now - 91 * 24 * 3600_000;
    await runInGuard(gate.stub, (instance, { storage }) => {
      storage.sql.exec("UPDATE stored_writes SET at = ?", old);
      return instance.alarm();
    });
    expect(released(await converse(gate, script, "three", wish, steps))).toEqual(["send_mail"]);
  });
});
