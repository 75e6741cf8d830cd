import { describe, expect, test } from "vitest";
import { actKind } from "../../src/console/parts/act-kind.ts";
import { findCommands } from "../../src/console/shell/find-commands.ts";

const all = ["Waiting", "History", "Sessions", "Settings", "Audit", "Sign out"].map((name) => ({ name }));
const found = (query: string) => findCommands(all, query).map(({ name }) => name);

describe("what the palette finds", () => {
  test.each([
    ["", all.map(({ name }) => name)],
    ["se", ["Sessions", "Settings"]],
    ["OUT", ["Sign out"]],
    // First what begins with it, then what holds it, then what has its letters in order.
    ["s", ["Sessions", "Settings", "Sign out", "History"]],
    ["ssn", ["Sessions"]],
    ["zz", []],
  ])("%j", (query, names) => {
    expect(found(query)).toEqual(names);
  });
});

test.each([
  ["delete_file", "destroy"],
  ["readFile", "read"],
  ["send_mail", "mail"],
  ["fetch_url", "web"],
  ["run_shell", "shell"],
  ["refund_order", "money"],
  ["read_order", "read"],
  ["create_note", "note"],
  ["web_search", "web"],
  ["write_file", "write"],
  ["constructor", "other"],
  ["frobnicate", "other"],
])("%s is an act of the kind %s", (tool, kind) => {
  expect(actKind(tool)).toBe(kind);
});
