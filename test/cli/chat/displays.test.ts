/** What a person reads of a call and of its result, and how a line is read as an answer. */
import { describe, expect, it } from "vitest";
import type { ApprovalView } from "../../../src/api-views/approval-views.ts";
import { readLine } from "../../../src/cli/chat/ask-lines.ts";
import { keysOf, moreSections, questionLines, questionSections } from "../../../src/cli/chat/question-box.ts";
import { resultSections, type ShownResult } from "../../../src/cli/chat/result-box.ts";
import { offerLines, statusLine } from "../../../src/cli/chat/status-line.ts";
import { styleOf } from "../../../src/cli/chat/style.ts";

const style = styleOf(61, false, { LANG: "C.UTF-8" });
const argument = { name: "path", value: "a.txt", escaped: false, cut: null, redacted: false, private: false };

const approval = (more: Partial<ApprovalView> = {}): ApprovalView => ({
  object: "approval",
  id: "appr_1",
  code: "K7QF",
  status: "pending",
  tool: "write_file",
  call_id: "call_1",
  session_id: "s",
  channel: "native",
  asks: ["confirmation_required"],
  arguments: { path: "a.txt", secret: "hush" },
  disclosure: "",
  question: "Write `a.txt`?",
  details: {
    language: "en",
    category: "modification",
    summary: "",
    effects: [{ kind: "final", text: "⚠ This cannot be undone." }],
    arguments: [argument],
    more: 0,
    changes: [],
    destination: null,
    learn_more: null,
  },
  reversible: false,
  first_use: null,
  schema: { type: "object", properties: { path: { type: "string" }, count: { type: "integer" } } },
  editable: true,
  grantable: true,
  endorsable: null,
  created_at: "2026-01-01T00:00:00Z",
  expires_at: "2026-01-01T00:05:00Z",
  answered_at: null,
  answer: null,
  settled_by: null,
  plan: null,
  ...more,
});
/** Controls and signs that turn the direction of writing. */
const obeyed = (text: string) => text.match(/[^\P{Cc}\n]|\p{Bidi_Control}/gu) ?? [];
const now = Date.parse("2026-01-01T00:00:30Z");

describe("a question", () => {
  it("names the tool, its category, the act, the arguments and what follows", () => {
    expect(questionSections(approval(), { style, now, place: "[1/2]" })).toEqual([
      ["Tool: write_file  [1/2] K7QF", "Category: MODIFICATION  expires in 4 min 30 s"],
      ["Write `a.txt`?", "", "  path: a.txt", "", "⚠ This cannot be undone."],
      ["[Y] Proceed  [N] Cancel  [E] Edit", "[A] Always, in this session  [?] More"],
    ]);
  });

  it("offers only what the gateway takes", () => {
    const keys = (more: Partial<ApprovalView>) => keysOf(approval(more)).map(({ key }) => key);
    expect(keys({ editable: false, grantable: false })).toEqual(["y", "n", "?"]);
    expect(keys({ editable: false, grantable: false, asks: ["first_use"] })).toEqual(["y", "n", "a", "?"]);
    expect(keys({ endorsable: { tool: "read_mail", call_id: "c" } })).toEqual(["y", "n", "e", "a", "v", "?"]);
  });

  it("hides a private value until more is asked for, and shows all of it then", () => {
    const details = {
      ...approval().details,
      arguments: [{ ...argument, name: "secret", value: "hush", private: true }],
    };
    const asked = approval({ details });
    expect(questionSections(asked, { style, now }).flat().join("\n")).not.toContain("hush");
    expect(moreSections(asked, style).flat().join("\n")).toContain('"secret": "hush"');
  });

  it("shows nothing that a terminal obeys, whoever wrote it", { tags: ["attack/frames"] }, () => {
    const evil = "\u001b[2J\u202e";
    const details = {
      ...approval().details,
      arguments: [{ ...argument, name: evil, value: evil }],
      changes: [{ kind: "added" as const, text: evil }],
      effects: [{ kind: "note" as const, text: evil }],
      learn_more: evil,
      destination: evil,
      summary: evil,
    };
    const asked = approval({ tool: evil, question: evil, details, arguments: { path: evil } });
    const shown = [
      ...questionSections(asked, { style, now }),
      ...moreSections(asked, style),
      questionLines(asked, { style, now }),
    ];
    expect(obeyed(shown.flat().join("\n"))).toEqual([]);
  });
});

