/** Rules about the order and the number of calls, through the whole gateway. */
import { describe, expect, it } from "vitest";
import { type Gateway, gateway, tool, type Upstream } from "../support/gateway.ts";
import { type Answer, ask, call, result, says, user } from "../support/script.ts";

const off = { handshake: { select: "off" }, gates: { requireFirstTime: false } };
const names = ["find_order", "refund", "read_salary", "send_mail"];
const tools = names.map((name) => tool(name));
const auto = { category: "modification", confirm: "auto", trusted: true };
const listed = { find_order: auto, refund: auto, read_salary: auto, send_mail: auto };

const calls =
  (...made: string[]): Upstream =>
  (body, request) =>
    says({ calls: made.map((name, index) => call(`${name}_${index}`, name)) })(body, request);
const words = says({ text: "Done." });
const inSession = (id: string) => ({ "x-toolgate-session": id });

const released = (answer: Answer) => answer.calls.map(({ name }) => name);
const reasonsFor = ({ note }: Answer, name: string) => note.withheld.find((one) => one.name === name)?.reasons;
const decided = ({ note }: Answer) =>
  note.decisions.map(({ tool: name, effect, reasons }) => [name, effect, ...reasons.map(({ code }) => code)]);

describe("`after`", () => {
  const policy = { ...off, tools: { ...listed, refund: { ...auto, after: ["find_order"] } } };
  const start = [user("pay it back")];

  it("withholds the tool until the other has succeeded", async () => {
    const gate = await gateway({ policy, upstream: [calls("find_order"), calls("refund")] });
    const first = await ask(gate, { messages: start, tools });
    expect(reasonsFor(first, "refund")).toEqual(["after_unmet"]);
    const second = await ask(gate, { messages: [...start, first.message, result("find_order_0", "{}")], tools });
    expect(released(second)).toEqual(["refund"]);
  });

  it("holds within one reply, and tells the model what to call first", async () => {
    const gate = await gateway({ policy, upstream: [calls("refund"), calls("find_order", "refund")] });
    const answer = await ask(gate, { messages: start, tools });
    expect(released(answer)).toEqual(["find_order"]);
    expect(decided(answer)).toEqual([
      ["refund", "deny", "not_offered", "after_unmet"],
      ["find_order", "allow"],
      ["refund", "deny", "not_offered", "after_unmet"],
    ]);
    const told = "`refund` can be called only once `find_order` succeeded: call that first, and wait for its result";
    expect(JSON.stringify(gate.sent[1]?.messages)).toContain(`tool_policy_blocked: ${told}`);
  });

  it.each([
    ["a call that failed", JSON.stringify({ error: "no such order" }), "find_order_0"],
    ["a result that no call has", "{}", "made_up"],
  ])("is not met by %s", async (_, text, id) => {
    const gate = await gateway({ policy, upstream: [calls("find_order"), calls("refund"), words] });
    const first = await ask(gate, { messages: start, tools });
    const forged = {
      role: "assistant",
      content: null,
      tool_calls: [{ ...(first.message.tool_calls as object[])[0], id }],
    };
    const second = await ask(gate, { messages: [...start, forged, result(id, text)], tools });
    expect(reasonsFor(second, "refund")).toEqual(["after_unmet"]);
  });

  it("is met by a call of an earlier message, and not by one of another session", async () => {
    const gate = await gateway({ policy, upstream: [calls("find_order"), words, words, calls("refund")] });
    const first = await ask(gate, { messages: start, tools }, inSession("a"));
    const history = [...start, first.message, result("find_order_0", "{}")];
    const second = await ask(gate, { messages: history, tools }, inSession("a"));
    const other = await ask(gate, { messages: start, tools }, inSession("b"));
    expect(reasonsFor(other, "refund")).toEqual(["after_unmet"]);
    const later = await ask(gate, { messages: [...history, second.message, user("now pay")], tools }, inSession("a"));
    expect(released(later)).toEqual(["refund"]);
  });

  it("needs each of its selectors, and no tool that the policy does not list meets one", async () => {
    const after = {
      ...policy,
      unlistedTools: "read_only",
      tools: { ...listed, refund: { ...auto, after: ["find_*", "read_salary"] } },
    };
    const gate = await gateway({
      policy: after,
      upstream: [calls("find_fake", "read_salary"), calls("find_order"), words],
    });
    const all = [...tools, tool("find_fake")];
    const first = await ask(gate, { messages: start, tools: all });
    expect(released(first)).toEqual(["find_fake", "read_salary"]);
    const history = [...start, first.message, result("find_fake_0", "{}"), result("read_salary_1", "{}")];
    const second = await ask(gate, { messages: history, tools: all });
    expect(reasonsFor(second, "refund")).toEqual(["after_unmet"]);
    const third = await ask(gate, { messages: [...history, second.message, result("find_order_0", "{}")], tools: all });
    expect(reasonsFor(third, "refund")).toBeUndefined();
  });

  it("is met within a turn by a tool that the gateway runs, and lost with a reset", async () => {
    const run = { kind: "http", method: "GET", url: "https://crm.example.com/notes" };
    const search = { category: "read_only", trusted: true, run };
    const managed = { ...off, tools: { search_notes: search, refund: { ...auto, after: ["search_notes"] } } };
    const steps = [calls("search_notes"), calls("refund"), words, words];
    const gate = await gateway({ policy: managed, upstream: steps, elsewhere: () => Response.json({ found: 1 }) });
    const first = await ask(gate, { messages: start, tools: [tool("refund")] }, inSession("s"));
    expect(released(first)).toEqual(["refund"]);
    const history = [...start, first.message, result("refund_0", "{}"), user("again")];
    const before = await ask(gate, { messages: history, tools: [tool("refund")] }, inSession("s"));
    expect(reasonsFor(before, "refund")).toBeUndefined();
    const reset = { ...inSession("s"), "x-toolgate-reset": "true" };
    const after = await ask(gate, { messages: start, tools: [tool("refund")] }, reset);
    expect(reasonsFor(after, "refund")).toEqual(["after_unmet"]);
  });
});

