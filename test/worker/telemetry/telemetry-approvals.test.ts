import { describe, expect, it } from "vitest";
import { asked, asking, done, edits, hi, says1, session, tools } from "../approvals/approvals.ts";
import type { Gateway } from "../support/gateway.ts";
import { ask } from "../support/script.ts";
import { captureLog } from "./capture-log.ts";

const secret = "hunter2-hunter2";
const body = { messages: [hi], tools };

/** A person refuses the one call that waits, as soon as it does, and says why. */
async function refuse({ guard }: Gateway): Promise<string> {
  const [waits] = (await guard.approvals.changes(0, 10_000)).data;
  if (!waits) throw new Error("no approval was asked for");
  await guard.approvals.answer(waits.id, { action: "deny", via: "api", by: "ada", reason: secret });
  return waits.id;
}

describe("the log's line for a turn that asks a person", () => {
  it("tells which approval was asked for and acted on, how, and how long the reply was held", async () => {
    const log = captureLog();
    const gate = await asking([says1(edits("c1", { title: secret })), done]);
    const replying = ask(gate, body, { ...session, "x-toolgate-approvals": "hold" });
    const approval = await refuse(gate);
    expect((await replying).text).not.toBe("");
    await gate.settle();
    const [line] = log.lines("turn");
    expect(line).toMatchObject({
      channel: "hold",
      decisions: [
        { tool: "edit_note", effect: "confirm", reasons: ["confirmation_required"], approval },
        { tool: "edit_note", effect: "deny", reasons: ["approval_denied"], approval },
      ],
      steps: 2,
      ms: { hold: expect.any(Number), total: expect.any(Number) },
    });
    const { hold = -1, total = -1 } = (line?.ms ?? {}) as { hold?: number; total?: number };
    expect(hold).toBeGreaterThanOrEqual(0);
    expect(total).toBeGreaterThanOrEqual(hold);
    // Neither the arguments nor what the person said.
    expect(log.text()).not.toContain(secret);
  });

  it("is of no hold where the turn ends with the question, and tells nothing of approvals where there is none", async () => {
    const log = captureLog();
    const gate = await asking([says1(edits()), done]);
    const reply = await ask(gate, body, session);
    await ask(gate, { messages: [hi, reply.message, { role: "user", content: "tell me a joke" }], tools }, session);
    await gate.settle();
    const [first, second] = log.lines("turn");
    expect(first).toMatchObject({
      channel: "inline",
      stop_reason: "awaiting_approval",
      decisions: [{ effect: "confirm", approval: asked(reply)[0]?.id }],
    });
    expect(first?.ms).not.toHaveProperty("hold");
    expect(second).not.toHaveProperty("channel");
  });
});
