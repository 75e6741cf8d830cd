import { afterEach, describe, expect, it, vi } from "vitest";
import { chunk, sse } from "../../support/sse.ts";
import { type Gateway, gateway, tool, type Upstream } from "../support/gateway.ts";
import { type Answer, aborted, ask, call, says, user } from "../support/script.ts";

const off = { select: "off" };
const hi = [user("go")];
const tools = ["read_file", "web_get", "web_put", "send_mail", "edit"].map((name) => tool(name));
const calls =
  (...names: string[]): Upstream =>
  (body, request) =>
    says({ calls: names.map((name, index) => call(`c${index}`, name, { to: "bob" })) })(body, request);

let sessions = 0;
/** One turn in a session of its own; the model is told of a refusal and stops the turn. */
const once = (gate: Gateway, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(gate, { messages: hi, tools }, { "x-toolgate-session": `s${++sessions}`, ...headers });

/** The codes of the reasons for which each call of a turn was not simply allowed. */
const codesOf = ({ note }: Answer): string[][] => note.decisions.map(({ reasons }) => reasons.map(({ code }) => code));

const limited = (settings: Record<string, unknown>) => ({
  handshake: off,
  execution: { maxCorrections: 0 },
  gates: { requireFirstTime: false },
  ...settings,
});

describe("a rate limit", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("refuses the eleventh call of ten a minute, and says when to try again", async () => {
    const rateLimits = [{ max: 10, window: "1m" }];
    const policy = limited({ tools: { read_file: { category: "read_only", rateLimits } } });
    const gate = await gateway({ policy, upstream: calls("read_file") });
    for (let turn = 0; turn < 10; turn++) expect((await once(gate)).calls.length).toBe(1);
    const eleventh = await once(gate);
    expect([eleventh.calls, eleventh.note.stop_reason]).toEqual([[], "tool_policy_blocked"]);
    const [reason] = eleventh.note.decisions[0]?.reasons ?? [];
    expect(reason?.code).toBe("rate_limited");
    expect(reason?.retry_after).toBeGreaterThan(0);
    expect(reason?.retry_after).toBeLessThanOrEqual(60);
    const [row] = await gate.decisions("&effect=deny");
    expect(row).toMatchObject({
      tool: "read_file",
      disposition: "refused",
      reasons: [{ code: "rate_limited", max: 10 }],
    });
    expect(row?.retry_after_ms).toBeGreaterThan(0);
    expect(row?.retry_after_ms).toBeLessThanOrEqual(60_000);
  });

  it("is told to the user where the model only says that it did not work, with what shares it", async () => {
    const policy = {
      handshake: off,
      tools: { read_file: { category: "read_only" }, web_get: { category: "read_only" } },
      rateLimits: { "category:read_only": [{ max: 1, window: "1h" }] },
    };
    const upstream: Upstream = (body, request) =>
      JSON.stringify(body).includes("tool_policy_blocked")
        ? says({ text: "That did not work." })(body, request)
        : calls("read_file")(body, request);
    const gate = await gateway({ policy, upstream });
    expect((await once(gate)).calls).toHaveLength(1);
    const second = await once(gate);
    expect(second.text).toMatch(
      /^That did not work\.\n\nToolgate: `read_file`, with all other tools of `category:read_only`, has reached its limit \(1 in 1 h\); the rest was not done\. It works again in (?:1 h|\d+ min)\.$/,
    );
  });

  it("counts a refused call for nothing, and the calls of one step one after the other", async () => {
    const rateLimits = [{ max: 2, window: "1h" }];
    const policy = limited({ tools: { read_file: { category: "read_only", rateLimits } } });
    const gate = await gateway({ policy, upstream: calls("read_file", "read_file", "read_file") });
    const reply = await once(gate);
    expect(codesOf(reply)).toEqual([[], [], ["rate_limited"]]);
    // The model speaks of three, once the two have run.
    expect(reply.text).toContain(
      "Toolgate: `read_file` has reached its limit (2 in 1 h); the rest was not done. It works again in 1 h.",
    );
  });

  it("is the user's: another user has uses of their own", async () => {
    const policy = limited({ tools: { read_file: { category: "read_only", rateLimits: [{ max: 1, window: "1h" }] } } });
    const gate = await gateway({ policy, upstream: calls("read_file") });
    const key = await gate.keyFor("eve", "user");
    const codes = [];
    for (const authorization of [`Bearer ${gate.key}`, `Bearer ${gate.key}`, `Bearer ${key}`]) {
      codes.push(codesOf(await once(gate, { authorization })));
    }
    expect(codes).toEqual([[[]], [["rate_limited"]], [[]]]);
  });

  it("of several windows is met where any of them is, and slides", async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const rateLimits = [
      { max: 2, window: "1m" },
      { max: 3, window: "1h" },
    ];
    const policy = limited({ tools: { read_file: { category: "read_only", rateLimits } } });
    const gate = await gateway({ policy, upstream: calls("read_file") });
    const at = async (seconds: number) => {
      vi.setSystemTime(start + seconds * 1000);
      const { note } = await once(gate);
      return note.decisions[0]?.reasons.map(({ code, retry_after: wait }) => `${code} ${wait}`) ?? [];
    };
    expect(await at(0)).toEqual([]);
    expect(await at(40)).toEqual([]);
    expect(await at(50)).toEqual(["rate_limited 10"]);
    // The first use has left the minute, the second has not.
    expect(await at(60)).toEqual([]);
    expect(await at(70)).toEqual(["rate_limited 30", "rate_limited 3530"]);
    expect(await at(200)).toEqual(["rate_limited 3400"]);
    expect(await at(3599)).toEqual(["rate_limited 1"]);
    expect(await at(3600)).toEqual([]);
  });

  for (const selector of ["family:web", "category:external", "web_*"]) {
    it(`under \`${selector}\` is shared by its tools`, async () => {
      const policy = limited({
        tools: {
          web_get: { category: "external" },
          web_put: { category: "external" },
          read_file: { category: "read_only" },
        },
        families: { web: ["web_*"] },
        rateLimits: { [selector]: [{ max: 2, window: "1m" }] },
      });
      const gate = await gateway({ policy, upstream: calls("web_get", "web_put", "web_get", "web_put", "read_file") });
      expect(codesOf(await once(gate))).toEqual([[], [], ["rate_limited"], ["rate_limited"], []]);
    });
  }

  it("of 50 lets exactly 50 of 200 parallel turns by", async () => {
    const policy = limited({
      tools: { read_file: { category: "read_only", rateLimits: [{ max: 50, window: "1h" }] } },
    });
    const variables = { MAX_USER_TURNS: "200" };
    const gate = await gateway({ policy, upstream: calls("read_file"), variables });
    const answers = await Promise.all(Array.from({ length: 200 }, () => once(gate)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 200 }, () => 200));
    expect(answers.filter((answer) => answer.calls.length === 1).length).toBe(50);
    expect(answers.filter((answer) => codesOf(answer)[0]?.[0] === "rate_limited").length).toBe(150);
  });
});

