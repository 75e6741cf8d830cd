import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCodes } from "../../src/approvals/codes.ts";
import { languages } from "../../src/approvals/disclosed.ts";
import { frameText } from "../../src/approvals/frame.ts";
import { unaskedLine } from "../../src/approvals/unasked-line.ts";
import { cpuSince } from "../support/cpu-time.ts";
import { approvalOf, code, DAY, disclosureOf, hostileText } from "./samples.ts";

const settings = { typedCode: false, now: 0 };

describe("the frame", () => {
  it("shows what will happen, then asks, then says how to answer and for how long", () => {
    const traits = { description: "change a note", reversible: true, undo: { tool: "restore_note" } };
    const args = { id: "n1", old_string: "a\n  b", new_string: "a\n  c" };
    expect(frameText([approvalOf("K7QF", { traits, arguments: args })], settings)).toBe(
      [
        "**Your confirmation is needed** ⟦K7QF⟧",
        "",
        "```text",
        "The assistant wants to use `edit_note`. Change a note.",
        '  id: "n1"',
        '  old_string: "a\\n b"',
        '  new_string: "a\\n c"',
        "  |   a",
        "  | -   b",
        "  | +   c",
        "This will modify your existing work.",
        "It can be undone with `restore_note`.",
        "",
        "[Apply changes? yes / no / edit / preview]",
        "```",
        "",
        "Answer `yes` / `no`.  ",
        "`edit field=value` changes a value first.  ",
        "`always` also runs later calls of this tool in this session without asking.  ",
        "This stands for 24 h. Anything else you write cancels it.",
      ].join("\n"),
    );
  });

  it("numbers several calls, each with its code, and tells how to answer one or all", () => {
    const text = frameText([approvalOf("K7QF"), approvalOf("3M2P")], settings);
    for (const part of ["**2 calls", "**1/2** ⟦K7QF⟧", "**2/2** ⟦3M2P⟧", "`yes K7QF, no 3M2P`", "`yes all`"]) {
      expect(text).toContain(part);
    }
  });

  it("says that the code must be typed where it must, and then offers no answer to all", () => {
    const typed = { typedCode: true, now: 0 };
    expect(frameText([approvalOf("K7QF")], typed)).toContain("The code must be typed: `yes K7QF`.  \n");
    for (const all of [[approvalOf("K7QF")], [approvalOf("K7QF"), approvalOf("3M2P")]]) {
      const text = frameText(all, { ...typed, untrusted: true });
      expect(text).toMatch(
        /The code must be typed: `yes K7QF[^`]*`\. Text from elsewhere is in this conversation\. {2}\n/,
      );
    }
    expect(frameText([approvalOf("K7QF"), approvalOf("3M2P")], typed)).not.toContain("`yes all`");
  });

  it("still stands for a day a moment after it was asked for one", () => {
    const asked = [approvalOf("K7QF")];
    for (const [now, time] of [
      [2_000, "24 h"],
      [61_000, "23 h"],
      [DAY - 7_190_000, "119 min"],
      [DAY - 30_000 + 40, "30 s"],
      [DAY - 1, "1 s"],
    ] as const)
      expect(frameText(asked, { typedCode: false, now })).toContain(`This stands for ${time}.`);
  });

  it("offers an edit and a grant only where they are possible", () => {
    const over = { editable: false, grantable: false };
    expect(frameText([approvalOf("K7QF", { over })], settings)).not.toMatch(/`edit |always|edit \/|\/ edit/);
    // A grant answers what is asked of every call, and nothing else.
    expect(frameText([approvalOf("K7QF", { asks: ["first_use"] })], settings)).not.toContain("always");
  });

  it("offers to tell more where there is more, and says what that is", () => {
    const bare = frameText([approvalOf("K7QF", { asks: ["first_use"] })], settings);
    expect(bare).not.toContain("learn more");
    const told = approvalOf("K7QF", { asks: ["first_use"], traits: { learnMore: "GNORM finds names." } });
    const one = frameText([told], settings);
    expect(one).toMatch(/ \/ learn more\]$/m);
    expect(one).toContain("\n`learn more` tells more about the tool.  \n");
    expect(frameText([approvalOf("3M2P"), told], settings)).toContain("`learn more K7QF` tells more about the tool.");
  });

  it("says how long the whole of a cut value is, and offers the preview of it", () => {
    const cut = approvalOf("K7QF", { arguments: { id: "n1", body: "x".repeat(612), list: [1, 2] } });
    const text = frameText([cut], settings);
    expect(text).toMatch(/^ {2}body: "x{299}… \(612 characters, preview shows all\)$/m);
    expect(text).toContain('  id: "n1"\n');
    expect(text).toContain("[Apply changes? yes / no / edit / preview]");
    // A value's own dots are no sign of it.
    const own = frameText([approvalOf("K7QF", { arguments: { body: "and so on…", "…": "…" } })], settings);
    expect(own).not.toContain("preview");
    const many = Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`a${at}`, at]));
    expect(frameText([approvalOf("K7QF", { arguments: many })], settings)).toContain(
      "  … (3 more, preview shows them)",
    );
  });

  it("tells the time that is left, of several the shortest", () => {
    const left = (...expiresAt: number[]) =>
      frameText(
        expiresAt.map((at, index) => approvalOf(`K7Q${index + 2}`, { over: { expiresAt: at } })),
        settings,
      );
    expect(left(30_000)).toContain("for 30 s.");
    expect(left(DAY, 600_000)).toContain("for 10 min.");
    expect(left(7 * DAY)).toContain("for 7 days.");
    expect(left(-5)).toContain("for 1 s.");
  });

  it("is empty where nothing waits", () => expect(frameText([], settings)).toBe(""));
});

