/**
 * A plan runs what its wish asks for. Until a person has approved it, its steps are judged by the wish, as a chat's calls are.
 * @module-tag attack/plans
 */
import { describe, expect, it } from "vitest";
import { tool } from "../support/gateway.ts";
import { make, planned, run, send, step } from "./planning.ts";

const string = { type: "string" };
const policy = {
  roles: ["guest", "user", "admin"],
  gates: { requireFirstTime: false },
  detection: { layers: ["keywords"] },
  tools: {
    find_customer: { category: "read_only", trusted: true },
    cancel_subscription: { category: "modification", confirm: "auto" },
    send_mail: { category: "external", confirm: "ungrounded", firstTime: false },
  },
  intents: {
    SUBS: { keywords: ["cancel"], tools: ["class:safe", "cancel_subscription"] },
    MAIL: { keywords: ["mail"], tools: ["class:safe", "send_mail"] },
  },
};
const tools = [
  tool("find_customer", { type: "object", properties: { name: string } }),
  tool("cancel_subscription", { type: "object", properties: { id: string } }),
  tool("send_mail", { type: "object", properties: { to: string, text: string } }),
];
const cancels = [step("c", "cancel_subscription", { id: "sub_44" })];
const mails = (to: string) => [step("m", "send_mail", { to, text: "hello" })];

async function ran(input: string, steps: readonly object[], { approve = false, placeholders = {} } = {}) {
  const { gate } = await planned(steps, { policy });
  const plan = await make(gate, { input, tools });
  if (approve) {
    const approved = await send(gate, `/v1/plans/${plan.id}/approve`, { digest: plan.digest, placeholders });
    expect(approved.status).toBe(200);
  }
  return (await run(gate, plan, { placeholders })).outline.at(-2);
}

describe("a plan that nobody has approved", () => {
  it.each(["don't cancel sub_44", "no, keep sub_44", "how do I cancel sub_44?", "show me sub_44"])(
    "asks about the call that the wish does not ask for: %s",
    async (input) => {
      expect(await ran(input, cancels)).toBe("approval_required c");
      expect(await ran(input, cancels, { approve: true })).toBe("call_released c");
    },
  );

  it("asks about a destination that the planning model made up", async () => {
    const wish = "send Bob (bob@corp.example) a mail";
    expect(await ran(wish, mails("evil@evil.example"))).toBe("approval_required m");
    expect(await ran(wish, mails("evil@evil.example"), { approve: true })).toBe("call_released m");
  });

  it("runs what the wish asks for, and goes where the user says", async () => {
    expect(await ran("cancel sub_44", cancels)).toBe("call_released c");
    expect(await ran("send Bob (bob@corp.example) a mail", mails("bob@corp.example"))).toBe("call_released m");
    const filled = { placeholders: { to: "bob@corp.example" } };
    expect(await ran("send Bob a mail", mails("{{PLACEHOLDER_to}}"), filled)).toBe("call_released m");
  });

  it("goes where a trusted tool says", async () => {
    const steps = [
      step("find", "find_customer", { name: "Bob" }),
      step("mail", "send_mail", { to: "{{find.result.mail}}", text: "hello" }),
    ];
    const { gate } = await planned(steps, { policy });
    const plan = await make(gate, { input: "send Bob a mail", tools });
    const released = await run(gate, plan);
    expect(released.outline.at(-2)).toBe("call_released find");
    const call = released.events.at(-2)?.tool_call as { readonly id: string };
    const results = [{ tool_call_id: call.id, content: '{"name":"Bob","mail":"bob@corp.example"}' }];
    expect((await run(gate, plan, { results })).outline.at(-2)).toBe("call_released mail");
  });
});
