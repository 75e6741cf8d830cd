import { expect, test } from "vitest";
import { isStepId, readTemplate } from "../../src/plan/template.ts";

const read = (text: string) => {
  const [part, ...others] = readTemplate(text);
  if (others.length > 0 || part === undefined) return readTemplate(text).map(({ kind }) => kind);
  return part.kind === "reference" ? [part.step, ...part.path] : part.kind === "placeholder" ? part.name : part.kind;
};

test.each([
  ["{{a.result}}", ["a"]],
  ["{{find-1_x.result.data[0].email}}", ["find-1_x", "data", 0, "email"]],
  ['{{a.result["first name"][12]["q\\"]}}"]}}', ["a", "first name", 12, 'q"]}}']],
  ["{{ a.result.größe.$id.x-y.0 }}", ["a", "größe", "$id", "x-y", "0"]],
  ["{{a.result.__proto__.length}}", ["a", "__proto__", "length"]],
  ["{{PLACEHOLDER_x_1}}", "x_1"],
  ["{{ PLACEHOLDER_x }}", "x"],
])("%s is read", (text, read_) => {
  expect(read(text)).toEqual(read_);
});

test.each([
  "{{foo.bar}}",
  "{{a.result.}}",
  "{{a.result..b}}",
  "{{a.result[01]}}",
  "{{a.result[-1]}}",
  "{{a.result['x']}}",
  '{{a.result["\n"]}}',
  '{{a.result.constructor.constructor("return 1")()}}',
  "{{a.results.x}}",
  "{{a[0].result}}",
  "{{PLACEHOLDER_}}",
  "{{PLACEHOLDER_a-b}}",
  "{{PLACEHOLDER_toString}}",
  "{{constructor.result.x}}",
  "{{__proto__.result}}",
  `{{${"a".repeat(65)}.result.x}}`,
  `{{a.result${".x".repeat(33)}}}`,
])("%s looks like one and is none", (text) => {
  expect(readTemplate(text).some(({ kind }) => kind === "invalid" || kind === "text")).toBe(true);
  expect(readTemplate(text).some(({ kind }) => kind === "reference" || kind === "placeholder")).toBe(false);
});

test.each([
  "",
  "{{",
  "}}",
  "{{}}",
  "{{name}}",
  "{{ Hello, {x} }}",
  "{a.result}",
  "{{a.result.b",
  "{{#if x}}",
  "{{'a'}}",
])("%s is text", (text) => {
  expect(readTemplate(text)).toEqual([{ kind: "text", text }]);
});

test("braces around braces, and text around references, stay where they are", () => {
  const parts = readTemplate("{{{a.result}}} and {{PLACEHOLDER_b}}!");
  expect(parts.map((part) => (part.kind === "text" ? part.text : part.source))).toEqual([
    "{",
    "{{a.result}}",
    "} and ",
    "{{PLACEHOLDER_b}}",
    "!",
  ]);
});

test("names that every object has are no ids", () => {
  expect(["a", "1", "-", "step_1"].every(isStepId)).toBe(true);
  expect(["", "a b", "__proto__", "constructor", "hasOwnProperty", "ä", "a".repeat(65)].some(isStepId)).toBe(false);
});