describe("a client that goes away before its call is released", () => {
  const policy = limited({ tools: { read_file: { category: "read_only", rateLimits: [{ max: 1, window: "1h" }] } } });
  const session = { "x-toolgate-session": "gone" };
  const body = { messages: hi, tools, stream: true };
  const encoder = new TextEncoder();

  it("while the model still speaks gets no call, and spends nothing", async () => {
    const upstream = new TransformStream<Uint8Array, Uint8Array>();
    const speaking = () => new Response(upstream.readable, { headers: { "content-type": "text/event-stream" } });
    const gate = await gateway({ policy, upstream: [speaking, calls("read_file")] });
    const responding = gate.chat(body, session);
    const writer = upstream.writable.getWriter();
    await writer.write(encoder.encode(sse([chunk({ role: "assistant", content: "Let me" })])));
    await (await responding).body?.cancel();
    const [request] = gate.requests;
    if (request) await aborted(request);
    const made = { index: 0, id: "c0", type: "function", function: { name: "read_file", arguments: "{}" } };
    const rest = sse([chunk({ tool_calls: [made] }), chunk({}, { finish: "tool_calls" })]);
    // Nobody reads it any more.
    await writer.write(encoder.encode(rest)).catch(() => {});
    await writer.close().catch(() => {});
    expect(await gate.turns()).toMatchObject([{ stop_reason: "aborted" }]);
    expect(await gate.decisions()).toEqual([]);
    expect((await once(gate)).calls.length).toBe(1);
  });

  it("after the decision gives the use back", async () => {
    const gate = await gateway({ policy, upstream: calls("read_file") });
    const response = await gate.chat(body, session);
    const pending = async () => {
      const info = (await (await gate.fetch("/v1/sessions/gone")).json()) as { pending_calls: number };
      return info.pending_calls;
    };
    // Nothing is read of the body, so the release cannot get through.
    while ((await pending()) === 0);
    await response.body?.cancel();
    await gate.settle();
    expect(await pending()).toBe(0);
    expect((await once(gate)).calls.length).toBe(1);
    expect(await gate.decisions()).toMatchObject([{ effect: "allow" }, { effect: "allow" }]);
    expect(await gate.turns()).toMatchObject([{ stop_reason: "aborted" }, { stop_reason: "completed" }]);
  });
});

