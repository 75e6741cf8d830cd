/** A policy that changes between the question and the answer: what the person was told is what the answer is to. */
import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { putPolicy } from "../../../src/stores/policies/policy-source.ts";
import { type Gateway, tool } from "../support/gateway.ts";
import { ask, call, result, user } from "../support/script.ts";
import { managed, policy as managedPolicy, tools as managedTools } from "../tools/managed.ts";
import { asked, asking, chat, done, edits, policy, reasonsOf, says1, session } from "./approvals.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** The isolate keeps a policy for a while: it is later then. */
async function replaced(gate: Gateway, document: unknown): Promise<void> {
  const start = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: start + 300_000 });
  await putPolicy(env.KV, gate.tenant, document, start);
}

describe("a call that waits", () => {
  it.each([
    ["is sent elsewhere now", { category: "external", destination: "ACME" }],
    ["is sent to another place now", { category: "modification", destination: "ACME" }],
    ["could not be undone, the person was told, and can be", { category: "modification", reversible: true }],
  ])("and %s is not released by the answer to the old question", async (_, settings) => {
    const gate = await asking([says1(edits()), done]);
    const talk = chat(gate);
    await talk.say("please change my note");
    await replaced(gate, { ...policy, tools: { ...policy.tools, edit_note: settings } });
    const yes = await talk.say("yes");
    expect([yes.calls, reasonsOf(yes), yes.text]).toEqual([[], [["approval_mismatch"]], "Done."]);
  });
});

describe("an edit of a call that waits", () => {
  it("holds nothing that the policy has come to deny outright: it is told so, and the question stands", async () => {
    const attack = "../../../etc/passwd";
    const gate = await asking([says1(edits("c1", { title: attack }))]);
    const talk = chat(gate);
    const question = await talk.say("please change my note");
    expect(asked(question)[0]?.asks).toContain("arguments_suspicious");
    await replaced(gate, { ...policy, injection: { action: "deny" } });
    const wrong = await talk.say(`edit title=${attack}`);
    expect([wrong.calls, wrong.note.stop_reason]).toEqual([[], "awaiting_approval"]);
    const { calls } = await talk.say("edit title=Ricoeur");
    expect(calls).toMatchObject([{ arguments: '{"title":"Ricoeur","private":true}' }]);
  });
});

describe("a client's call that waits", () => {
  it("does not run as the gateway's, with an argument in place of the one that the person saw", async () => {
    const { run: _run, ...own } = managedTools.create_lead;
    const made = says1(call("c", "create_lead", { name: "eve", owner: "bob" }));
    const old = managedPolicy({ tools: { ...managedTools, create_lead: own } });
    const { gate, asked: reached } = await managed({ policy: old, upstream: [made, done] });
    const tools = [tool("create_lead", own.parameters)];
    const hi = user("please create it");
    const question = await ask(gate, { messages: [hi], tools }, session);
    await replaced(gate, managedPolicy());
    const yes = await ask(gate, { messages: [hi, question.message, user("yes")] }, session);
    expect([reached, reasonsOf(yes)]).toEqual([[], [["approval_mismatch"]]]);
  });
});

describe("a grant", () => {
  it("is for what the person was told the tool is: where that has changed since, it is asked again", async () => {
    const gate = await asking([says1(edits()), done, says1(edits("c2")), done, says1(edits("c3"))]);
    const talk = chat(gate);
    await talk.say("please change my note");
    await talk.say("always");
    await talk.bring(result("c1"));
    expect((await talk.say("please change it again")).calls).toHaveLength(1);
    await talk.bring(result("c2"));
    const destination = { category: "modification", destination: "ACME" };
    await replaced(gate, { ...policy, tools: { ...policy.tools, edit_note: destination } });
    const third = await talk.say("please change it once more");
    expect([third.calls, asked(third)]).toMatchObject([[], [{ tool: "edit_note" }]]);
  });
});

describe("a first use that was consented to for this session", () => {
  it("is none for every session where the policy came to keep consents since", async () => {
    const tools = { edit_note: { ...policy.tools.edit_note, firstTime: true } };
    const gates = (persistApprovals: boolean) => ({ ...policy, tools, gates: { persistApprovals } });
    const gate = await asking([says1(edits()), done], gates(false));
    const talk = chat(gate);
    expect(asked(await talk.say("please change my note"))[0]?.asks).toContain("first_use");
    await replaced(gate, gates(true));
    expect((await talk.say("yes always")).calls).toHaveLength(1);
    expect(await gate.guard.gates.list()).toMatchObject([{ tool: "edit_note", session: "s" }]);
  });
});
