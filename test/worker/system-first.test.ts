import { expect, it } from "vitest";
import { ask, messagesOf, outlineOf, toolsOf, user } from "./script.ts";
import { studying } from "./system-first.ts";

const session = { "x-toolgate-session": "s" };
const cards = user("flashcards on verbs, N4 please");

for (const stream of [true, false]) {
  it(`runs the call without the model, which is asked once, without tools (stream ${stream})`, async () => {
    const { gate, asked } = await studying();
    const answer = await ask(
      gate,
      { messages: [cards], stream, tool_choice: "auto", parallel_tool_calls: true },
      session,
    );
    expect([answer.text, answer.finish, answer.calls]).toEqual(["Here they are.", "stop", []]);
    expect(asked).toEqual([
      { method: "POST", path: "study.test/cards", body: { topic: "verbs", level: "N4", count: 5 } },
    ]);
    expect(gate.sent.length).toBe(1);
    expect(Object.keys(gate.sent[0] ?? {}).filter((key) => key.includes("tool"))).toEqual([]);
    expect(answer.note).toMatchObject({
      ...{ state: "action", intent: "CARDS", stop_reason: "completed", offered: [] },
      decisions: [{ tool: "make_cards", effect: "allow", made_by: "system" }],
    });
    const [callId] = answer.note.decisions.map(({ call_id }) => call_id);
    expect(outlineOf(gate.sent[0])).toEqual(["user", `assistant(${callId})`, `tool(${callId})`]);
    expect(String(messagesOf(gate.sent[0])[2]?.content)).toContain("study.test/cards");
    expect(toolsOf(gate.sent[0])).toEqual([]);
    expect(await gate.turns()).toMatchObject([{ steps: 1, stop_reason: "completed" }]);
  });
}