describe("a retry that gets the calls before the first reply fails", () => {
  it("keeps the use: the client has the call", async () => {
    const policy = limited({ tools: { read_file: { category: "read_only", rateLimits: [{ max: 1, window: "1h" }] } } });
    const gate = await gateway({ policy, upstream: calls("read_file") });
    const session = { "x-toolgate-session": "twice" };
    const body = { messages: hi, tools, stream: true };
    const response = await gate.chat(body, session);
    const pending = async () => {
      const info = (await (await gate.fetch("/v1/sessions/twice")).json()) as { pending_calls: number };
      return info.pending_calls;
    };
    while ((await pending()) === 0);
    expect((await ask(gate, body, session)).calls.length).toBe(1);
    await response.body?.cancel();
    await gate.settle();
    expect([gate.sent.length, await pending()]).toEqual([1, 1]);
    expect(codesOf(await once(gate))).toEqual([["rate_limited"]]);
  });
});

describe("the first-time gate of an external tool", () => {
  const mail = { category: "external", destination: "the mail service", description: "Send a mail" };
  const gated = {
    handshake: off,
    execution: { maxCorrections: 0 },
    tools: { send_mail: mail, read_file: { category: "read_only" } },
  };
  const post = (gate: Gateway, json?: unknown, name = "send_mail") =>
    gate.fetch(`/v1/gates/${name}`, { method: "POST", json });

  it("refuses with the disclosure until consent is given, and again after it is withdrawn", async () => {
    const gate = await gateway({ policy: gated, upstream: calls("send_mail") });
    const refused = await once(gate);
    expect(codesOf(refused)).toEqual([["first_use"]]);
    for (const part of [
      "Send a mail: `bob`?",
      "to: bob",
      "Data goes to the mail service.",
      "`send_mail` is not enabled yet",
    ]) {
      expect(refused.note.decisions[0]?.reasons[0]?.message).toContain(part);
    }
    const opened = await post(gate);
    expect(await opened.json()).toMatchObject({
      object: "gate",
      tool: "send_mail",
      open: true,
      destination: "the mail service",
    });
    expect(codesOf(await once(gate))).toEqual([[]]);
    expect(codesOf(await once(gate))).toEqual([[]]);
    const other = `Bearer ${await gate.keyFor("eve", "user")}`;
    expect(codesOf(await once(gate, { authorization: other }))).toEqual([["first_use"]]);
    expect(await (await gate.fetch("/v1/gates/send_mail", { method: "DELETE" })).json()).toMatchObject({ open: false });
    expect(codesOf(await once(gate))).toEqual([["first_use"]]);
    expect((await gate.fetch("/v1/gates/send_mail", { method: "DELETE" })).status).toBe(404);
  });

  it("is for external tools alone", async () => {
    const gate = await gateway({ policy: gated, upstream: calls("read_file") });
    expect(codesOf(await once(gate))).toEqual([[]]);
    for (const name of ["read_file", "made_up", "__proto__"]) expect((await post(gate, {}, name)).status).toBe(400);
  });

  it("is not opened by a body that cannot be read: it might have named a session", async () => {
    const gate = await gateway({ policy: gated, upstream: calls("send_mail") });
    const unfit = ["", "x".repeat(129), "\ud800"].map((id) => JSON.stringify({ session_id: id }));
    for (const body of ['{"session_id":"s"', '{"session_id":7}', '{"session":"s"}', '["s"]', ...unfit]) {
      const response = await gate.fetch("/v1/gates/send_mail", { method: "POST", body });
      expect([body, response.status]).toEqual([body, 400]);
    }
    expect(codesOf(await once(gate))).toEqual([["first_use"]]);
  });

  it("is opened for one session where consents are not kept", async () => {
    const gate = await gateway({
      policy: { ...gated, gates: { persistApprovals: false } },
      upstream: calls("send_mail"),
    });
    const refused = await post(gate, {});
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: "session_id" } }]);
    const unknown = await post(gate, { session_id: "mine" });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { param: "session_id" } }]);
    expect(codesOf(await once(gate, { "x-toolgate-session": "mine" }))).toEqual([["first_use"]]);
    expect((await post(gate, { session_id: "mine" })).status).toBe(200);
    // Another message: the same request again would still ask about the call that waits.
    const next = { messages: [...hi, user("again")], tools };
    expect(codesOf(await ask(gate, next, { "x-toolgate-session": "mine" }))).toEqual([[]]);
    expect(codesOf(await once(gate))).toEqual([["first_use"]]);
    await gate.fetch("/v1/sessions/mine", { method: "DELETE" });
    expect(codesOf(await once(gate, { "x-toolgate-session": "mine" }))).toEqual([["first_use"]]);
  });

  it("does not hold by a consent for every session once consents are not kept", async () => {
    const gate = await gateway({
      policy: { ...gated, gates: { persistApprovals: false } },
      upstream: calls("send_mail"),
    });
    const principal = { tenant: gate.tenant, user: gate.user, role: "user", authenticated: true, connections: [] };
    // As given under the policy before.
    expect(await gate.guard.gates.open(principal, "send_mail", undefined)).toBe(true);
    expect(codesOf(await once(gate))).toEqual([["first_use"]]);
  });

  it("once withdrawn holds for a retry too", async () => {
    const gate = await gateway({ policy: gated, upstream: calls("send_mail") });
    await post(gate);
    const session = { "x-toolgate-session": "withdrawn" };
    expect(codesOf(await once(gate, session))).toEqual([[]]);
    await gate.fetch("/v1/gates/send_mail", { method: "DELETE" });
    const again = await once(gate, session);
    expect([again.calls, codesOf(again)]).toEqual([[], [["first_use"]]]);
  });

  it("is not there where the policy asks for none", async () => {
    const gate = await gateway({
      policy: { ...gated, gates: { requireFirstTime: false } },
      upstream: calls("send_mail"),
    });
    expect(codesOf(await once(gate))).toEqual([[]]);
  });
});

