import { describe, expect, test } from "vitest";
import type { ApprovalView } from "../../src/api-views/approval-views.ts";
import { hostIn, valueKind } from "../../src/console/inbox/card/value-kind.ts";
import { callLine, groupCalls } from "../../src/console/inbox/list/groups.ts";

const hostOf = (text: string) => {
  const at = hostIn(text);
  return at && text.slice(...at);
};

describe("the host of an address", () => {
  test.each([
    ["https://example.org/a?b=c", "example.org"],
    ["https://example.org:8080/example.org", "example.org:8080"],
    ["https://bank.example@evil.test/bank.example", "evil.test"],
    ["https://evil.test:x@bank.example/", "bank.example"],
    ["ada@example.org", "example.org"],
  ])("of %s is %s", (text, host) => {
    expect(hostOf(text)).toBe(host);
  });

  test.each(["", "example.org", "ftp://example.org/", "see https://example.org", "a@b", "a b@example.org"])(
    "`%s` has none",
    (text) => {
      expect(hostOf(text)).toBeUndefined();
    },
  );
});

test("a value is drawn by its tool and its name", () => {
  expect([
    valueKind("refund", "amount", "129.50"),
    valueKind("refund", "amount", "all"),
    valueKind("send_mail", "body", "Dear Ada"),
    valueKind("run_shell", "command", "ls"),
    valueKind("fetch", "url", "https://example.org/"),
    valueKind("read_order", "order", "A-1"),
  ]).toEqual(["money", "plain", "letter", "command", "address", "plain"]);
});

const call = (id: string, session_id: string, more: object = {}) =>
  ({
    id,
    session_id,
    question: "",
    tool: "t",
    details: { summary: "", arguments: [], effects: [] },
    ...more,
  }) as unknown as ApprovalView;

test("calls of a conversation stand together, where its first one does; of another person's they do not", () => {
  const groups = groupCalls([call("1", "a"), call("2", "b"), call("3", "a"), call("4", "a", { user: "eve" })]);
  expect(groups.map(({ calls }) => calls.map(({ id }) => id))).toEqual([["1", "3"], ["2"], ["4"]]);
});

test("a call's line has the act and the values that it does not name, none of them private", () => {
  const value = (name: string, text: string, more: object = {}) => ({
    name,
    value: text,
    redacted: false,
    private: false,
    ...more,
  });
  const details = {
    summary: "",
    effects: [{ kind: "final", text: "⚠ This cannot be undone." }],
    arguments: [
      value("amount", "12"),
      value("order", "A-1"),
      value("pin", "4711", { private: true }),
      value("long", "x".repeat(60)),
      value("note", "late"),
    ],
  };
  expect(callLine(call("1", "a", { question: "Refund `12`?", details }))).toEqual({
    act: "Refund `12`",
    values: "A-1 · late",
    grave: true,
  });
});
