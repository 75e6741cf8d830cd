/** A call that is decided by its link, as the conversation goes on with it. */
import { expect, it, vi } from "vitest";
import { signLink } from "../../../../src/approvals/link-token.ts";
import { parseKeyRing } from "../../../../src/lib/key-ring.ts";
import { asked, asking, chat, done, edits, hi, says1, session, tools } from "../../approvals/approvals.ts";
import type { Gateway } from "../../support/gateway.ts";
import { ask } from "../../support/script.ts";

const SIGNING_KEYS = `k1:${"a1".repeat(16)}`;
const linked = { variables: { SIGNING_KEYS } };

/** Opens the link of the one call that waits, as soon as there is one, and presses a button of its page. */
async function press(gate: Gateway, form: Record<string, string>): Promise<string> {
  const keys = parseKeyRing(SIGNING_KEYS, "signing key");
  if (!keys.ok) throw new Error(keys.error);
  const approval = await vi.waitFor(async () => {
    const waiting = await gate.guard.approvals.list({ status: "pending", limit: 1, order: "asc" });
    if (!waiting.data[0]) throw new Error("nothing waits yet");
    return waiting.data[0];
  }, 10_000);
  const { id, expiresAt } = approval;
  const link = `/approve/${signLink(keys.value, { approval: id, tenant: gate.tenant, user: gate.user, expiresAt })}`;
  const page = await (await gate.fetch(link)).text();
  const body = new URLSearchParams(form);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  await gate.fetch(link, { method: "POST", body: body.toString(), headers });
  return page;
}

it("approved by link, a held reply hands the call over by itself", async () => {
  const gate = await asking([says1(edits())], {}, linked);
  const replying = ask(gate, { messages: [hi], tools }, { ...session, "x-toolgate-approvals": "hold" });
  expect(await press(gate, { action: "approve" })).toContain("Gadamer");
  const reply = await replying;
  expect(reply.calls).toMatchObject([{ id: "c1", name: "edit_note" }]);
  expect(gate.sent.length).toBe(1);
});

it("denied by link, the model of a held reply is told, with the reason", async () => {
  const gate = await asking([says1(edits()), done], {}, linked);
  const replying = ask(gate, { messages: [hi], tools }, { ...session, "x-toolgate-approvals": "hold" });
  await press(gate, { action: "deny", reason: "not that note" });
  expect((await replying).calls).toEqual([]);
  expect(JSON.stringify(gate.sent[1])).toContain("not that note");
});

it("approved by link, a call that the chat asks about runs when the user says to continue, as the page tells", async () => {
  const gate = await asking([says1(edits())], {}, linked);
  const talk = chat(gate, { tools });
  expect(asked(await talk.say("please change my note")).length).toBe(1);
  await press(gate, { action: "approve" });
  const reply = await talk.say("continue");
  expect(reply.calls).toMatchObject([{ id: "c1", name: "edit_note" }]);
  expect(gate.sent.length).toBe(1);
});