describe("confirmation", () => {
  const confirming = (tool: Record<string, unknown>, more = {}) =>
    gateway({ policy: limited({ tools: { edit: tool }, ...more }), upstream: calls("edit") });

  it("is asked for by category, with the disclosure: the call is not released", async () => {
    for (const settings of [
      { category: "modification" },
      { category: "note_taking" },
      { category: "external", sensitive: true },
    ]) {
      const gate = await confirming(settings);
      const answer = await once(gate);
      expect([answer.calls, codesOf(answer)]).toEqual([[], [["confirmation_required"]]]);
      expect(answer.note.decisions[0]).toMatchObject({ effect: "confirm" });
      expect(answer.note.decisions[0]?.reasons[0]?.message).toContain("to: bob");
      expect(await gate.decisions()).toMatchObject([{ effect: "confirm", disposition: "asked" }]);
    }
  });

  it("is not asked for with `confirm: auto`, and is with `confirm: ask`", async () => {
    expect(codesOf(await once(await confirming({ category: "modification", confirm: "auto" })))).toEqual([[]]);
    expect(codesOf(await once(await confirming({ category: "read_only", confirm: "ask" })))).toEqual([
      ["confirmation_required"],
    ]);
    const autoNotes = { confirmation: { autoConfirmNoteTaking: true } };
    expect(codesOf(await once(await confirming({ category: "note_taking" }, autoNotes)))).toEqual([[]]);
  });

  it("spends no use, and is not asked for once a limit denies", async () => {
    const gate = await confirming({ category: "modification", rateLimits: [{ max: 1, window: "1h" }] });
    await once(gate);
    expect(codesOf(await once(gate))).toEqual([["confirmation_required"]]);
    const full = await confirming({ category: "modification", rateLimits: [{ max: 0, window: "1h" }] });
    expect(codesOf(await once(full))).toEqual([["rate_limited"]]);
  });
});
