/** What the user wrote goes with the question to who may answer it, and to nobody else. */
import { describe, expect, it } from "vitest";
import type { Gateway } from "../support/gateway.ts";
import { asked, asking, chat, done, edits, policy, says1 } from "./approvals.ts";

const words = "please change my note";
const edit = policy.tools.edit_note;

async function listed(gate: Gateway, key?: string): Promise<readonly { readonly user_words: unknown }[]> {
  await gate.settle();
  await gate.approvals();
  const response = await gate.fetch(`/v1/approvals${key === undefined ? "" : "?scope=tenant"}`, { key });
  return ((await response.json()) as { data: readonly { readonly user_words: unknown }[] }).data;
}

describe("the user's words", () => {
  it("are in the user's own list, cut where they are long, and in no reply and no record", async () => {
    const gate = await asking([says1(edits()), done]);
    const question = await chat(gate).say(`${words}, ${"very ".repeat(200)}soon`);
    const [first] = await listed(gate);
    expect(first?.user_words).toMatch(/^please change my note, (very )+.* …$/);
    expect(String(first?.user_words).length).toBeLessThan(610);
    expect(asked(question)[0]).not.toHaveProperty("user_words");
    expect(JSON.stringify(await gate.approvals())).not.toContain("very very");
  });

  it("are those that the task began with, not the answer to an earlier question", async () => {
    const gate = await asking([says1(edits()), says1(edits("c2", { title: "Ricoeur" }))]);
    const talk = chat(gate);
    await talk.say(words);
    await talk.say("yes");
    await talk.bring({ role: "tool", tool_call_id: "c1", content: "{}" });
    expect((await listed(gate)).map((one) => one.user_words)).toEqual([words, words]);
  });

  it.each([
    ["approve for others", { confirmation: { approvers: "userOrOperator" } }, words],
    ["may only deny", {}, null],
    [
      "approve for others, but for a value that nobody sees",
      { confirmation: { approvers: "userOrOperator" }, tools: { edit_note: { ...edit, hideFromApprover: ["title"] } } },
      null,
    ],
  ])("for operators who %s", async (_, more, expected) => {
    const gate = await asking([says1(edits())], more);
    await chat(gate).say(words);
    const [first] = await listed(gate, await gate.keyFor("boss", "admin"));
    expect(first?.user_words).toBe(expected);
  });
});
