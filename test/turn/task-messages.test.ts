import { expect, it } from "vitest";
import { QUESTION_FIRST } from "../../src/turn/read-command.ts";
import { taskStart } from "../../src/turn/task-messages.ts";
import { cpuSince } from "../support/cpu-time.ts";

const question = { role: "assistant", content: "**Your confirmation is needed** ⟦K7QF⟧" };
const says = (content: string) => ({ role: "user", content });

it("a task begins with the last message that is no answer", () => {
  const messages = [says("old"), { role: "assistant", content: "done" }, says("change it"), question, says("yes")];
  expect(taskStart(messages)).toBe(3);
  expect(taskStart([...messages.slice(0, 4), { role: "system", content: "now" }, says("yes")])).toBe(3);
  expect(taskStart([question, says("yes")])).toBe(0);
  expect(taskStart([says("a"), says("b"), { role: "tool", content: "" }])).toBe(2);
  expect(taskStart([])).toBe(0);
});

it("an undo that had to wait for the open question begins none", () => {
  const first = { role: "assistant", content: `${QUESTION_FIRST}\n\n${question.content}` };
  expect(taskStart([says("change it"), question, says("/toolgate undo"), first, says("yes")])).toBe(1);
  expect(taskStart([says("change it"), says("/toolgate undo"), { role: "assistant", content: "x" }])).toBe(2);
});

it("is found in little time in a history of answers alone", () => {
  const messages = Array.from({ length: 100_000 }, (_, index) => (index % 2 === 0 ? question : says("yes")));
  const started = process.threadCpuUsage();
  expect(taskStart(messages)).toBe(0);
  expect(cpuSince(started)).toBeLessThan(3_000);
});
