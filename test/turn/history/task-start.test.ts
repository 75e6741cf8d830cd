import { expect, it } from "vitest";
import { languages } from "../../../src/lib/text/languages.ts";
import { questionFirstText, taskStart } from "../../../src/turn/open/user-message.ts";
import { cpuSince } from "../../support/cpu-time.ts";
import { policyOf } from "../../support/policy.ts";

const policy = policyOf({});
const question = { role: "assistant", content: "**Your confirmation is needed** ⟦K7QF⟧" };
const says = (content: string) => ({ role: "user", content });

it("a task begins with the last message that is no answer", () => {
  const messages = [says("old"), { role: "assistant", content: "done" }, says("change it"), question, says("yes")];
  expect(taskStart(policy, messages)).toBe(3);
  expect(taskStart(policy, [...messages.slice(0, 4), { role: "system", content: "now" }, says("yes")])).toBe(3);
  expect(taskStart(policy, [question, says("yes")])).toBe(0);
  expect(taskStart(policy, [says("a"), says("b"), { role: "tool", content: "" }])).toBe(2);
  expect(taskStart(policy, [])).toBe(0);
});

it("an answer is read as the turn reads it: without the client's words, and as the policy extracts it", () => {
  const wrapped = says("<system-reminder>today</system-reminder>\nyes");
  expect(taskStart(policy, [says("change it"), question, wrapped])).toBe(1);
  const extracting = policyOf({ detection: { extract: "(?s)^user: (?P<text>.*)$" } });
  expect(taskStart(extracting, [says("user: change it"), question, says("user: yes")])).toBe(1);
  expect(taskStart(policy, [says("user: change it"), question, says("user: rename it")])).toBe(3);
});

it("a message of the client's own begins none", () => {
  const note = says("<system-reminder>the todo list is empty</system-reminder>");
  expect(taskStart(policy, [says("change it"), { role: "tool", content: "" }, note])).toBe(1);
  expect(taskStart(policy, [note])).toBe(0);
});

it("an undo that had to wait for the open question begins none", () => {
  for (const language of languages) {
    const first = { role: "assistant", content: `${questionFirstText(language)}\n\n${question.content}` };
    expect(taskStart(policy, [says("change it"), question, says("/toolgate undo"), first, says("yes")])).toBe(1);
  }
  expect(taskStart(policy, [says("change it"), says("/toolgate undo"), { role: "assistant", content: "x" }])).toBe(2);
});

it("is found in little time in a history of answers alone", () => {
  const messages = Array.from({ length: 100_000 }, (_, index) => (index % 2 === 0 ? question : says("yes")));
  const started = process.threadCpuUsage();
  expect(taskStart(policy, messages)).toBe(0);
  expect(cpuSince(started)).toBeLessThan(3_000);
});
