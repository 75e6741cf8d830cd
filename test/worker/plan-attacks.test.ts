/** What somebody might try through a plan that a chat would not let them. */
import { describe, expect, it } from "vitest";
import { tool } from "./gateway.ts";
import { make, planned, policy, run, send, step, tools } from "./planning.ts";

const format = tools.read_clipboard.parameters;
const clipboard = tool("read_clipboard", format);
const copy = step("copy", "read_clipboard", { format: "{{PLACEHOLDER_format}}" });

describe("a call that was released", () => {
  it("is told again as it was decided, whatever is filled in since", async () => {
    const { gate } = await planned([copy], { policy: policy({}, { read_clipboard: { category: "modification" } }) });
    const plan = await make(gate, { tools: [clipboard] });
    const values = { placeholders: { format: "text" } };
    const approved = await send(gate, `/v1/plans/${plan.id}/approve`, { digest: plan.digest, ...values });
    expect(approved.status).toBe(200);
    const first = await run(gate, plan);
    expect(first.outline.at(-2)).toBe("call_released copy");
    const again = await run(gate, plan, { placeholders: { format: "$(rm -rf /)" } });
    expect(again.outline).toEqual(["plan_generated", "call_released copy", "plan_paused"]);
    expect(again.events.at(-2)?.tool_call).toEqual(first.events.at(-2)?.tool_call);
  });

  it("is not told again once the consent to it was withdrawn", async () => {
    const { gate } = await planned([copy], { policy: policy({}, { read_clipboard: { category: "external" } }) });
    const plan = await make(gate, { tools: [clipboard] });
    await send(gate, "/v1/gates/read_clipboard");
    expect((await run(gate, plan)).outline.at(-2)).toBe("call_released copy");
    expect((await gate.fetch("/v1/gates/read_clipboard", { method: "DELETE" })).status).toBeLessThan(300);
    const again = await run(gate, plan);
    expect([again.outline, again.last?.waits_for]).toEqual([["plan_generated", "plan_paused"], "client"]);
  });
});
