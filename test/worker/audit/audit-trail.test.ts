import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { verifyChain } from "../../../src/stores/audit/audit-chain.ts";
import { parseAuditKeys } from "../../../src/stores/audit/audit-keys.ts";
import { readChain } from "../../../src/stores/audit/d1-audit-query.ts";
import { waitingCount } from "../../../src/stores/guard/outbox/outbox.ts";
import { readHead } from "../../../src/stores/guard/outbox/record-chain.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { runInGuard } from "../support/run-in-guard.ts";
import { ask, call, result, type ScriptedCall, says, selects, user } from "../support/script.ts";

const off = { handshake: { select: "off" }, execution: { maxCorrections: 0 } };
const hi = [user("go")];
const tools = [tool("read_file"), tool("edit"), tool("send")];
const listed = { read_file: { category: "read_only" }, edit: { category: "modification" } };
const calling = (calls: readonly ScriptedCall[], policy: object = { tools: listed }) =>
  gateway({ policy: { ...off, ...policy }, upstream: [says({ calls }), says({ text: "ok" })] });

/** Everything that D1 holds of a tenant, whichever table or column. */
async function stored(tenant: string): Promise<string> {
  const tables = await env.AUDIT_DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{
    name: string;
  }>();
  const names = tables.results.map(({ name }) => name).filter((name) => !/^(sqlite_|_cf_|d1_)/.test(name));
  const rows = await Promise.all(names.map((name) => env.AUDIT_DB.prepare(`SELECT * FROM "${name}"`).all()));
  return JSON.stringify(rows.flatMap(({ results }) => results).filter((row) => JSON.stringify(row).includes(tenant)));
}

const verdict = async ({ tenant, user: name, stub }: Gateway) => {
  const keys = parseAuditKeys(env.AUDIT_KEY ?? "");
  if (!keys.ok) throw new Error(keys.error);
  const head = await runInGuard(stub, (_, { storage }) => readHead(storage.sql));
  const records = await readChain(env.AUDIT_DB, { tenant, user: name }, { afterSeq: 0, limit: 1000 });
  return {
    seqs: records.map(({ seq }) => seq),
    head,
    ...verifyChain(keys.value, records, { tenant, user: name, head }),
  };
};

afterEach(() => {
  vi.useRealTimers();
});

describe("a decision", () => {
  it("is a row each, with what it was made on and all of its reasons", async () => {
    const gate = await gateway({
      policy: { tools: listed, modes: { default: { deny: ["send"] } } },
      role: "premium",
      upstream: [
        says({ calls: [selects("general")] }),
        says({
          calls: [call("c1", "read_file", { b: 1, a: 2 }), call("c2", "edit"), call("c3", "send"), call("c4", "rm")],
        }),
      ],
    });
    const { note } = await ask(gate, { messages: hi, tools }, { "x-toolgate-session": "s" });
    const rows = await gate.decisions();
    const moment = {
      object: "audit.decision",
      tenant: gate.tenant,
      user: "ada",
      session: "s",
      turn: note.turn_id,
      role: "premium",
      mode: "default",
    };
    expect(rows).toMatchObject([
      {
        ...moment,
        step: 1,
        state: "reasoning",
        intents: [],
        tool: "select_intent",
        effect: "allow",
        disposition: "hidden",
      },
      {
        ...moment,
        step: 2,
        ordinal: 0,
        state: "action",
        intents: ["general"],
        call_id: "c1",
        effect: "allow",
        disposition: "released",
        reasons: [],
        arguments: { a: 2, b: 1 },
        retry_after_ms: null,
      },
      {
        ...moment,
        ordinal: 1,
        call_id: "c2",
        effect: "confirm",
        disposition: "asked",
        reasons: [{ code: "confirmation_required" }],
      },
      {
        ...moment,
        ordinal: 2,
        call_id: "c3",
        effect: "deny",
        disposition: "refused",
        reasons: [{ code: "not_offered" }, { code: "mode_forbids" }],
      },
      {
        ...moment,
        ordinal: 3,
        call_id: "c4",
        effect: "deny",
        disposition: "refused",
        reasons: [{ code: "unknown_tool" }],
      },
    ]);
    for (const row of rows) {
      expect(row.digest).toMatch(/^[0-9a-f]{64}$/);
      expect(row.policy).toMatch(/^[0-9a-f]{64}$/);
    }
    const [turn] = await gate.turns();
    expect(turn).toMatchObject({
      object: "audit.turn",
      id: note.turn_id,
      model: "test-model",
      policy: rows[0]?.policy,
      stop_reason: "completed",
      finish_reason: "tool_calls",
      steps: 2,
      offered: ["read_file", "edit"],
      withheld: [{ name: "send", reasons: ["mode_forbids"] }],
      error: null,
    });
  });

  it("is recorded too where the step was not orderly", async () => {
    const disorderly = () =>
      new Response(
        'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"edit","arguments":"{"}}]}}]}\n\n',
        {
          headers: { "content-type": "text/event-stream" },
        },
      );
    const gate = await gateway({ policy: off, upstream: disorderly });
    await ask(gate, { messages: hi, tools, stream: true });
    expect(await gate.decisions()).toMatchObject([
      { tool: "edit", effect: "deny", reasons: [{ code: "stream_disorderly" }] },
    ]);
    expect(await gate.turns()).toMatchObject([{ stop_reason: "upstream_error" }]);
  });

  it("is delivered whatever the model called its tools and wrote into them", async () => {
    const odd = ["\ud800", "a\u0000b", "🌍".repeat(300), "'; DROP TABLE decisions; --", "x".repeat(300)];
    const gate = await calling(odd.map((name, index) => call(`c${index}`, name, { [name]: name })));
    await ask(gate, { messages: hi, tools });
    expect((await gate.decisions()).length).toBe(odd.length);
    expect((await gate.turns()).length).toBe(1);
    expect(await verdict(gate)).toMatchObject({ ok: true });
  });
});

