/** Calls whose arguments all stand in one object: they are shown, and edited, as if they stood at the top. */
import { describe, expect, it } from "vitest";
import { goesAhead } from "../../../src/approvals/answers/go-ahead.ts";
import { readChanges } from "../../../src/approvals/answers/read-changes.ts";
import { approvalView } from "../../../src/approvals/approval-view.ts";
import { describeApproval, orderedArguments } from "../../../src/approvals/disclosure/disclosure.ts";
import { frameText } from "../../../src/approvals/disclosure/frame.ts";
import { wordsOf } from "../../../src/approvals/words/words.ts";
import { redacted } from "../../../src/lib/redact.ts";
import { approvalOf, viewOf } from "../samples.ts";

const mail = { to: "anna@x.example", subject: "Offer", body: "Dear Anna" };
const send = { name: "send_email", category: "external" } as const;
const wrapped = approvalOf("K7QF", { traits: send, arguments: { input: mail } });

describe("the question", () => {
  it("is that of the same call with its arguments at the top", () => {
    const settings = { typedCode: false, now: 1_000 };
    expect(frameText([wrapped], settings)).toBe(
      frameText([approvalOf("K7QF", { traits: send, arguments: mail })], settings),
    );
    expect(viewOf({ traits: send, arguments: { input: mail } }).title).toBe("Send email to `anna@x.example`?");
  });

  it.each([
    ["create_event", { event: { title: "Lunch", start: "12:00" } }, "Create `Lunch`?"],
    ["delete_file", { args: { path: "a.txt" } }, "Delete `a.txt`?"],
    // Whose name says something is shown with it.
    ["delete_files", { except: { path: "a.txt" } }, "Delete files?"],
    ["send_email", { input: mail, urgent: true }, "Send email?"],
    ["send_email", { input: {} }, "Send email?"],
  ])("%s %j", (name, args, title) => {
    expect(viewOf({ traits: { name }, arguments: args }).title).toBe(title);
  });

  it("lists first what the schema of the object names", () => {
    const schema = { type: "object", properties: { input: { $ref: "#/$defs/Mail" } }, $defs: { Mail: mailSchema } };
    const approval = approvalOf("K7QF", { traits: send, schema, arguments: { input: { note: "x", ...mail } } });
    expect(orderedArguments(approval, "whole").map(([name]) => name)).toEqual(["to", "subject", "body", "note"]);
  });

  it.each([["body"], ["input.body"], ["/input/body"]])("hides what the policy hides as %s", (path) => {
    const approval = approvalOf("K7QF", { traits: { ...send, hideFromApprover: [path] }, arguments: { input: mail } });
    const { arguments: shown } = describeApproval(approval, "whole");
    expect(shown.filter((one) => one.redacted).map(({ name, value }) => [name, value])).toEqual([["body", redacted]]);
  });

  it("marks what records leave out", () => {
    const view = viewOf({ traits: { ...send, redact: ["body"] }, arguments: { input: mail } });
    expect(view.arguments.filter((one) => one.private).map(({ name }) => name)).toEqual(["body"]);
    const whole = viewOf({ traits: { ...send, redact: ["input"] }, arguments: { input: mail } });
    expect(whole.arguments.every((one) => one.private)).toBe(true);
    expect(whole.title).toBe("Send email?");
  });
});

it("clients get the call's own arguments", () => {
  const view = approvalView(wrapped, "whole") as { arguments: unknown; details: { arguments: { name: string }[] } };
  expect(view.arguments).toEqual({ input: mail });
  expect(view.details.arguments.map(({ name }) => name)).toEqual(["input"]);
});

const mailSchema = {
  type: "object",
  properties: { to: { type: "string" }, subject: { type: "string" }, body: { type: "string" } },
};

describe("an edit", () => {
  const schema = { type: "object", properties: { input: mailSchema } };
  const approval = approvalOf("K7QF", { traits: send, arguments: { input: mail }, over: { schema } });
  const changesIn = (text: string) => readChanges(text, approval, wordsOf("en"), []);

  it.each([
    ["subject=Hello"],
    ['{"subject": "Hello"}'],
    ['{"input": {"to": "anna@x.example", "subject": "Hello", "body": "Dear Anna"}}'],
  ])("%s changes the field where it stands", (text) => {
    const set = { input: { ...mail, subject: "Hello" } };
    expect(changesIn(text)).toEqual({ ok: true, value: { set, unset: [] } });
  });

  it("of an unknown field lists those that there are", () => {
    expect(changesIn("cc=x")).toMatchObject({ ok: false, error: expect.stringContaining("subject = Offer") });
  });
});

it('"that one" is no yes to a call with several receivers', () => {
  const several = approvalOf("K7QF", { traits: send, arguments: { input: { to: ["a@x.example", "b@x.example"] } } });
  expect(goesAhead("yes, that one", several)).toBe(false);
});