describe("`neverAfter`", () => {
  const policy = {
    ...off,
    families: { private: ["read_*"] },
    tools: { ...listed, send_mail: { ...auto, neverAfter: ["family:private"] } },
  };
  const start = [user("look it up")];

  /** A session in which the salary was read. */
  async function afterReading(text: string, upstream: readonly Upstream[]) {
    const gate = await gateway({ policy, upstream: [calls("read_salary"), ...upstream] });
    const first = await ask(gate, { messages: start, tools }, inSession("s"));
    expect(reasonsFor(first, "send_mail")).toBeUndefined();
    const history = [...start, first.message, result("read_salary_0", text)];
    return { gate, history, answer: await ask(gate, { messages: history, tools }, inSession("s")) };
  }

  it.each([
    ["success", "{}"],
    ["failure", JSON.stringify({ error: "salary 100 is locked" })],
  ])("withholds the tool after a %s, and says why", async (_, text) => {
    const { gate, answer } = await afterReading(text, [calls("send_mail"), words]);
    expect(reasonsFor(answer, "send_mail")).toEqual(["never_after"]);
    expect(decided(answer)).toEqual([["send_mail", "deny", "not_offered", "never_after"]]);
    expect(JSON.stringify(gate.sent.at(-1)?.messages)).toContain("can no longer be used in this conversation");
    const [row] = await gate.decisions("&tool=send_mail");
    expect(row).toMatchObject({ reasons: [{ code: "not_offered" }, { code: "never_after", read: ["read_salary"] }] });
  });

  it("holds for a client that drops the history, or sends another system prompt", async () => {
    const { gate } = await afterReading("{}", [words]);
    const dropped = await ask(gate, { messages: [user("hello")], tools }, inSession("s"));
    expect(reasonsFor(dropped, "send_mail")).toEqual(["never_after"]);
    const agent = [{ role: "system", content: "You are another agent altogether." }, user("send it")];
    expect(reasonsFor(await ask(gate, { messages: agent, tools }, inSession("s")), "send_mail")).toEqual([
      "never_after",
    ]);
  });

  it("holds for a result that only the client's history has", async () => {
    const { gate, history } = await afterReading("{}", [words]);
    const other = await ask(gate, { messages: [...history, user("hi")], tools }, inSession("t"));
    expect(reasonsFor(other, "send_mail")).toEqual(["never_after"]);
    const reset = { ...inSession("s"), "x-toolgate-reset": "true" };
    const with_ = await ask(gate, { messages: [...history, user("hi")], tools }, reset);
    expect(reasonsFor(with_, "send_mail")).toEqual(["never_after"]);
    expect(reasonsFor(await ask(gate, { messages: start, tools }, reset), "send_mail")).toBeUndefined();
  });

  it("is told to a user whose message asks for the tool, and to no other", async () => {
    const { gate, history } = await afterReading("{}", [words]);
    const say = async (text: string) =>
      (await ask(gate, { messages: [...history, user(text)], tools }, inSession("s"))).text;
    const told =
      "Toolgate: `send_mail` cannot be used any more in this conversation: results of `read_salary` are in it; begin a new conversation for this.";
    expect(await say("please send it to Ann")).toBe(`Done.\n\n${told}`);
    expect(await say("what is the average?")).toBe("Done.");
  });

  it("permits a call of the same reply: its arguments came before the result", async () => {
    const gate = await gateway({ policy, upstream: calls("read_salary", "send_mail") });
    expect(released(await ask(gate, { messages: start, tools }))).toEqual(["read_salary", "send_mail"]);
  });

  it("refuses a call that a person approves too late", async () => {
    const asks = { ...policy, tools: { ...policy.tools, send_mail: { ...policy.tools.send_mail, confirm: "ask" } } };
    const gate = await gateway({ policy: asks, upstream: [calls("read_salary", "send_mail"), words] });
    const first = await ask(gate, { messages: start, tools }, inSession("s"));
    expect(released(first)).toEqual(["read_salary"]);
    const listed_ = (await (await gate.fetch("/v1/approvals")).json()) as { data: { id: string }[] };
    await gate.fetch(`/v1/approvals/${listed_.data[0]?.id}`, { json: { action: "approve" } });
    const history = [...start, first.message, result("read_salary_0", "{}")];
    const second = await ask(gate, { messages: history, tools }, inSession("s"));
    expect(released(second)).toEqual([]);
    expect(decided(second)).toEqual([["send_mail", "deny", "not_offered", "never_after"]]);
  });
});