describe("a turn whose worker died", () => {
  it("is recorded as aborted after an hour, once", async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const gate = await calling([]);
    const principal = { tenant: gate.tenant, user: gate.user, role: "user", authenticated: true, connections: [] };
    await gate.guard.turns.open({
      turn: "turn_lost",
      principal,
      model: "m",
      session: { id: "s", firstMessageDigest: "", conversationKey: undefined },
      digest: "d",
      clientRetry: false,
      mode: undefined,
      policy: "v1",
      reset: false,
      newMessage: true,
      intents: { kind: "keep" },
      detected: [],
      untrusted: false,
      results: [],
      definitions: [],
    });
    const recorded = async (minutes: number) => {
      vi.setSystemTime(start + minutes * 60_000);
      return (await gate.turns()).map(({ id, stop_reason: reason }) => [id, reason]);
    };
    expect(await recorded(59)).toEqual([]);
    expect(await recorded(61)).toEqual([["turn_lost", "aborted"]]);
    expect(await recorded(200)).toEqual([["turn_lost", "aborted"]]);
    expect(await gate.turns()).toMatchObject([{ role: "user", mode: "default", policy: "v1" }]);
  });
});

describe("a turn whose session is deleted while it runs", () => {
  for (const reopened of [false, true]) {
    it(`releases nothing, and is recorded all the same (session ${reopened ? "opened again" : "gone"})`, async () => {
      const session = { "x-toolgate-session": "s" };
      const gate: Gateway = await gateway({
        policy: { ...off, tools: listed },
        upstream: [
          async (body, request) => {
            await gate.fetch("/v1/sessions/s", { method: "DELETE" });
            if (reopened) await ask(gate, { messages: [user("another")], tools }, session);
            return says({ calls: [call("c1", "read_file")] })(body, request);
          },
          says({ text: "ok" }),
        ],
      });
      const { status, calls } = await ask(gate, { messages: hi, tools }, session);
      expect([status, calls]).toEqual([503, []]);
      const reasons = (await gate.turns()).map(({ stop_reason: reason }) => reason);
      expect(reasons).toEqual(reopened ? ["completed", "gateway_error"] : ["gateway_error"]);
      expect(await gate.decisions()).toEqual([]);
    });
  }
});

