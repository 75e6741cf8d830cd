import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { approvalOf } from "../../../src/packages/react/approval-request.ts";

const part = (descriptor: unknown, more: object = {}) => ({
  type: "tool-erase",
  toolCallId: "c1",
  state: "approval-requested",
  input: { path: "a.txt" },
  approval: { id: "appr_1", descriptor },
  ...more,
});

describe("a question in a part", () => {
  it("is read from the gateway's approval", () => {
    const asked = approvalOf(
      part({
        tool: "erase",
        question: "Erase `a.txt`?",
        arguments: { force: true, path: "a\u202etxt.exe", note: "[redacted]" },
        details: {
          language: "en",
          effects: [{ kind: "final", text: "It cannot be undone." }],
          arguments: [
            { name: "path", private: false, redacted: false },
            { name: "note", redacted: true },
          ],
        },
        reversible: false,
        editable: true,
        first_use: { enables: "session" },
        expires_at: "2026-11-24T02:00:00.000Z",
      }),
    );
    expect(asked).toMatchObject({
      ...{ id: "appr_1", tool: "erase", question: "Erase `a.txt`?", effects: ["It cannot be undone."] },
      ...{ editable: true, grantable: false, enables: "session", answer: undefined, language: "en" },
    });
    expect(asked?.arguments.map(({ name, text, isHidden }) => [name, text, isHidden])).toEqual([
      ["path", "a\\u202etxt.exe", false],
      ["note", "[redacted]", true],
      ["force", "true", false],
    ]);
  });

  it("of another backend has the call's own input, and offers no more than yes and no", () => {
    const asked = approvalOf(part(undefined, { approval: { id: "x", requestReason: "Really?" } }));
    expect(asked).toMatchObject({ question: "Really?", tool: "erase", editable: false, grantable: false });
    expect(asked?.arguments).toMatchObject([{ name: "path", text: "a.txt" }]);
  });

  it("is none in any other state, and says what was answered", () => {
    for (const state of ["input-available", "output-available", "output-denied"])
      expect(approvalOf(part({}, { state }))).toBeUndefined();
    const answered = (approved: boolean) =>
      approvalOf(part({}, { state: "approval-responded", approval: { id: "x", approved } }))?.answer;
    expect([answered(true), answered(false)]).toEqual(["approved", "denied"]);
  });

  it("nothing_that_is_sent_breaks_the_page", () => {
    fc.assert(
      fc.property(fc.anything(), (descriptor) => {
        const asked = approvalOf(JSON.parse(JSON.stringify(part(descriptor)) ?? "null"));
        expect(asked).toMatchObject({ id: "appr_1" });
        for (const { text } of asked?.arguments ?? []) expect(typeof text).toBe("string");
      }),
    );
  });
});