describe("`atMost`", () => {
  const limited = (atMost: object) => ({
    ...off,
    execution: { maxCorrections: 0 },
    tools: { ...listed, refund: { ...auto, atMost } },
  });
  const turn = (gate: Gateway, session: string, messages: unknown[] = [user("pay")], headers = {}) =>
    ask(gate, { messages, tools }, { ...inSession(session), ...headers });

  it("holds for several calls of one reply", async () => {
    const gate = await gateway({ policy: limited({ turn: 2 }), upstream: calls("refund", "refund", "refund") });
    const answer = await turn(gate, "s");
    expect(released(answer)).toEqual(["refund", "refund"]);
    expect(decided(answer)[2]).toEqual(["refund", "deny", "at_most_reached"]);
    expect(answer.note.decisions[2]?.reasons[0]?.message).toBe("`refund` may be called 2 times in one reply");
    // Who asked for three is not left to believe that all were made.
    expect(answer.text).toContain("Toolgate: `refund` has reached its limit (2 in one reply); the rest was not done.");
  });

  it("counts a turn, a task and a session", async () => {
    for (const [atMost, expected] of [
      [{ turn: 1 }, [1, 1, 1]],
      [{ task: 1 }, [1, 0, 1]],
      [{ session: 1 }, [1, 0, 0]],
    ] as const) {
      const gate = await gateway({ policy: limited(atMost), upstream: calls("refund") });
      const first = await turn(gate, "s");
      const history = [user("pay"), first.message, result("refund_0", "{}")];
      const second = await turn(gate, "s", history);
      const third = await turn(gate, "s", [...history, second.message, user("pay again")]);
      expect([first, second, third].map((answer) => released(answer).length)).toEqual(expected);
    }
  });

  it("of a session holds with parallel turns, and for a side session too", async () => {
    const gate = await gateway({ policy: limited({ session: 2 }), upstream: calls("refund") });
    const messages = Array.from({ length: 6 }, (_, index) => [user(`pay ${index}`)]);
    const answers = await Promise.all(messages.map((one) => turn(gate, "s", one)));
    expect(answers.flatMap(released).length).toBe(2);
    const agent = [{ role: "system", content: "You are another agent altogether." }, user("pay")];
    expect(released(await turn(gate, "s", agent))).toEqual([]);
    expect(released(await turn(gate, "other"))).toEqual(["refund"]);
  });

  it("of a session ends with a reset", async () => {
    const gate = await gateway({ policy: limited({ session: 1 }), upstream: calls("refund") });
    expect(released(await turn(gate, "s"))).toEqual(["refund"]);
    expect(released(await turn(gate, "s", [user("more")]))).toEqual([]);
    expect(released(await turn(gate, "s", [user("anew")], { "x-toolgate-reset": "true" }))).toEqual(["refund"]);
  });

  it("of a group is shared by its tools", async () => {
    const policy = { ...off, execution: { maxCorrections: 0 }, tools: { ...listed, "re*": { atMost: { turn: 1 } } } };
    const gate = await gateway({ policy, upstream: calls("refund", "read_salary", "send_mail") });
    expect(released(await turn(gate, "s"))).toEqual(["refund", "send_mail"]);
  });

  it("is not spent by the same request again, which gets the same call", async () => {
    const gate = await gateway({ policy: limited({ session: 1 }), upstream: calls("refund") });
    const same = { messages: [user("pay")], tools };
    const [first, again] = [await ask(gate, same, inSession("s")), await ask(gate, same, inSession("s"))];
    expect([released(first), released(again)]).toEqual([["refund"], ["refund"]]);
  });

  it("is given back where the call did not reach the client", async () => {
    const gate = await gateway({ policy: limited({ session: 1 }), upstream: calls("refund") });
    const response = await gate.chat({ messages: [user("pay")], tools, stream: true }, inSession("s"));
    const pending = async () => {
      const info = (await (await gate.fetch("/v1/sessions/s")).json()) as { pending_calls: number };
      return info.pending_calls;
    };
    // Nothing is read of the body, so the release cannot get through.
    while ((await pending()) === 0);
    await response.body?.cancel();
    await gate.settle();
    expect(released(await turn(gate, "s", [user("pay now")]))).toEqual(["refund"]);
  });

  it("is given back where a tool of the gateway did not start, and nothing was read of it", async () => {
    const headers = { authorization: "Bearer {{secret.NOT_BOUND}}" };
    const run = { kind: "http", method: "GET", url: "https://crm.example.com/notes", headers };
    const search = { category: "read_only", trusted: true, run, atMost: { turn: 1 } };
    const policy = { ...off, tools: { search, refund: { ...auto, neverAfter: ["search"] } } };
    const gate = await gateway({ policy, upstream: [calls("search"), calls("search"), calls("refund")] });
    const answer = await ask(gate, { messages: [user("look")], tools: [tool("refund")] });
    expect(decided(answer)).toEqual([
      ["search", "allow"],
      ["search", "allow"],
      ["refund", "allow"],
    ]);
    expect(released(answer)).toEqual(["refund"]);
  });
});
