/** Who answers a question above a limit: the person who is asked, or an admin; and how only an admin lets such a call run. */
import { describe, expect, it } from "vitest";
import { gateway } from "../support/gateway.ts";
import { toolDefinition } from "../support/mail-tools.ts";
import { ask, call, says, user } from "../support/script.ts";

const parameters = {
  type: "object",
  properties: { order_id: { type: "string" }, amount: { type: "number" } },
  required: ["order_id", "amount"],
};
const tools = [toolDefinition("refund_order", parameters)];
const large = { properties: { amount: { exclusiveMinimum: 500 } }, required: ["amount"] };
const hi = user("refund A-1042, 600");
const refund = says({ calls: [call("c1", "refund_order", { order_id: "A-1042", amount: 600 })] });

const open = (condition: object, confirmation: object = {}) =>
  gateway({
    policy: {
      handshake: { select: "off" },
      confirmation,
      tools: {
        refund_order: { category: "modification", confirm: "auto", conditions: [{ if: large, ...condition }] },
      },
    },
    upstream: [refund, says({ text: "It was refused." })],
  });

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe("a question above a limit, with `approvers: userOrOperator`", () => {
  const asking = () => open({ effect: "ask", say: "refunds above 500 need a look" }, { approvers: "userOrOperator" });

  it("is answered by the person who is asked", async () => {
    const gate = await asking();
    const question = await ask(gate, { messages: [hi], tools });
    expect(question.calls).toEqual([]);
    const yes = await ask(gate, { messages: [hi, question.message, user("yes")], tools });
    expect(yes.calls).toMatchObject([{ name: "refund_order" }]);
  });

  it("is answered by an admin of the tenant as well", async () => {
    const gate = await asking();
    const question = await ask(gate, { messages: [hi], tools });
    const [{ id } = { id: "" }] = (question.note as unknown as { approvals: { id: string }[] }).approvals;
    // Admins find it in the trail.
    await gate.decisions();
    const key = await gate.keyFor("boss", "admin");
    const json = { action: "approve" };
    expect((await gate.fetch(`/v1/approvals/${id}`, { method: "POST", json, key })).status).toBe(200);
    const after = await ask(gate, { messages: [hi, question.message, user("continue")], tools });
    expect(after.calls).toMatchObject([{ name: "refund_order" }]);
  });
});

describe("a condition that denies the call to all roles but admin", () => {
  it("lets an admin alone make it", async () => {
    const gate = await open({ roles: ["guest", "user", "premium"], effect: "deny", say: "only an admin refunds that" });
    const refused = await ask(gate, { messages: [hi], tools });
    expect(refused.calls).toEqual([]);
    expect((await gate.decisions("&tool=refund_order"))[0]?.reasons).toMatchObject([{ code: "condition_denies" }]);
    const own = await open({ roles: ["guest", "user", "premium"], effect: "deny", say: "only an admin refunds that" });
    const made = await ask(own, { messages: [hi], tools }, bearer(await own.keyFor("boss", "admin")));
    expect(made.calls).toMatchObject([{ name: "refund_order" }]);
  });
});
