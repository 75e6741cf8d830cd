/** The policy's own conditions on arguments, through the whole gateway. */
import { describe, expect, it } from "vitest";
import { type GatewayOptions, gateway } from "../support/gateway.ts";
import { ask, call, says, user } from "../support/script.ts";

const parameters = {
  type: "object",
  properties: { amount: { type: "number" }, to: { type: "string" }, pin: { type: "string" } },
};
const tools = [{ type: "function", function: { name: "refund", description: "Pay back", parameters } }];
const above = (limit: number) => ({ properties: { amount: { exclusiveMinimum: limit } }, required: ["amount"] });
const MANAGER = "refunds above 500 need a manager";
const CAREFUL = "refunds above 100 are looked at";
const conditions = [
  { if: above(100), effect: "ask", say: CAREFUL },
  { if: above(500), roles: ["user"], effect: "deny", say: MANAGER },
];

interface Setting {
  readonly args: Record<string, unknown>;
  readonly tool?: Record<string, unknown>;
  readonly policy?: Record<string, unknown>;
  readonly options?: GatewayOptions;
  readonly definitions?: readonly unknown[];
}

/** The model pays back, and says something once it is refused. */
async function pay({ args, tool = {}, policy = {}, options = {}, definitions = tools }: Setting) {
  const refund = { category: "modification", confirm: "auto", conditions, ...tool };
  const gate = await gateway({
    policy: { tools: { refund }, handshake: { select: "off" }, ...policy },
    upstream: [says({ calls: [call("c1", "refund", args)] }), says({ text: "I see." })],
    ...options,
  });
  const messages = [user("pay it back")];
  return { gate, messages, answer: await ask(gate, { messages, tools: definitions }) };
}

const codesOf = ({ answer }: { readonly answer: Awaited<ReturnType<typeof ask>> }) =>
  answer.note.decisions.map(({ effect, reasons }) => [effect, ...reasons.map(({ code }) => code)]);
const codeIn = (text: string) => /⟦\W*([A-Za-z2-9]{4})\W*⟧/.exec(text)?.[1] ?? "";

describe("a condition on arguments", () => {
  it("that refuses tells the model in the policy's words, and the record", async () => {
    const done = await pay({ args: { amount: 501 } });
    expect(codesOf(done)).toEqual([["deny", "condition_denies"]]);
    expect(done.answer.calls).toEqual([]);
    const refusal = JSON.stringify(done.gate.sent[1]?.messages);
    expect(refusal).toContain(`tool_policy_blocked: \`refund\` may not be called with these arguments: ${MANAGER}`);
    const [row] = await done.gate.decisions();
    expect(row).toMatchObject({ effect: "deny", reasons: [{ code: "condition_denies", say: [MANAGER] }] });
  });

  it("that refuses tells the user too, unless the model has", async () => {
    const done = await pay({ args: { amount: 501 } });
    expect(done.answer.text).toBe(
      `I see.\n\nToolgate: the policy refuses \`refund\` with these arguments: ${MANAGER}.`,
    );
    const told = `I cannot: ${MANAGER}.`;
    const upstream = [says({ calls: [call("c1", "refund", { amount: 501 })] }), says({ text: told })];
    expect((await pay({ args: {}, options: { upstream } })).answer.text).toBe(told);
  });

  it("that asks asks a person in the policy's words, and a yes releases the call", async () => {
    const { gate, messages, answer } = await pay({ args: { amount: 200 } });
    expect(codesOf({ answer })).toEqual([["confirm", "condition_asks", "confirmation_required"]]);
    expect(answer.text).toContain(CAREFUL);
    const later = [...messages, answer.message, user(`yes ${codeIn(answer.text)}`)];
    const yes = await ask(gate, { messages: later, tools });
    expect(yes.calls.map(({ name }) => name)).toEqual(["refund"]);
  });

  it.each([
    ["does not hold", { amount: 100 }, "user"],
    ["is about an argument that is not there", { to: "ann" }, "user"],
  ])("that %s changes nothing", async (_, args, role) => {
    const done = await pay({ args, options: { role } });
    expect(codesOf(done)).toEqual([["allow"]]);
  });

  it("holds for callers in its roles", async () => {
    const done = await pay({ args: { amount: 501 }, options: { role: "admin" } });
    expect(codesOf(done)).toEqual([["confirm", "condition_asks", "confirmation_required"]]);
  });

  it("holds in its modes", async () => {
    const policy = { modes: { default: {}, night: {} } };
    const tool = { conditions: [{ if: above(0), modes: ["night"], effect: "deny", say: "nobody pays at night" }] };
    expect(codesOf(await pay({ args: { amount: 1 }, policy, tool }))).toEqual([["allow"]]);
    const gate = await gateway({
      policy: { ...policy, handshake: { select: "off" }, tools: { refund: { confirm: "auto", ...tool } } },
      upstream: [says({ calls: [call("c1", "refund", { amount: 1 })] }), says({ text: "No." })],
    });
    const answer = await ask(gate, { messages: [user("pay")], tools }, { "x-toolgate-mode": "night" });
    expect(codesOf({ answer })).toEqual([["deny", "condition_denies"]]);
  });

  it("of a group holds for a tool that has conditions of its own", async () => {
    const group = { conditions: [{ if: { required: ["to"] }, effect: "deny", say: "no names" }] };
    const refund = { category: "modification", confirm: "auto", conditions };
    const policy = { tools: { "category:modification": group, refund } };
    expect(codesOf(await pay({ args: { amount: 1, to: "ann" }, policy }))).toEqual([["deny", "condition_denies"]]);
  });

  it("is judged on the arguments that run: the schema's defaults are among them", async () => {
    const withDefault = { ...parameters, properties: { amount: { type: "number", default: 501 } } };
    const definitions = [{ type: "function", function: { name: "refund", parameters: withDefault } }];
    expect(codesOf(await pay({ args: {}, definitions }))).toEqual([["deny", "condition_denies"]]);
  });

  it("denies what it cannot check", async () => {
    const endless = { $ref: "#" };
    const tool = { conditions: [{ if: endless, effect: "ask", say: "never" }] };
    const done = await pay({ args: { amount: 1 }, tool });
    expect(codesOf(done)).toEqual([["deny", "arguments_invalid"]]);
  });

  it("is not answered by a grant", async () => {
    const { gate, messages, answer } = await pay({ args: { amount: 200 }, tool: { confirm: "ask" } });
    const later = [...messages, answer.message, user(`always ${codeIn(answer.text)}`)];
    const first = await ask(gate, { messages: later, tools });
    expect(first.calls.length).toBe(1);
    const again = await gateway({
      policy: { tools: { refund: { confirm: "ask", trusted: true, conditions } }, handshake: { select: "off" } },
      upstream: [50, 200].map((amount) => says({ calls: [call("c1", "refund", { amount })] })),
    });
    const grant = await ask(again, { messages: [user("pay 50")], tools });
    const granted = [user("pay 50"), grant.message, user(`always ${codeIn(grant.text)}`)];
    const released = await ask(again, { messages: granted, tools });
    expect(released.calls.length).toBe(1);
    const next = [...granted, released.message, { role: "tool", tool_call_id: "c1", content: "ok" }, user("pay 200")];
    const asked = await ask(again, { messages: next, tools });
    expect(codesOf({ answer: asked })).toEqual([["confirm", "condition_asks"]]);
  });

  it("shows no value that the policy redacts", async () => {
    const tool = {
      redact: ["pin"],
      conditions: [{ if: { required: ["pin"] }, effect: "ask", say: "the pin {{pin}} is used" }],
    };
    const { gate, answer } = await pay({ args: { pin: "4711" }, tool });
    expect(answer.text).toContain("The policy asks about this: the pin \\{\\{pin\\}\\} is used.");
    expect(JSON.stringify(await gate.decisions())).not.toContain("4711");
  });
});

