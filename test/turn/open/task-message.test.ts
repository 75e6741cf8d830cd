import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/lib/json/json-value.ts";
import { taskMessage } from "../../../src/turn/open/task-message.ts";
import type { Turn } from "../../../src/turn/turn.ts";
import { policyOf } from "../../support/policy.ts";

const calls: JsonObject = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "c", type: "function", function: { name: "read_file", arguments: "{}" } }],
};
const result: JsonObject = { role: "tool", tool_call_id: "c", content: "rain comes" };

function refuses(content: string): boolean {
  const messages = [{ role: "user", content: "tidy up a.txt" }, calls, result, { role: "user", content }];
  const turn = { input: { policy: policyOf({}), request: { messages } } } as unknown as Turn;
  return taskMessage(turn).refuses("delete_file", undefined);
}

it.each([
  "leave it alone",
  "hands off",
  "please don't touch it",
  "behalte sie",
  "quédatela",
  "garde-la",
  "laisse-le",
  "别动",
  "そのままにして",
])("a message of calls alone is refused: %s", (text) => {
  expect(refuses(text)).toBe(true);
});

it("and nothing else is", () => {
  expect(refuses("go on")).toBe(false);
  expect(refuses("and b.txt too")).toBe(false);
});
