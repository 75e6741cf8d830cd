/** `enforce: "observe"`, for a policy and for a tool of one. */
import { describe, expect, it } from "vitest";
import { gateway, tool } from "../support/gateway.ts";
import { ask, call, says, toolsOf, user } from "../support/script.ts";

const tools = {
  look: { category: "read_only" },
  wipe: { category: "modification", roles: ["admin"] },
  edit: { category: "modification", rateLimits: [{ max: 1, window: "1h" }] },
};
const base = { roles: ["user", "admin"], tools, handshake: { select: "off" } };
const offered = [tool("look"), tool("wipe"), tool("edit")];
const codes = (row: Record<string, unknown> | undefined): unknown =>
  (row?.reasons as { code: string }[] | undefined)?.map(({ code }) => code);

describe("a tool that is only observed", () => {
  const policy = { ...base, tools: { ...tools, wipe: { ...tools.wipe, enforce: "observe" } } };

  it("is sent and let through, and the record says what would have been", async () => {
    const upstream = says({ calls: [call("c1", "wipe"), call("c2", "edit")] });
    const gate = await gateway({ policy, upstream });
    const { calls, note } = await ask(gate, { messages: [user("hi")], tools: offered });
    expect(toolsOf(gate.sent[0])).toEqual(["look", "wipe", "edit"]);
    expect(calls.map(({ name }) => name)).toEqual(["wipe"]);
    expect(note.withheld).toEqual([{ name: "wipe", reasons: ["role_forbids"] }]);
    expect(note.decisions[0]).toMatchObject({ tool: "wipe", effect: "deny", observed: true });
    const [wipe, edit] = await gate.decisions();
    expect(wipe).toMatchObject({ effect: "deny", disposition: "released", observed: true });
    expect(codes(wipe)).toEqual(["not_offered", "role_forbids"]);
    expect(edit).toMatchObject({ effect: "confirm", disposition: "asked" });
    expect(edit).not.toHaveProperty("observed");
  });

  it("is enforced where it says so in a policy that observes", async () => {
    const upstream = [says({ calls: [call("c1", "wipe"), call("c2", "edit")] })];
    const strict = { ...base, enforce: "observe", tools: { ...tools, wipe: { ...tools.wipe, enforce: "on" } } };
    const gate = await gateway({ policy: strict, upstream });
    const { calls } = await ask(gate, { messages: [user("hi")], tools: offered });
    expect(toolsOf(gate.sent[0])).toEqual(["look", "edit"]);
    expect(calls.map(({ name }) => name)).toEqual(["edit"]);
  });

  it("is no client's choice: a glob observes no tool that is not listed", async () => {
    const gate = await gateway({
      policy: { ...base, unlistedTools: "deny", tools: { ...tools, "x_*": { enforce: "observe" } } },
      upstream: [says({ calls: [call("c1", "x_any")] }), says({ text: "no" })],
    });
    const { calls } = await ask(gate, { messages: [user("hi")], tools: [tool("x_any")] });
    expect(calls).toEqual([]);
  });
});

describe("a policy that observes", () => {
  it("asks nobody, counts what it lets through, and says of each call what it would be", async () => {
    const gate = await gateway({
      policy: { ...base, enforce: "observe" },
      upstream: says({ calls: [call("c1", "edit"), call("c2", "edit"), call("c3", "look")] }),
    });
    const { calls, note } = await ask(gate, { messages: [user("hi")], tools: offered });
    expect(calls.map(({ id }) => id)).toEqual(["c1", "c2", "c3"]);
    expect(note.stop_reason).toBe("completed");
    const decisions = await gate.decisions();
    expect(decisions.map((row) => [row.effect, codes(row)])).toEqual([
      ["confirm", ["confirmation_required"]],
      ["deny", ["rate_limited"]],
      ["allow", []],
    ]);
    expect(await gate.approvals()).toEqual([]);
  });

  it("refuses no `tool_choice`", async () => {
    const gate = await gateway({
      policy: { ...base, enforce: "observe" },
      upstream: says({ calls: [call("c1", "wipe")] }),
    });
    const choice = { type: "function", function: { name: "wipe" } };
    const { status, calls } = await ask(gate, { messages: [user("hi")], tools: offered, tool_choice: choice });
    expect([status, calls.length]).toEqual([200, 1]);
    expect(gate.sent[0]?.tool_choice).toEqual(choice);
  });
});