describe("redaction", () => {
  const secret = "hunter2-hunter2";
  const args = {
    to: "bob",
    body: secret,
    nested: { deep: [{ body: secret }, { body: { key: secret, [secret]: 1 } }] },
    card: { number: secret, kind: "visa" },
  };
  const redact = ["body", "card.number"];
  const kinds: readonly (readonly [string, Record<string, unknown>, object?])[] = [
    ["released", { category: "read_only" }],
    ["asked for", { category: "modification" }],
    ["gated", { category: "external", destination: "the web" }],
    ["suspicious", { category: "read_only", injection: { sets: ["sql"], action: "deny" } }],
    [
      "not valid",
      { category: "read_only" },
      { type: "object", properties: { body: { type: "object", maxLength: 1 } } },
    ],
  ];
  for (const [kind, settings, parameters] of kinds) {
    it(`keeps a redacted argument out of every table, at any depth: a call that is ${kind}`, async () => {
      const suspicious = kind === "suspicious" ? `' OR '1'='1 ${secret}` : secret;
      const gate = await calling([call("c1", "send", { ...args, body: suspicious })], {
        tools: { send: { ...settings, redact } },
      });
      const { note } = await ask(gate, { messages: hi, tools: [tool("send", parameters)] });
      const [row] = await gate.decisions();
      expect(row).toMatchObject({
        arguments: {
          to: "bob",
          body: "[redacted]",
          nested: { deep: [{ body: "[redacted]" }, { body: "[redacted]" }] },
          card: { number: "[redacted]", kind: "visa" },
        },
      });
      const text = await stored(gate.tenant);
      expect(text).toContain(note.turn_id);
      expect(text).not.toContain(secret);
    });
  }

  it("tells a decision's reasons without it, to the client too: only the approval shows it to who is asked", async () => {
    const gate = await calling([call("c1", "send", args)], { tools: { send: { category: "modification", redact } } });
    const { note } = await ask(gate, { messages: hi, tools });
    expect(note.decisions[0]?.reasons[0]?.message).toContain("to: bob");
    expect(JSON.stringify(note.decisions)).not.toContain(secret);
    const [row] = await gate.decisions();
    expect(JSON.stringify(row?.reasons)).toContain("to: bob");
  });

  it("leaves no name that stands below a redacted argument in a reason's path", async () => {
    const closed = { type: "object", additionalProperties: false };
    const parameters = { type: "object", properties: { body: closed } };
    const gate = await calling([call("c1", "send", { body: { [secret]: 1 } })], {
      tools: { send: { category: "read_only", redact } },
    });
    await ask(gate, { messages: hi, tools: [tool("send", parameters)] });
    const [row] = await gate.decisions();
    expect(row).toMatchObject({
      effect: "deny",
      reasons: [{ code: "arguments_invalid", issues: [{ path: "/body" }] }],
    });
    expect(await stored(gate.tenant)).not.toContain(secret);
  });

  it("keeps it out under a misspelt name, in a name, and in the name of a tool that is none", async () => {
    const schema = (more: object = {}) => ({ type: "object", properties: { to: {}, body: {} }, ...more });
    const misspelt = [
      ...[{ "BODY ": secret }, { bodys: secret }, { bo_dy: secret }, { "the-body": secret }],
      ...[{ [`body_${secret}`]: 1 }, { a: [{ [`x ${secret} body`]: 1 }] }],
    ];
    for (const parameters of [schema(), schema({ additionalProperties: false })])
      for (const more of misspelt) {
        const gate = await calling([call("c1", "send", { to: "bob", body: "x", ...more })], {
          tools: { send: { category: "modification", redact } },
        });
        await ask(gate, { messages: hi, tools: [tool("send", parameters)] });
        expect(await gate.decisions()).toMatchObject([{ tool: "send", arguments: { to: "bob", body: "[redacted]" } }]);
        expect(await stored(gate.tenant)).not.toContain(secret);
      }
    const made = [call("c1", `send ${secret}`, { to: "bob", [secret]: 1 }), call("c2", "read_it_4711", { to: "bob" })];
    const gate = await calling(made, { tools: { send: { category: "modification", redact }, read_file: {} } });
    await ask(gate, { messages: hi, tools: [tool("send", schema()), tool("read_file")] });
    const rows = await gate.decisions();
    expect(rows.find(({ call_id }) => call_id === "c1")).toMatchObject({
      ...{ tool: "send…-…", arguments: { to: "bob" }, reasons: [{ code: "unknown_tool", tool: "send…-…" }] },
    });
    expect(rows.find(({ call_id }) => call_id === "c2")).toMatchObject({ tool: "read_it_…" });
    expect(await stored(gate.tenant)).not.toContain(secret);
  });

  it("records the names of unknown tools as they are where the policy redacts nothing", async () => {
    const gate = await calling([call("c1", "read_it", { path: "a" })]);
    await ask(gate, { messages: hi, tools });
    expect(await gate.decisions()).toMatchObject([{ tool: "read_it", arguments: { path: "a" } }]);
  });

  it("`logToolCalls: false` leaves all arguments out, never the decision", async () => {
    for (const category of ["read_only", "modification", "external"]) {
      const gate = await calling([call("c1", "send", args)], {
        tools: { send: { category } },
        audit: { logToolCalls: false },
      });
      await ask(gate, { messages: hi, tools });
      expect(await gate.decisions()).toMatchObject([{ tool: "send", call_id: "c1", arguments: null }]);
      const text = await stored(gate.tenant);
      expect(text).not.toContain(secret);
      expect(text).not.toContain("bob");
    }
  });
});

