/** What the object itself writes of approvals: asked, answered, released, refused, out of time. */
import { env, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Answer } from "../../../src/approvals/approval.ts";
import { createDeps } from "../../../src/create-deps.ts";
import { sha256Hex } from "../../../src/lib/digest.ts";
import { canonicalJson } from "../../../src/lib/json/canonical-json.ts";
import type { CallToDecide, DecideRequest } from "../../../src/ports/turns/decide-request.ts";
import type { UserGuardApis } from "../../../src/stores/guard/guard-apis.ts";
import { disclosureOf } from "../../support/disclosure.ts";
import { type Gateway, gateway } from "../support/gateway.ts";

/** Far enough ahead that no alarm rings by itself. */
const start = Date.now() + 200 * 24 * 3600_000;
const hour = 3600_000;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

const disclosure = disclosureOf({ tool: "send_mail", description: "Send a mail to bob" });
const args = JSON.stringify({ to: "bob", text: "hunter2" });
const recorded = { to: "bob", text: "[redacted]" };

const callOf = (id: string): CallToDecide => ({
  callId: id,
  tool: "send_mail",
  families: [],
  arguments: args,
  extra: undefined,
  recorded,
  disclosed: { firstUse: "", confirmation: "Send a mail to bob?" },
  digest: sha256Hex(canonicalJson(JSON.parse(args))),
  effect: "allow",
  reasons: [],
  counted: { windows: [], confirmation: {} },
  handshake: false,
});
const question = {
  channel: "hold",
  disclosure,
  schema: null,
  editable: true,
  grantable: true,
  expiresAt: start + hour,
} as const;
const yes: Answer = { action: "approve", via: "api", by: "ada", reason: null };
const no: Answer = { action: "deny", via: "link", by: "op", reason: "bob has left, says hunter2" };

/** A turn of one session that is open, as the Worker opens it. */
async function opened(gate: Gateway) {
  const principal = { tenant: gate.tenant, user: gate.user, role: "user", authenticated: true, connections: [] };
  const turn = `turn_${gate.tenant}`;
  const { session } = await gate.guard.turns.open({
    turn,
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
  // Cloudflare's types of remote calls know no `unknown`.
  const guard = gate.guard as unknown as UserGuardApis;
  const decide = (calls: readonly CallToDecide[], changes: Partial<DecideRequest> = {}) =>
    guard.turns.decide({
      turn,
      session,
      step: 1,
      auditContext: { role: "user", mode: "default", state: "action", intents: [], policy: "v1" },
      select: undefined,
      calls,
      ...changes,
    });
  const ask = async (ids: readonly string[], changes: Partial<DecideRequest> = {}) => {
    const decided = await decide(
      ids.map((id) => ({ ...callOf(id), question })),
      changes,
    );
    return decided.map(({ approval }) => approval?.id ?? "");
  };
  return { ask, decide };
}
const verified = async (gate: Gateway) => {
  const response = await gate.fetch("/v1/audit/verify?user=ada", { key: await gate.keyFor("op", "admin") });
  return (await response.json()) as Record<string, unknown>;
};
const { approvalIndex } = createDeps(env);
const statuses = async (gate: Gateway, now = Date.now()) => {
  const found = await approvalIndex.list(gate.tenant, { now, limit: 10, order: "asc" });
  return found.ok
    ? Object.fromEntries(found.value.data.map(({ question, status }) => [question.callId, status]))
    : found;
};

describe("the trail of approvals", () => {
  it("joins what was asked, what was answered and what was decided, and verifies", async () => {
    const gate = await gateway();
    const { ask, decide } = await opened(gate);
    const [a = "", b = "", c = ""] = await ask(["a", "b", "c"]);
    expect(await gate.approvals()).toMatchObject(
      [a, b, c].map((approval) => ({
        approval,
        event: "asked",
        channel: "hold",
        disclosure: expect.stringContaining("Send a mail to bob"),
      })),
    );
    expect(await statuses(gate)).toEqual({ a: "pending", b: "pending", c: "pending" });

    await gate.guard.approvals.answer(a, yes);
    await gate.guard.approvals.answer(b, no);
    const settled = await decide([
      { ...callOf("a"), approval: { id: a } },
      { ...callOf("b"), approval: { id: b } },
    ]);
    expect(settled.map(({ effect }) => effect)).toEqual(["allow", "deny"]);
    expect((await gate.approvals()).length).toBe(5);
    vi.setSystemTime(start + 2 * hour);
    // What nobody answered has expired before the object notes it.
    expect(await statuses(gate)).toEqual({ a: "approved", b: "denied", c: "expired" });
    await runInDurableObject(gate.stub, (instance) => instance.alarm());

    const records = await gate.approvals();
    expect(records.map(({ approval, event, via, by }) => [approval, event, via, by])).toEqual([
      ...[a, b, c].map((id) => [id, "asked", null, null]),
      [a, "approved", "api", "ada"],
      [b, "denied", "link", "op"],
      [c, "expired", null, null],
    ]);
    for (const [id, effects] of [
      [a, ["confirm", "allow"]],
      [b, ["confirm", "deny"]],
      [c, ["confirm"]],
    ] as const) {
      const decisions = await gate.decisions(`&approval=${id}`);
      expect(decisions.map(({ effect }) => effect)).toEqual(effects);
      expect(decisions[0]).toMatchObject({
        disposition: "asked",
        id: records.find((one) => one.approval === id)?.decision,
      });
    }
    expect(await verified(gate)).toMatchObject({ ok: true, waiting: 0 });
    expect(await statuses(gate)).toEqual({ a: "approved", b: "denied", c: "expired" });
  });

  it("has an approval that was never released, and a session that is gone, as cancelled", async () => {
    const gate = await gateway();
    const { ask } = await opened(gate);
    const [a = ""] = await ask(["a", "b"]);
    await gate.guard.approvals.answer(a, yes);
    await gate.guard.sessions.delete("s");
    const events = (await gate.approvals()).map(({ event }) => event);
    expect(events).toEqual(["asked", "asked", "approved", "cancelled", "cancelled"]);
    expect(await statuses(gate)).toEqual({ a: "cancelled", b: "cancelled" });
    expect(await verified(gate)).toMatchObject({ ok: true });
  });

  it.each([true, false])(
    "has what a person was told, and said, where the policy logs it: %s",
    async (logConfirmations) => {
      const gate = await gateway();
      const { ask, decide } = await opened(gate);
      const [a = ""] = await ask(["a"], { logConfirmations });
      await decide([{ ...callOf("a"), approval: { id: a, answer: no } }], { logConfirmations });
      const trail = JSON.stringify([await gate.approvals(), await gate.decisions()]);
      expect(trail.includes("Send a mail to bob")).toBe(logConfirmations);
      expect(trail.includes("bob has left")).toBe(logConfirmations);
      // Arguments are redacted in either case, and the answer is there.
      expect(trail).not.toContain('"text":"hunter2"');
      expect(await gate.approvals("&event=denied")).toMatchObject([{ by: "op", arguments: recorded }]);
      expect(await gate.decisions("&effect=deny")).toMatchObject([{ reasons: [{ code: "approval_denied" }] }]);
    },
  );
});