const approval = fc.record({
  code,
  name: hostileText,
  args: fc.dictionary(hostileText, fc.oneof(hostileText, fc.array(hostileText)), { maxKeys: 4 }),
  old: hostileText,
  description: hostileText,
  template: fc.option(hostileText),
  language: fc.constantFrom(...languages),
  asks: fc.subarray(["first_use", "confirmation_required", "arguments_suspicious"]),
});

const drawn = fc
  .tuple(fc.uniqueArray(approval, { minLength: 1, maxLength: 3, selector: (one) => one.code }), fc.boolean())
  .map(([all, typedCode]) => {
    const approvals = all.map(({ code, name, args, old, description, template, language, asks }) =>
      approvalOf(code, {
        traits: { name, description, destination: old, learnMore: old, ...(template ? { disclosure: template } : {}) },
        arguments: { ...args, old_string: old, new_string: `${old}x\n${old}` },
        suspicious: { set: "shell", path: `/${name}` },
        language,
        asks,
      }),
    );
    return { codes: all.map(({ code }) => code), approvals, text: frameText(approvals, { typedCode, now: 0 }) };
  });

describe("whatever a call holds", () => {
  it("no_value_closes_the_fence: outside of it stand only words of ours, and codes", () => {
    fc.assert(
      fc.property(drawn, ({ codes, text }) => {
        const lines = text.split("\n");
        const fences = lines.flatMap((line, index) => (/^\s*(?:`{3,}|~{3,})/.test(line) ? [index] : []));
        expect(fences.filter((_, index) => index % 2 === 0).map((at) => lines[at])).toEqual(codes.map(() => "```text"));
        expect(fences.filter((_, index) => index % 2 === 1).map((at) => lines[at])).toEqual(codes.map(() => "```"));
        expect(text.match(/`{3,}/g)).toHaveLength(2 * codes.length);
        let inside = false;
        for (const line of lines) {
          if (line.startsWith("```")) inside = !inside;
          else if (!inside) expect(line).not.toMatch(/[<>[\]!|\\{}$]/);
        }
      }),
    );
  });

  it("no_value_makes_a_line_of_its_own, nor turns one around", () => {
    fc.assert(
      fc.property(drawn, ({ text, approvals }) => {
        for (const [index, { disclosure }] of approvals.entries()) {
          const { arguments: args, changes, notes, undoing, more } = disclosure;
          const lines = args.length + Math.min(21, changes.length) + notes.length + (undoing ? 1 : 0) + (more ? 1 : 0);
          const inside = text
            .split(/^```(?:text)?$/m)
            [2 * index + 1]?.replace(/^\n|\n$/g, "")
            .split("\n");
          expect(inside).toHaveLength(1 + lines + 2);
        }
        expect(text).not.toMatch(/[\r\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b-\u200f\0]/);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });

  it("read_codes_finds_exactly_the_codes, also once a frontend has drawn or escaped the text", () => {
    const escaped = (text: string) =>
      text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
    const drawnAgain: readonly ((text: string) => string)[] = [
      (text) => text,
      escaped,
      (text) => text.replaceAll("\n", "\r\n"),
      (text) => text.replace(/\s+/g, " "),
      (text) => text.replace(/[*`]/g, ""),
      (text) => text.replaceAll(" ", "\u00a0"),
      (text) => text.replaceAll("*", "\\*"),
      (text) => text.toLowerCase(),
      (text) => `Let me change that.\n\n${text}`,
    ];
    fc.assert(
      fc.property(drawn, fc.constantFrom(...drawnAgain), ({ codes, text }, again) => {
        expect(readCodes(again(text))).toEqual(codes);
      }),
    );
  });
});

describe("a code", () => {
  it("is read only between the frame's own marks", () => {
    expect(readCodes("K7QF [K7QF] (K7QF) yes K7QF ⟦K7QF ⟦⟧ ⟦K7QFX⟧ ⟦K0QF⟧")).toEqual([]);
    expect(readCodes("⟦ k7qf ⟧ and **⟦3M2P⟧** ⟦K7QF⟧")).toEqual(["K7QF", "3M2P"]);
  });

  it("is looked for in linear time", () => {
    const started = process.threadCpuUsage();
    for (const part of ["⟦", "⟦ ", "⟦K7QF", "⟦        "]) readCodes(part.repeat(100_000 / part.length));
    expect(cpuSince(started)).toBeLessThan(500);
  });
});

describe("the line of a call that runs unasked", () => {
  const line = (sample: Parameters<typeof disclosureOf>[0]) => unaskedLine(disclosureOf({ ...sample, asks: [] }));

  it("is the policy's template, else the tool with its arguments", () => {
    const args = { query: "hermeneutical circle" };
    const disclosure = 'Searching your notes for "{{query}}"';
    expect(line({ traits: { disclosure }, arguments: args })).toBe(
      '`Searching your notes for "hermeneutical circle"…`',
    );
    expect(line({ traits: { name: "search_notes" }, arguments: args })).toBe(
      '`search_notes: query "hermeneutical circle"…`',
    );
  });

  it("is one span of code, whatever the arguments hold", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (name, value) => {
        const text = line({ traits: { name, disclosure: `For {{q}}` }, arguments: { q: value } });
        expect(text).toMatch(/^`[^`\r\n]*…`$/);
        expect(readCodes(text)).toEqual([]);
        expect(line({ traits: { name }, arguments: { [name]: value } })).toMatch(/^`[^`\r\n]*…`$/);
      }),
    );
  });
});