describe("the handshake under `logToolCalls: false`", () => {
  it("leaves out what the model wrote into it", async () => {
    const gate = await gateway({
      policy: { tools: listed, audit: { logToolCalls: false } },
      upstream: [says({ calls: [selects("my secret")] }), says({ text: "ok" })],
    });
    await ask(gate, { messages: hi, tools });
    expect(await gate.decisions()).toMatchObject([{ reasons: [{ code: "intent_unknown", intent: "" }] }]);
    expect(await stored(gate.tenant)).not.toContain("my secret");
  });
});

describe("the chain of a user's records", () => {
  const two = async () => {
    const gate = await calling([call("c1", "read_file"), call("c2", "edit")]);
    const { message } = await ask(gate, { messages: hi, tools }, { "x-toolgate-session": "s" });
    await ask(gate, { messages: [...hi, message, result("c1")], tools }, { "x-toolgate-session": "s" });
    await gate.decisions();
    return gate;
  };

  it("verifies, without gaps, and ends in the head that the object keeps", async () => {
    const gate = await two();
    expect(await verdict(gate)).toMatchObject({ ok: true, seqs: [1, 2, 3, 4, 5], head: { seq: 5 } });
  });

  it("shows a record that was altered, removed or cut off", async () => {
    const tampered: readonly (readonly [string, string])[] = [
      ["UPDATE decisions SET record = replace(record, '\"confirm\"', '\"allow\"') WHERE tenant = ?", "altered"],
      ["DELETE FROM decisions WHERE seq = 3 AND tenant = ?", "missing"],
      ["DELETE FROM turns WHERE seq = 5 AND tenant = ?", "truncated"],
    ];
    for (const [sql, problem] of tampered) {
      const gate = await two();
      await env.AUDIT_DB.prepare(sql).bind(gate.tenant).run();
      expect(await verdict(gate)).toMatchObject({ ok: false, problem });
    }
  });
});

describe("the chains of a tenant", () => {
  it("are listed by name, and a fault leads to its record", async () => {
    const gate = await calling([call("c1", "read_file"), call("c2", "edit")]);
    const { headers } = await ask(gate, { messages: hi, tools }, { "x-toolgate-session": "s" });
    await gate.decisions();
    const admin = await gate.keyFor("boss", "admin");
    const read = async (path: string, key = admin) => (await gate.fetch(`/v1/audit/${path}`, { key })).json();
    expect(await read("chains?limit=1")).toMatchObject({
      data: [{ object: "audit.chain", id: "ada" }],
      has_more: false,
    });
    expect(await read("chains?after=ada")).toMatchObject({ data: [] });
    expect((await gate.fetch("/v1/audit/chains")).status).toBe(403);
    const alter = "UPDATE decisions SET record = replace(record, '\"confirm\"', '\"allow\"') WHERE tenant = ?";
    await env.AUDIT_DB.prepare(alter).bind(gate.tenant).run();
    const turn = headers.get("x-toolgate-turn");
    expect(await read("verify?user=ada")).toMatchObject({
      problem: { kind: "altered", record: { kind: "decision", session: expect.any(String), turn } },
    });
    await env.AUDIT_DB.prepare("DELETE FROM decisions WHERE tenant = ?").bind(gate.tenant).run();
    expect(await read("verify?user=ada")).toMatchObject({ problem: { kind: "missing", record: null } });
  });
});

