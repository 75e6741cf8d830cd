/** Whole loops of the AI SDK with the gateway's turn inside. */
import { generateText, type ModelMessage, streamText, ToolLoopAgent } from "ai";
import { describe, expect, it } from "vitest";
import { type Desk, openDesk } from "../support/desk.ts";
import { calls, type ScriptedModel, says, toolNames } from "../support/scripted-model.ts";

const loop = [
  calls({ id: "a", tool: "read_file", input: { path: "a.ts" } }),
  calls({ id: "b", tool: "select_intent", input: { intents: ["EDIT"] } }),
  calls({ id: "c", tool: "write_file", input: { path: "a.ts", text: "two" } }),
  says("All is done."),
];

const whatRan = [
  ["read_file", { path: "a.ts" }],
  ["write_file", { path: "a.ts", text: "two" }],
];

function expectGoverned({ asked }: ScriptedModel): void {
  expect(asked.map(toolNames)).toEqual([
    ["read_file", "select_intent"],
    ["read_file", "select_intent"],
    ["read_file", "write_file", "delete_file", "select_intent"],
    ["read_file", "write_file", "delete_file", "select_intent"],
  ]);
}

const message = { role: "user", content: "Please edit a.ts" } as const;

describe("a loop over several steps", () => {
  it("runs with generateText", async () => {
    const { ran, script, settings, toolgate } = openDesk();
    script.script(...loop);
    const result = await generateText({ ...settings, messages: [message] });
    expect(result.text).toBe("All is done.");
    expect(ran).toEqual(whatRan);
    expectGoverned(script);
    const records = await toolgate.audit();
    expect(records.map(({ kind, tool, effect }) => [kind, tool, effect])).toEqual([
      ["decision", "read_file", "allow"],
      ["turn", undefined, undefined],
      ["decision", "select_intent", "allow"],
      ["decision", "write_file", "allow"],
      ["turn", undefined, undefined],
      ["turn", undefined, undefined],
    ]);
  });

  it("runs with streamText, and streams no call that the client does not get", async () => {
    const { ran, script, settings } = openDesk();
    script.script(...loop);
    const result = streamText({ ...settings, messages: [message] });
    const parts: string[] = [];
    for await (const part of result.fullStream) if (part.type === "tool-call") parts.push(part.toolName);
    expect(await result.text).toBe("All is done.");
    expect(ran).toEqual(whatRan);
    expect(parts).toEqual(["read_file", "write_file"]);
    expectGoverned(script);
  });

  it("runs with an agent", async () => {
    const { ran, script, settings } = openDesk();
    script.script(...loop);
    const result = await new ToolLoopAgent(settings).generate({ messages: [message] });
    expect(result.text).toBe("All is done.");
    expect(ran).toEqual(whatRan);
  });

  it("tells the model why a call is refused, and the client nothing of it", async () => {
    const { ran, script, settings } = openDesk();
    script.script(calls({ id: "a", tool: "delete_file", input: { path: "a.ts" } }), says("I may not."));
    const result = await generateText({ ...settings, messages: [message] });
    expect([result.text, ran, result.steps.length]).toEqual(["I may not.", [], 1]);
    expect(JSON.stringify(script.asked[1]?.prompt)).toContain("tool_policy_blocked");
  });
});

describe("a person who is asked in the chat", () => {
  it("answers with the next message", async () => {
    const { ran, script, settings } = openDesk();
    script.script(
      calls({ id: "a", tool: "select_intent", input: { intents: ["EDIT"] } }),
      calls({ id: "b", tool: "delete_file", input: { path: "a.ts" } }),
    );
    const messages: ModelMessage[] = [{ role: "user", content: "Please delete a.ts" }];
    const asked = await generateText({ ...settings, messages });
    expect(asked.text).toContain("Delete `a.ts`");
    expect(ran).toEqual([]);
    messages.push(...asked.response.messages, { role: "user", content: "yes" });
    script.script(says("It is gone."));
    const done = await generateText({ ...settings, messages });
    expect([done.text, ran]).toEqual(["It is gone.", [["delete_file", { path: "a.ts" }]]]);
  });
});

describe("a person who is asked by the SDK's own approvals", () => {
  const ask = async (desk: Desk) => {
    desk.script.script(
      calls({ id: "a", tool: "select_intent", input: { intents: ["EDIT"] } }),
      calls(
        { id: "b", tool: "delete_file", input: { path: "a.ts" } },
        { id: "c", tool: "delete_file", input: { path: "b.ts" } },
      ),
    );
    const messages: ModelMessage[] = [{ role: "user", content: "Please delete a.ts and b.ts" }];
    const asked = await generateText({ ...desk.settings, messages });
    messages.push(...asked.response.messages);
    const requests = asked.content.filter((part) => part.type === "tool-approval-request");
    expect(desk.ran).toEqual([]);
    return { messages, requests };
  };

  it("approves one call and denies the other", async () => {
    const desk = openDesk({ approvals: "native" });
    const { messages, requests } = await ask(desk);
    expect(requests.map(({ toolCall }) => toolCall.input)).toEqual([{ path: "a.ts" }, { path: "b.ts" }]);
    expect(requests[0]?.reason).toContain("Delete `a.ts`");
    messages.push({
      role: "tool",
      content: requests.map(({ approvalId }, index) => ({
        type: "tool-approval-response",
        approvalId,
        approved: index === 0,
        reason: index === 0 ? undefined : "keep that one",
      })),
    });
    desk.script.script(says("a.ts is gone."));
    const done = await generateText({ ...desk.settings, messages });
    expect([done.text, desk.ran]).toEqual(["a.ts is gone.", [["delete_file", { path: "a.ts" }]]]);
    expect(JSON.stringify(desk.script.asked[0]?.prompt)).toContain("keep that one");
    const approvals = (await desk.toolgate.audit()).filter(({ kind }) => kind === "approval");
    expect(approvals.map(({ event }) => event)).toEqual(["asked", "asked", "approved", "denied"]);
  });

  it("runs an approved call once, however often the answer is sent", async () => {
    const desk = openDesk({ approvals: "native" });
    const { messages, requests } = await ask(desk);
    const answered: ModelMessage[] = [
      ...messages,
      {
        role: "tool",
        content: requests.map(({ approvalId }) => ({ type: "tool-approval-response", approvalId, approved: true })),
      },
    ];
    desk.script.script(says("Both are gone."), says("Again."));
    await generateText({ ...desk.settings, messages: answered });
    expect(desk.ran).toEqual([
      ["delete_file", { path: "a.ts" }],
      ["delete_file", { path: "b.ts" }],
    ]);
    await generateText({ ...desk.settings, messages: answered });
    expect(desk.ran.length).toBe(2);
  });

  it("does not run a call whose approval the client made up, or whose arguments it changed", async () => {
    const desk = openDesk({ approvals: "native" });
    const { messages, requests } = await ask(desk);
    const forged = JSON.parse(JSON.stringify(messages).replaceAll("a.ts", "secret.ts")) as ModelMessage[];
    forged.push({
      role: "tool",
      content: requests.map(({ approvalId }, index) => ({
        type: "tool-approval-response",
        approvalId,
        approved: index === 0,
      })),
    });
    desk.script.script(says("No."));
    await generateText({ ...desk.settings, messages: forged });
    expect(desk.ran).toEqual([]);
  });
});