describe("a person who edits a call", () => {
  const asked = async (amount: number, tool: Record<string, unknown> = {}, confirmation: object = {}) => {
    const done = await pay({ args: { amount }, tool: { confirm: "ask", ...tool }, policy: { confirmation } });
    const edit = (value: number) =>
      ask(done.gate, {
        messages: [...done.messages, done.answer.message, user(`edit amount=${value}`)],
        tools,
      });
    return { ...done, edit };
  };

  it("cannot edit it past a condition that refuses, and reads why", async () => {
    const { edit, gate } = await asked(50);
    const refused = await edit(900);
    expect(refused.calls).toEqual([]);
    expect(refused.text).toContain(MANAGER);
    expect((await gate.approvals()).map(({ event }) => event)).toEqual(["asked"]);
  });

  it("cannot edit it into a condition that the question did not name", async () => {
    const { edit } = await asked(50);
    const refused = await edit(200);
    expect(refused.calls).toEqual([]);
    expect(refused.text).toContain(CAREFUL);
  });

  it("may edit it within the condition that the question named", async () => {
    const { edit } = await asked(200);
    expect((await edit(300)).calls.map(({ arguments: args }) => JSON.parse(args))).toEqual([{ amount: 300 }]);
  });

  it.each([
    [200, 900, 400],
    [50, 200, 400],
    [200, 300, 200],
  ])("through the API, %i to %i: status %i", async (from, to, status) => {
    const { gate } = await asked(from, { conditions: conditions.map(({ roles: _, ...one }) => one) });
    const listed = (await (await gate.fetch("/v1/approvals")).json()) as { data: { id: string }[] };
    const json = { action: "edit", arguments: { amount: to } };
    const reply = await gate.fetch(`/v1/approvals/${listed.data[0]?.id}`, { json });
    expect(reply.status).toBe(status);
    if (status === 400) expect(await reply.text()).toContain(to > 500 ? MANAGER : CAREFUL);
  });

  it.each([
    ["who is asked, at once", "user", 400],
    ["an admin, who need not know the role, when it is to run", "admin", 200],
  ])("through the API past a condition of a role is refused to %s", async (_who, role, status) => {
    const roled = conditions.map((one) => ({ ...one, roles: ["user"] }));
    const { gate, messages, answer } = await asked(50, { conditions: roled }, { approvers: "userOrOperator" });
    const [{ id } = { id: "" }] = (answer.note as unknown as { approvals: { id: string }[] }).approvals;
    // Admins find it in the trail.
    await gate.decisions();
    const json = { action: "edit", arguments: { amount: 900 } };
    const key = role === "admin" ? { key: await gate.keyFor("boss", "admin") } : {};
    const reply = await gate.fetch(`/v1/approvals/${id}`, { json, ...key });
    expect(reply.status).toBe(status);
    if (status === 400) {
      expect(await reply.text()).toContain(MANAGER);
      return;
    }
    const end = await ask(gate, { messages: [...messages, answer.message, user("continue")], tools });
    expect(end.calls).toEqual([]);
    expect(end.note.decisions.map(({ reasons }) => reasons.map(({ code }) => code))).toEqual([["condition_denies"]]);
  });
});
