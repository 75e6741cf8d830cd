import { describe, expect, it } from "vitest";
import { changesOf } from "../../../src/approvals/disclosure/changes.ts";
import type { Disclosure } from "../../../src/approvals/disclosure/disclosed.ts";
import { cpuSince } from "../../support/cpu-time.ts";

const told = (
  args: Record<string, unknown>,
  preview?: Disclosure["preview"],
  category: "modification" | "read_only" = "modification",
) =>
  changesOf({ preview, category }, args, (count) => `${count} more`).map(
    ({ kind, text }) => `${{ same: " ", added: "+", removed: "-" }[kind]}${text}`,
  );

describe("what a call changes", () => {
  it.each([
    ["old_string", "new_string"],
    ["old_text", "new_text"],
    ["oldText", "newText"],
    ["old_str", "new_str"],
    ["before", "after"],
    ["old", "new"],
  ])("is told by %s and %s", (before, after) => {
    expect(told({ [before]: "a\nb\nc", [after]: "a\nB\nc" })).toEqual([" a", "-b", "+B", " c"]);
  });

  it("is told by a list of edits, and by a patch", () => {
    expect(told({ path: "x", edits: [{ oldText: "a", newText: "b" }, 5, { oldText: "c", newText: "d" }] })).toEqual([
      "-a",
      "+b",
      "-c",
      "+d",
    ]);
    expect(told({ diff: "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z" })).toEqual([
      " --- a",
      " +++ b",
      " @@ -1 +1 @@",
      "-x",
      "+y",
      " z",
    ]);
    expect(told({ patch: "no patch at all" })).toEqual([]);
  });

  it("names each file that a patch touches, and says where lines are left out", () => {
    const patch =
      "*** Begin Patch\n*** Update File: notes.txt\n@@\n-helo\n+hello\n one\n two\n three\n four\n*** Delete File: src/important.ts\n" +
      " five\n  *** Update File: b.txt\n*** Move to: ../../.bashrc\n six\n*** End Patch\n";
    for (const name of ["patch", "diff", "input", "patchText"]) {
      const lines = told({ [name]: patch });
      expect(lines).toContain(" *** Delete File: src/important.ts");
      expect(lines).toContain("  *** Update File: b.txt");
      expect(lines).toContain(" *** Move to: ../../.bashrc");
      expect(lines.filter((line) => line === " …")).toHaveLength(3);
    }
    const git =
      "diff --git a/x b/x\n@@ -1 +1 @@\n-x\n+y\n 1\n 2\n 3\n 4\n 5\ndiff --git a/y b/y\ndeleted file mode 100644";
    expect(told({ diff: git }).slice(-3)).toEqual([" …", " diff --git a/y b/y", " deleted file mode 100644"]);
  });

  it("says that a text goes on where it is not read any more", () => {
    expect(told({ diff: `@@ -1 +1 @@\n+a${"\n b".repeat(5_000)}\n*** Delete File: x` }).at(-1)).toBe(" …");
    expect(told({ old: "a", new: `b${"\nb".repeat(5_000)}` }).at(-1)).toMatch(/ more$/);
  });

  it("is told where the policy points to, added lines where there is no text before", () => {
    expect(told({ note: { was: "a", is: "b" } }, { before: "/note/was", after: "/note/is" }, "read_only")).toEqual([
      "-a",
      "+b",
    ]);
    expect(told({ text: "a\n  b" }, { after: "/text" })).toEqual(["+a", "+  b"]);
    expect(told({ outline: { a: 1 } }, { after: "/outline" })).toEqual(["+{", '+  "a": 1', "+}"]);
    expect(told({}, { before: "/a", after: "/b" })).toEqual([]);
    expect(told({ "a/b": "x" }, { after: "/a~1b" })).toEqual(["+x"]);
  });

  it("is not guessed for what changes nothing that exists", () => {
    expect(told({ before: "2024", after: "2025" }, undefined, "read_only")).toEqual([]);
  });

  it("shows nothing that is redacted", () => {
    expect(told({ old_string: "[redacted]", new_string: "b" })).toEqual([]);
    expect(told({ a: "[redacted]", b: "b" }, { before: "/a", after: "/b" })).toEqual([]);
  });

  it("leaves out what is the same and far away, and is bounded", () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    const changed = lines.with(50, "other");
    expect(told({ old: lines.join("\n"), new: changed.join("\n") })).toHaveLength(1 + 8 + 1);
    expect(told({ old: lines.join("\n"), new: changed.join("\n") }).at(-1)).toBe(" …");
    const all = told({ old: "x", new: Array.from({ length: 1_000 }, (_, index) => `n${index}`).join("\n") });
    expect(all).toHaveLength(201);
    expect(all.at(-1)).toBe(" 801 more");
    const started = process.threadCpuUsage();
    const text = (seed: number) =>
      Array.from({ length: 100_000 }, (_, index) => String((index * seed) % 9_973)).join("\n");
    told({ old: text(7), new: text(11) });
    expect(cpuSince(started)).toBeLessThan(1_500);
  });
});
