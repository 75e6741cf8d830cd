/** What people always answer with a yes is proposed as a rule, and what no intent took as an example, from the trail itself. */
import { expect, it } from "vitest";
import { gateway, tool } from "../support/gateway.ts";
import { ask, call, says, selects, user } from "../support/script.ts";

interface Suggested {
  readonly data: readonly { readonly tool: string; readonly approved: number; readonly set: unknown }[];
}

it("proposes to ask less of a tool after ten questions that were answered yes, to operators alone", async () => {
  const policy = { tools: { edit: { category: "modification" } }, handshake: { select: "off" } };
  const upstream = Array.from({ length: 10 }, (_, at) => says({ calls: [call(`c${at}`, "edit", { size: at })] }));
  const gate = await gateway({ policy, upstream });
  const edit = tool("edit", { type: "object", properties: { size: { type: "integer" } } });
  const suggested = async () => {
    await gate.turns();
    const key = await gate.keyFor("boss", "admin");
    const response = await gate.fetch(`/admin/policies/${gate.tenant}/suggestions`, { key });
    return ((await response.json()) as Suggested).data;
  };
  for (let at = 0; at < 10; at++) {
    if (at === 9) expect(await suggested()).toEqual([]);
    const headers = { "x-toolgate-session": `s${at}` };
    const { note } = await ask(gate, { messages: [user(`edit number ${at}`)], tools: [edit] }, headers);
    const [approval] = (note as unknown as { approvals: readonly { id: string }[] }).approvals;
    const answered = await gate.fetch(`/v1/approvals/${approval?.id}`, { json: { action: "approve" } });
    expect(answered.status).toBe(200);
  }
  expect(await suggested()).toMatchObject([{ tool: "edit", approved: 10, set: { confirm: "ungrounded" } }]);
  expect((await gate.fetch(`/admin/policies/${gate.tenant}/suggestions`)).status).toBe(403);
});

it("keeps a message that no intent took and the model named one for, where the policy says so and else none", async () => {
  const hidden = { send: { category: "external", redact: ["text"] } };
  const cases = [
    { audit: { logMissedMessages: true }, more: {}, keeps: true },
    { audit: { logMissedMessages: false }, more: {}, keeps: false },
    { audit: { logMissedMessages: true, logToolCalls: false }, more: {}, keeps: false },
    { audit: { logMissedMessages: true }, more: hidden, keeps: false },
  ];
  for (const { audit, more, keeps } of cases) {
    const policy = {
      audit,
      tools: { edit: { category: "modification" }, look: { category: "read_only" }, ...more },
      intents: { EDIT: { keywords: ["edit"], tools: ["edit"] } },
    };
    const named = says({ calls: [selects("EDIT")] });
    const upstream = [
      named,
      says({ text: "ok" }),
      named,
      says({ text: "ok" }),
      says({ text: "ok" }),
      says({ text: "ok" }),
    ];
    const gate = await gateway({ policy, upstream });
    const words = ["make it blue, please", "make it blue, please", "edit the page", "what is blue"];
    for (const [at, text] of words.entries())
      await ask(
        gate,
        { messages: [user(text)], tools: [tool("edit"), tool("look")] },
        { "x-toolgate-session": `s${at}` },
      );
    const turns = await gate.turns();
    const path = `/admin/policies/${gate.tenant}/missed-messages`;
    const listed = await gate.fetch(path, { key: await gate.keyFor("boss", "admin") });
    const { data } = (await listed.json()) as { readonly data: readonly unknown[] };
    const kept = { object: "missed_message", message: words[0], intent: "EDIT", turns: 2, users: 1 };
    expect(data).toMatchObject(keeps ? [kept] : []);
    expect(JSON.stringify(turns).includes("blue")).toBe(keeps);
    expect((await gate.fetch(path)).status).toBe(403);
  }
});

it("keeps each message with what was heard in it marked, where the policy says so and else none", async () => {
  for (const { audit, keeps } of [
    { audit: { logMessages: true }, keeps: true },
    { audit: { logMessages: true, logToolCalls: false }, keeps: false },
    { audit: {}, keeps: false },
  ]) {
    const policy = {
      audit,
      tools: { edit: { category: "modification" } },
      intents: { EDIT: { keywords: ["edit"], tools: ["edit"] } },
    };
    const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
    await ask(gate, { messages: [user("please edit the blue page")], tools: [tool("edit")] });
    const turns = (await gate.turns()) as unknown as readonly { readonly detection: { readonly words?: unknown } }[];
    const words = [{ text: "please " }, { text: "edit", heard: ["EDIT"] }, { text: " the blue page" }];
    expect(turns[0]?.detection.words).toEqual(keeps ? words : undefined);
    expect(JSON.stringify(turns).includes("blue")).toBe(keeps);
  }
});
