import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCodes } from "../../../src/approvals/codes.ts";
import { frameText } from "../../../src/approvals/disclosure/frame.ts";
import { unconfirmedLine } from "../../../src/approvals/disclosure/title.ts";
import type { TitledCall } from "../../../src/approvals/disclosure/title-object.ts";
import { languages } from "../../../src/lib/text/languages.ts";
import { cpuSince } from "../../support/cpu-time.ts";
import { approvalOf, code, DAY, hostileText, traitsOf, viewOf } from "../samples.ts";
import { outsideOfQuotes } from "./markdown-reader.ts";

const settings = { typedCode: false, now: 0 };
const deletes = { traits: { name: "delete_file" }, arguments: { path: "old.txt" } };
const frame = (sample: Parameters<typeof approvalOf>[1], more: Partial<Parameters<typeof frameText>[1]> = {}) =>
  frameText([approvalOf("K7QF", sample)], { ...settings, ...more });

describe("the question in the chat", () => {
  it("names the act, says what follows, and how to answer", () => {
    expect(frame(deletes)).toBe(
      [
        "**Delete `old.txt`?** ⟦K7QF⟧",
        "",
        "⚠ This cannot be undone.",
        "",
        "Reply `yes` / `no` / `edit field=value`. `always` also allows any later use of this tool in this conversation, without asking. " +
          "Anything else cancels this; a question such as `why?` is fine. Expires in 24 h.",
      ].join("\n"),
    );
  });

  it("explains its answers once in a conversation", () => {
    expect(frame(deletes, { explained: true }).split("\n").at(-1)).toBe(
      "`yes` / `no` / `edit` / `always` · `/toolgate help`",
    );
    expect(frame(deletes, { explained: true, typedCode: true }).split("\n").at(-1)).toBe(
      "With the code, because the policy asks for it: `yes K7QF` / `no` / `edit K7QF` / `always K7QF` · `/toolgate help`",
    );
  });

  it("is one line where it stands whole above", () => {
    expect(frame(deletes, { brief: true, typedCode: true })).toBe(
      "**Delete `old.txt`?** ⟦K7QF⟧ · With the code, because the policy asks for it: `yes K7QF` / `no` / `edit K7QF` / `always K7QF` · `/toolgate help`",
    );
    const two = frameText([approvalOf("K7QF", deletes), approvalOf("3M2P", deletes)], { ...settings, brief: true });
    expect(two.split("\n\n")).toEqual([
      "**2 actions need your answer**",
      "**1/2 Delete `old.txt`?** ⟦K7QF⟧",
      "**2/2 Delete `old.txt`?** ⟦3M2P⟧",
      "`yes K7QF, no 3M2P` / `yes all` / `edit K7QF` / `always K7QF` · `/toolgate help`",
    ]);
  });

  it("lists the values that its title does not show, each whole where it is short", () => {
    const text = frame({ traits: { name: "write_file" }, arguments: { path: "a.txt", mode: 5, text: "5", list: [1] } });
    expect(text).toContain("**Write `a.txt`?**");
    expect(text).toContain('\n- mode: `5`\n- text: `"5"`\n- list: `[1]`\n');
  });

  it("quotes a text line by line, and sets one in a fence whose layout matters", () => {
    const mail = "Hi Ada,\nthe build is red, and nobody has looked at it since the morning.\n\nBest\n";
    expect(frame({ arguments: { body: mail } })).toContain(
      [
        "- body:",
        "",
        "> `Hi Ada,`  ",
        "> `the build is red, and nobody has looked at it since the morning.`  ",
        "> `⏎`  ",
        "> `Best⏎`",
      ].join("\n"),
    );
    const script = `if (x) {\n  run(\`${"y".repeat(80)}\`);\n}\n\`\`\`\n`;
    expect(frame({ arguments: { code: script } })).toContain(
      ["````text", "if (x) {", `  run(\`${"y".repeat(65)}`, `↪ ${"y".repeat(15)}\`);`, "}", "```⏎", "````"].join("\n"),
    );
  });

  it("shows a value that is not given unless the call only reads, as the API does", () => {
    const args = { title: "Gadamer", tags: null, links: [] };
    for (const category of ["note_taking", "modification", "external", "read_only"] as const) {
      const sample = { traits: { name: "write_note", category }, arguments: args };
      const isShown = category !== "read_only";
      expect([category, frame(sample).includes("- tags: `null`\n- links: `[]`")]).toEqual([category, isShown]);
      const names = viewOf(sample).arguments.map(({ name }) => name);
      expect([category, names.includes("tags") && names.includes("links")]).toEqual([category, isShown]);
    }
  });

  it("shows what changes line by line, and no value twice", () => {
    const args = { id: "n1", old_string: "a\n  b", new_string: "a\n  c" };
    const text = frame({ traits: { reversible: true, undo: { tool: "restore_note" } }, arguments: args });
    expect(text.split("\n").slice(0, 10)).toEqual([
      "**Change `n1`?** ⟦K7QF⟧",
      "",
      "```diff",
      "  a",
      "-   b",
      "+   c",
      "```",
      "",
      "`/toolgate undo` takes it back.",
      "",
    ]);
    const far = Array.from({ length: 60 }, (_, index) => `line ${index}`);
    const long = frame({ arguments: { old_string: far.join("\n"), new_string: far.with(30, "other").join("\n") } });
    expect(long).toMatch(/- old_string \(\d+ characters; check number [0-9a-f]{8}\)\n- new_string \(/);
    expect(long).toContain("`preview` shows everything.");
  });

  it("says how much of a long value it does not show, and what shows it", () => {
    const text = frame({ arguments: { id: "n1", body: "x".repeat(612), list: [1, 2] } });
    expect(text).toMatch(/^- body: \(612 characters; check number [0-9a-f]{8}\)\n\n> `x{36}` {2}\n> `↪ x{34}` {2}\n/m);
    expect(text.replace(/` {2}\n> `↪ /g, "")).toContain(`> \`${"x".repeat(250)}…${"x".repeat(50)}\`\n`);
    expect(frame({ arguments: { id: "n1", body: "xx ".repeat(204) } })).toMatch(
      /^- body: `(?:xx )+x*…[x ]+␠` \(with escapes; 612 characters; check number [0-9a-f]{8}\)$/m,
    );
    expect(text).toContain("`preview` shows everything.");
    expect(frame({ arguments: { body: "and so on…", "…": "…" } })).not.toContain("preview");
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`).join("\n");
    expect(frame({ arguments: { lines } })).toMatch(
      /^- lines: \(309 characters; check number [0-9a-f]{8}\)\n\n> `line 0`/m,
    );
    const many = Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`a${at}`, at]));
    expect(frame({ arguments: many })).toContain("\n- … (13 more)\n");
  });

  it("shows where a call of many arguments goes, how much and to what it is done, first and always", () => {
    const filler = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`note_text_${at}`, at]));
    const text = frame({
      traits: { name: "pay_invoice" },
      arguments: { ...filler, iban: "DE1", amount: 7, invoice_id: "A-1" },
    });
    for (const shown of ["DE1", "7", "A-1"]) expect(text).toContain(`\`${shown}\``);
    const many = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`email_${at}`, `p${at}@x.example`]));
    const all = frame({ traits: { name: "send_offer" }, arguments: { ...filler, ...many } });
    for (let at = 0; at < 14; at += 1) expect(all).toContain(`p${at}@x.example`);
    // Ten at most stay in their own order.
    const few = frame({ arguments: { zeta: "n", iban: "DE1", last: 5 } });
    expect(few.indexOf("- zeta")).toBeLessThan(few.indexOf("- iban"));
  });

  it("marks a value in which something stands as an escape", () => {
    const text = frame({ arguments: { a: "a\u200bb", b: `safe.txt${" ".repeat(400)}/etc/passwd`, c: "⟦AB23⟧" } });
    expect(text).toContain("- a: `a\\u200bb` (with escapes)\n");
    expect(text).toContain("- b: `safe.txt⟨␠×400⟩/etc/passwd` (with escapes)\n");
    expect(text).toContain("- c: `\\u27e6AB23\\u27e7` (with escapes)\n");
    expect(readCodes(text)).toEqual(["K7QF"]);
  });

  it("numbers several calls, each with its code, and tells how to answer one or all", () => {
    const text = frameText([approvalOf("K7QF"), approvalOf("3M2P")], settings);
    for (const part of [
      "**2 actions",
      "**1/2 ",
      "** ⟦K7QF⟧",
      "**2/2 ",
      "** ⟦3M2P⟧",
      "`yes K7QF, no 3M2P`",
      "`yes all`",
    ]) {
      expect(text).toContain(part);
    }
  });

  it("says that the code must be typed where it must, and then offers no answer to all", () => {
    const typed = { typedCode: true, now: 0 };
    expect(frameText([approvalOf("K7QF")], typed)).toContain(
      "Reply with the code, because the policy asks for it: `yes K7QF` / `no` / `edit K7QF field=value`.",
    );
    // A mere no would not say which of two it means.
    const two = frameText([approvalOf("K7QF"), approvalOf("3M2P")], { ...typed, whyTyped: "otherCode" });
    expect(two).toContain(
      "Reply to each with its code, because this reply holds another code too: `yes K7QF, no 3M2P`.",
    );
    expect(two).not.toContain("needs no code");
    for (const all of [[approvalOf("K7QF")], [approvalOf("K7QF"), approvalOf("3M2P")]]) {
      const text = frameText(all, { ...typed, whyTyped: "untrusted" });
      expect(text).toMatch(/because text from elsewhere is in this conversation/);
      expect(frameText(all, { ...typed, whyTyped: "untrusted", explained: true })).toMatch(
        /With the code, because text from elsewhere is in this conversation: `yes K7QF/,
      );
    }
    expect(frameText([approvalOf("K7QF"), approvalOf("3M2P")], typed)).not.toContain("`yes all`");
  });

  it("offers an edit and what lasts only where they are possible", () => {
    const over = { editable: false, grantable: false };
    expect(frame({ over })).not.toMatch(/`edit|always/);
    const external = { category: "external" } as const;
    const first = (asks: string[], persistsGate: boolean, grantable: boolean) =>
      frame({ traits: external, asks, persistsGate, over: { grantable } });
    expect(first(["first_use"], true, false)).toContain("`always` also enables it from now on, until you withdraw it.");
    expect(first(["first_use"], false, false)).toContain("`always` also enables it for this conversation.");
    expect(first(["first_use", "confirmation_required"], true, true)).toContain(
      "`always` also enables it from now on, until you withdraw it. Later uses are still asked about.",
    );
  });

  it("offers to use the values of a result where one can be endorsed", () => {
    const over = { endorsable: { tool: "read_mail", callId: "c1", digest: "d1" } };
    expect(frame({ over })).toContain(
      " `yes, use its values` also accepts other addresses, names and numbers from the result of `read_mail` for this task, without asking again. ",
    );
    const [first, second] = [approvalOf("K7QF"), approvalOf("3M2P", { over })];
    expect(frameText([first, second], settings)).toContain("`yes 3M2P, use its values` also accepts");
    const named = { ...over.endorsable, tool: "a`{example}\u202e" };
    expect(frame({ over: { endorsable: named } })).toContain("from the result of ``a`{example}");
    expect(frame({})).not.toContain("use its values");
  });

  it("offers to tell more where there is more, and says what that is", () => {
    expect(frame({ asks: ["first_use"] })).not.toContain("learn more");
    const told = approvalOf("K7QF", { asks: ["first_use"], traits: { learnMore: "GNORM finds names." } });
    expect(frameText([told], settings)).toContain(" `learn more` tells more about the tool.");
    expect(frameText([approvalOf("3M2P"), told], settings)).toContain("`learn more K7QF` tells more about the tool.");
  });

  it("carries a link to a page where there is one", () => {
    const linkTo = ({ id }: { id: string }) => `https://gate.example/approve/${id}.x`;
    expect(frame(deletes, { linkTo }).split("\n")[0]).toBe(
      "**Delete `old.txt`?** ⟦K7QF⟧ · [Answer in the browser](https://gate.example/approve/appr_K7QF.x)",
    );
  });

  it("names what `always` is for, unless that is long or kept out of records", () => {
    const lasting = (goesTo: Record<string, string[]>) =>
      frame({ over: { goesTo, destinations: { customer: "d1", note_to: "d2" } } });
    expect(lasting({ customer: ["cu_12"], note_to: ["cu_12", "b`c"] })).toContain(
      " `always` also allows any later use of this tool for `cu_12` and ``b`c`` in this conversation, without asking. ",
    );
    const same =
      " `always` also allows any later use of this tool with the same `customer` and `note_to` in this conversation, without asking. ";
    expect(lasting({ customer: ["[redacted]"], note_to: ["cu_12"] })).toContain(same);
    expect(lasting({ customer: ["x".repeat(190)], note_to: ["cu_12"] })).toContain(same);
    expect(lasting({})).toContain(same);
    const over = { goesTo: { url: ["shop.example"] }, destinations: { url: "d1" } };
    expect(frame({ asks: ["first_use"], persistsGate: true, over })).toContain(
      "`always` also enables it from now on, until you withdraw it. That holds only for `shop.example`. ",
    );
  });

  it("shows that a text goes on, and by how many lines", () => {
    const text = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");
    expect(frame({ arguments: { body: text(12) } })).toMatch(/> `line 12`\n\n(?!…)/);
    expect(frame({ arguments: { body: text(13) } })).toMatch(/> `line 12`\n\n… \(1 more line\)\n/);
    expect(frame({ arguments: { body: text(20) } })).toMatch(/> `line 12`\n\n… \(8 more lines\)\n/);
    expect(frame({ arguments: { body: `a\n${"x".repeat(900)}` } })).toMatch(/`\n\n…\n/);
    expect(frame({ arguments: { body: text(13) }, language: "de" })).toContain("… (noch 1 Zeile)");
  });

  it("tells the time that is left, of several the shortest, and no hour less than there is", () => {
    const left = (now: number, ...expiresAt: number[]) =>
      /Expires in (.*)\.$/.exec(
        frameText(
          expiresAt.map((at, index) => approvalOf(`K7Q${index + 2}`, { over: { expiresAt: at } })),
          { typedCode: false, now },
        ),
      )?.[1];
    for (const [now, time] of [
      [0, "24 h"],
      [2_000, "24 h"],
      [61_000, "23 h 59 min"],
      [DAY - 7_190_000, "2 h"],
      [DAY - 30_000, "30 s"],
      [DAY - 1, "1 s"],
    ] as const)
      expect(left(now, DAY)).toBe(time);
    expect([left(0, DAY, 600_000), left(0, 7 * DAY), left(0, -5)]).toEqual(["10 min", "7 days", "1 s"]);
  });

  it("is in the language of the conversation", () => {
    expect(frame({ ...deletes, language: "ja" })).toMatch(/^\*\*`old\.txt` を削除しますか？\*\* ⟦K7QF⟧\n/);
    expect(frame({ ...deletes, language: "zh" })).toMatch(/^\*\*删除 `old\.txt`？\*\* ⟦K7QF⟧\n/);
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
  .tuple(
    fc.uniqueArray(approval, { minLength: 1, maxLength: 3, selector: (one) => one.code }),
    fc.record({ typedCode: fc.boolean(), explained: fc.boolean(), brief: fc.boolean() }),
  )
  .map(([all, more]) => {
    const approvals = all.map(({ code, name, args, old, description, template, language, asks }) =>
      approvalOf(code, {
        traits: { name, description, destination: old, learnMore: old, ...(template ? { disclosure: template } : {}) },
        arguments: { ...args, old_string: old, new_string: `${old}x\n${old}` },
        suspicious: { set: "shell", path: `/${name}` },
        language,
        asks,
      }),
    );
    return { codes: all.map(({ code }) => code), approvals, text: frameText(approvals, { ...more, now: 0 }) };
  });

describe("whatever a call holds", () => {
  it("no_value_leaves_its_quotes: outside of them stand only words of ours, and codes", () => {
    fc.assert(
      fc.property(drawn, ({ codes, text }) => {
        const outside = outsideOfQuotes(text);
        expect(outside.match(/⟦.*?⟧/g)).toEqual(codes.map((one) => `⟦${one}⟧`));
        // No link, image, HTML, fence, formula or emphasis comes to life; what the policy wrote of them is escaped.
        expect(outside.replace(/\\[\\`*_[\]<>|~#{}$&]/g, "").replace(/^> /gm, "")).not.toMatch(/[<>[\]|\\{}$`~#]|!\[/);
      }),
    );
  });

  it("nothing_is_unseen, nor turned around", () => {
    fc.assert(
      fc.property(drawn, ({ text: drawnText, approvals: [first] }) => {
        // French has these two before some signs of its own.
        const text =
          first?.disclosure.language === "fr"
            ? drawnText.replace(/[\u00a0\u202f](?=[?!;:»])|(?<=«)\u00a0/g, " ")
            : drawnText;
        expect(text).not.toMatch(/[\r\t\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u00a0\u202f\u2800\0]/);
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
  const line = (traits: { name?: string; disclosure?: string }, args: Record<string, unknown>) => {
    const { name, disclosure } = { ...traitsOf(), ...traits };
    const call: Pick<TitledCall, "disclosure" | "args"> = {
      disclosure: { tool: name, category: "read_only", listed: true, template: disclosure ?? null, description: null },
      args,
    };
    return unconfirmedLine(call, "en");
  };

  it("is the policy's sentence, else the tool with its arguments", () => {
    const args = { query: "hermeneutical circle" };
    expect(line({ disclosure: 'Searching your notes for "{{query}}"' }, args)).toBe(
      '`Searching your notes for "hermeneutical circle"…`',
    );
    expect(line({ name: "search_notes" }, args)).toBe('`search_notes: query "hermeneutical circle"…`');
  });

  it("is one span of code, whatever the arguments hold", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (name, value) => {
        for (const text of [line({ name, disclosure: "For {{q}}" }, { q: value }), line({ name }, { [name]: value })]) {
          expect(outsideOfQuotes(text).trim()).toBe("");
          expect(readCodes(text)).toEqual([]);
        }
      }),
    );
  });
});