describe("D1 that fails", () => {
  it("loses nothing, holds no turn up, and delivers once when it is back", async () => {
    const gate = await calling([call("c1", "read_file"), call("c2", "edit")]);
    await env.AUDIT_DB.exec("ALTER TABLE turns RENAME TO turns_away");
    const { calls } = await ask(gate, { messages: hi, tools });
    expect(calls.length).toBe(1);
    expect(await gate.decisions()).toEqual([]);
    await ask(gate, { messages: [user("again")], tools });
    await gate.settle();
    await env.AUDIT_DB.exec("ALTER TABLE turns_away RENAME TO turns");
    expect((await gate.turns()).length).toBe(2);
    expect((await gate.decisions()).length).toBe(2);
    expect(await verdict(gate)).toMatchObject({ ok: true, seqs: [1, 2, 3, 4, 5] });
    const left = await runInGuard(gate.stub, (_, { storage }) => waitingCount(storage.sql));
    expect(left).toBe(0);
  });
});

describe("reading the trail", () => {
  interface List {
    readonly data: Record<string, unknown>[];
    readonly has_more: boolean;
    readonly last_id: string;
  }
  async function filled() {
    const gate = await calling([call("c1", "read_file"), call("c2", "edit"), call("c3", "rm")]);
    const one = await ask(gate, { messages: hi, tools }, { "x-toolgate-session": "one" });
    await ask(gate, { messages: hi, tools }, { "x-toolgate-session": "two" });
    await gate.decisions();
    const admin = await gate.keyFor("boss", "admin");
    const list = async (path: string, key = admin) => {
      const response = await gate.fetch(path, { key });
      return { status: response.status, list: (await response.json()) as List };
    };
    return { gate, one, list };
  }

  it("filters", async () => {
    const { one, list } = await filled();
    const found = async (query: string) => {
      const { data } = (await list(`/v1/audit/decisions?${query}`)).list;
      return data.map(({ call_id: id }) => id).sort();
    };
    expect(await found("")).toEqual(["c1", "c2", "c3"]);
    expect(await found("tool=edit")).toEqual(["c2"]);
    expect(await found("effect=deny")).toEqual(["c3"]);
    expect(await found("reason=confirmation_required")).toEqual(["c2"]);
    expect(await found("user=ada&session=one&tool=rm")).toEqual(["c3"]);
    expect(await found(`turn=${one.note.turn_id}`)).toEqual(["c1", "c2", "c3"]);
    for (const none of ["session=two", "user=eve", "to=2020-01-01", "from=2100-01-01"])
      expect(await found(none)).toEqual([]);
    const turns = await list("/v1/audit/turns?session=two&stop_reason=completed");
    expect(turns.list.data.length).toBe(1);
  });

  it("pages without a gap or a repetition", async () => {
    const { list } = await filled();
    for (const order of ["asc", "desc"]) {
      const whole = (await list(`/v1/audit/decisions?order=${order}`)).list.data.map(({ id }) => id);
      const seen: unknown[] = [];
      for (let after = "", more = true; more; ) {
        const page = (await list(`/v1/audit/decisions?limit=2&order=${order}${after}`)).list;
        seen.push(...page.data.map(({ id }) => id));
        [after, more] = [`&after=${page.last_id}`, page.has_more];
      }
      expect(seen).toEqual(whole);
    }
  });

  it("is for admins alone, and of their own tenant", async () => {
    const { gate, one, list } = await filled();
    for (const path of ["/v1/audit/turns", "/v1/audit/decisions", "/v1/audit/approvals"]) {
      for (const role of ["guest", "user", "premium"]) {
        expect((await list(path, await gate.keyFor("ada", role))).status).toBe(403);
      }
      const other = await gateway({ role: "admin" });
      for (const query of ["", `?turn=${one.note.turn_id}`, "?user=ada"]) {
        expect((await list(path + query, other.key)).list.data).toEqual([]);
      }
      expect((await list(`${path}?after=${one.note.turn_id}`, other.key)).status).toBe(400);
      expect((await list(`${path}?tenant=${gate.tenant}`, other.key)).status).toBe(403);
    }
  });
});