describe("a line as an answer", () => {
  const two = [approval(), approval({ id: "appr_2", code: "3M2P", editable: false })];
  const answersTo = (line: string, open = [approval()]) => {
    const read = readLine(line, open);
    return read?.ok ? read.value.map(({ approval: { id }, answer }) => [id, answer]) : read;
  };

  it("is read as in a chat", () => {
    expect(answersTo("yes")).toEqual([["appr_1", { action: "approve" }]]);
    expect(answersTo("はい")).toEqual([["appr_1", { action: "approve" }]]);
    expect(answersTo("no: not yet")).toEqual([["appr_1", { action: "deny", reason: "not yet" }]]);
    expect(answersTo("always")).toEqual([["appr_1", { action: "approve", grant: { until: "session" } }]]);
    expect(answersTo("?")).toEqual([["appr_1", undefined]]);
    expect(answersTo("edit path=b c.txt, count=3")).toEqual([
      ["appr_1", { action: "edit", arguments: { path: "b c.txt", count: 3 } }],
    ]);
    expect(answersTo('edit {"path":"b.txt"}')).toEqual([["appr_1", { action: "edit", arguments: { path: "b.txt" } }]]);
  });

  it("changes a member of the object that wraps the arguments", () => {
    const open = [approval({ arguments: { input: { path: "a.txt", mode: "w" } }, schema: null })];
    const changed = [["appr_1", { action: "edit", arguments: { input: { path: "b.txt", mode: "w" } } }]];
    expect(answersTo('edit {"path":"b.txt"}', open)).toEqual(changed);
    expect(answersTo('edit {"input":{"path":"b.txt","mode":"w"}}', open)).toEqual(changed);
    expect(answersTo('edit {"input":{"path":"b.txt"},"mode":"a"}', open)).toEqual({
      ok: false,
      error: expect.any(String),
    });
  });

  it("is no yes where it says another act", () => {
    const open = [approval({ tool: "disable_rule", question: "Disable rule `r1`?" })];
    expect(answersTo("enable it", open)).toEqual({ ok: false, error: expect.any(String) });
    expect(answersTo("yes", open)).toEqual([["appr_1", { action: "approve" }]]);
  });

  it("is no yes to a deletion where it only praises", () => {
    const open = [approval({ tool: "delete_photo", question: "Delete `cat.jpg`?" })];
    expect(answersTo("perfect", open)).toEqual({ ok: false, error: expect.any(String) });
    expect(answersTo("perfect, yes", open)).toEqual([["appr_1", { action: "approve" }]]);
  });

  it("goes to the calls that it names", () => {
    expect(answersTo("yes K7QF, no 3M2P", two)).toEqual([
      ["appr_1", { action: "approve" }],
      ["appr_2", { action: "deny" }],
    ]);
    expect(answersTo("yes all", two)).toHaveLength(2);
  });

  it("answers nothing where it is not sure which, or what", { tags: ["attack/answers"] }, () => {
    const isError = { ok: false, error: expect.any(String) };
    expect(answersTo("yes", two)).toEqual(isError);
    expect(answersTo("yes ABCD")).toEqual(isError);
    expect(answersTo("edit 3M2P path=b.txt", two)).toEqual(isError);
    expect(answersTo("edit colour=red")).toEqual(isError);
    expect(answersTo("edit count=many")).toEqual(isError);
    for (const message of ["yes, and then delete everything", "what is that?", "y2", "create a file b.txt"])
      expect(answersTo(message)).toBeUndefined();
  });
});

describe("a result", () => {
  const result = (more: Partial<ShownResult>): ShownResult => ({
    tool: "search",
    status: "succeeded",
    ms: 234,
    trusted: true,
    suspicious: false,
    ...more,
  });
  const linesOf = (more: Partial<ShownResult>, whole = false) => resultSections(result(more), style, { whole });

  it("shows what was made for people, with its marks and its time", () => {
    const display = 'GNORM Annotation Results\n\n[INTERPRETIVE] "x" - Concept (62%)\n   ⚠️  Lower confidence';
    expect(linesOf({ text: JSON.stringify({ annotations: [], display }), trusted: false })).toEqual([
      ["search  succeeded"],
      ["GNORM Annotation Results", "", '[INTERPRETIVE] "x" - Concept (62%)', "   ⚠  Lower confidence"],
      ["[UNVERIFIED] others wrote this", "Execution time: 234ms"],
    ]);
  });

  it("lays out other JSON, keeps its numbers, and says of each entry how sure it is", () => {
    const text =
      '{"count":12345678901234567890,"found":[{"epistemic_indicator":"factual","text":"Hippo"},{"epistemic_indicator":"guess"}]}';
    expect(linesOf({ text })[1]).toEqual([
      "count: 12345678901234567890",
      "found:",
      '  - [FACTUAL] {"epistemic_indicator":"factual","text":"Hippo"}',
      '  - [INTERPRETIVE] {"epistemic_indicator":"guess"}',
    ]);
  });

  it("is short until all of it is asked for", () => {
    const text = Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n");
    expect(linesOf({ text })[1]).toHaveLength(15);
    expect(linesOf({ text })[1]?.at(-1)).toBe("… 16 more lines: /last shows them");
    expect(linesOf({ text }, true)[1]).toHaveLength(30);
  });

  it("holds nothing that a terminal obeys", { tags: ["attack/frames"] }, () => {
    const lines = linesOf({ text: "a\u001b[2Jb\u009bc", tool: "\u001b]0;x", status: "\u001b" });
    expect(obeyed(lines.flat().join("\n"))).toEqual([]);
  });
});

describe("the status line", () => {
  const reply = {
    words: "",
    calls: [],
    ms: 12,
    note: {
      state: "action",
      intent: "CODE",
      stop_reason: "completed",
      offered: ["a", "b"],
      withheld: [{ name: "c", reasons: ["state_forbids"] }],
      decisions: [{ call_id: "c", tool: "d", effect: "deny" as const, reasons: [{ code: "unknown_tool" }] }],
    },
  };

  it("says state, intents, offer and time", () => {
    expect(statusLine(reply, style)).toBe("action · CODE · offered 2 · withheld 1 (/why) · 12 ms");
    expect(offerLines(reply)).toEqual(["Offered: a, b", "Withheld: c (state_forbids)", "Refused: d (unknown_tool)"]);
  });

  it("says of no tools that they were offered where a person's answer was carried out, and the model not asked", () => {
    const note = {
      state: "action",
      offered: [],
      withheld: [],
      decisions: [{ tool: "a", effect: "allow", reasons: [] }],
    };
    expect(statusLine({ note, ms: 3 } as never, style)).toBe("action · 3 ms");
    expect(statusLine({ note: { ...note, decisions: [] }, ms: 3 } as never, style)).toBe("action · offered 0 · 3 ms");
  });
});
