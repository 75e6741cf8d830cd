/** What an admin takes back from a user of the tenant: one grant, one consent, or all with every session. */
import { expect, it } from "vitest";
import { asked, asking, chat, done, edits, policy, reasonsOf, says1, tools } from "../approvals/approvals.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { ask, result, user } from "../support/script.ts";

interface Body {
  readonly data: readonly { readonly id: string; readonly tool: string }[];
}

async function operating(gate: Gateway) {
  const key = await gate.keyFor("boss", "admin");
  return async (method: string, path: string, other = key) => {
    const response = await gate.fetch(`/v1/users/${gate.user}${path}`, { method, key: other });
    return { status: response.status, body: (await response.json()) as Body & Record<string, unknown> };
  };
}

const firstUse = { ...policy, tools: { ...policy.tools, edit_note: { ...policy.tools.edit_note, firstTime: true } } };

/** A conversation in which the user has allowed every later call of `edit_note`. */
async function allowing(more: Record<string, unknown> = {}) {
  const gate = await asking([says1(edits()), done, says1(edits("c2")), says1(edits("c3"))], more);
  const talk = chat(gate);
  await talk.say("please change my note");
  await talk.say("always");
  await talk.bring(result("c1"));
  return { gate, talk, operate: await operating(gate) };
}

it("withdraws a grant, and the next call is asked about again", async () => {
  const { gate, talk, operate } = await allowing();
  const { body } = await operate("GET", "/grants");
  expect(body.data.map(({ tool }) => tool)).toEqual(["edit_note"]);
  expect((await operate("DELETE", `/grants/${body.data[0]?.id}`)).status).toBe(200);
  expect((await operate("DELETE", `/grants/${body.data[0]?.id}`)).status).toBe(404);
  expect(asked(await talk.say("please change it again"))).toHaveLength(1);
  await gate.turns();
  const trail = await gate.fetch("/v1/audit/resets", { key: await gate.keyFor("boss", "admin") });
  expect(((await trail.json()) as Body).data).toMatchObject([
    { object: "audit.reset", event: "grant_withdrawn", subject: body.data[0]?.id, user: gate.user, by: "boss" },
  ]);
});

it("withdraws the consents to a tool", async () => {
  const { operate } = await allowing({ ...firstUse, gates: { persistApprovals: true } });
  await operate("POST", "/reset");
  expect((await operate("GET", "/gates")).body.data).toEqual([]);
  expect((await operate("DELETE", "/gates/edit_note")).status).toBe(404);
});

it("resets a user: what waits is cancelled, what was allowed is not any more, and the trail holds", async () => {
  const { gate, talk, operate } = await allowing();
  const other = { "x-toolgate-session": "other" };
  const question = await ask(gate, { messages: [user("send a mail")], tools }, other);
  expect(question.status).toBe(200);
  const { body } = await operate("POST", "/reset");
  expect(body).toMatchObject({ object: "user.reset", user: gate.user, sessions: 2, grants: 1, consents: 0 });
  expect((await operate("GET", "/grants")).body.data).toEqual([]);
  expect((await gate.fetch("/v1/sessions/s")).status).toBe(404);
  const late = await talk.say("please change it again");
  expect([late.calls, reasonsOf(late)[0]]).toEqual([[], ["confirmation_required"]]);
  await gate.turns();
  const boss = await gate.keyFor("boss", "admin");
  const verified = await gate.fetch(`/v1/audit/verify?user=${gate.user}`, { key: boss });
  expect(await verified.json()).toMatchObject({ ok: true });
});

it("is for admins of the tenant, and of somebody whom nobody knows there is nothing to reset", async () => {
  const { gate, operate } = await allowing();
  for (const [method, path] of [
    ["GET", "/grants"],
    ["GET", "/gates"],
    ["DELETE", "/grants/grant_1"],
    ["DELETE", "/gates/edit_note"],
    ["POST", "/reset"],
  ] as const)
    expect((await operate(method, path, gate.key)).status).toBe(403);
  const other = await gateway({ policy });
  const elsewhere = await other.keyFor("boss", "admin");
  expect((await operate("POST", `/reset?tenant=${gate.tenant}`, elsewhere)).status).toBe(403);
  const nobody = await other.fetch("/v1/users/nobody/reset", { method: "POST", key: elsewhere });
  expect(await nobody.json()).toMatchObject({ sessions: 0, grants: 0, consents: 0 });
});
