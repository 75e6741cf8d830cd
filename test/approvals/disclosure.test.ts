import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { languages } from "../../src/approvals/disclosed.ts";
import { discloseCall } from "../../src/approvals/disclosure.ts";
import { disclosureText } from "../../src/approvals/disclosure-text.ts";
import { languageOf } from "../../src/approvals/language.ts";
import { placesOf, splitQuestion } from "../../src/approvals/template.ts";
import { disclosureOf, hostileText, traitsOf } from "./samples.ts";

const gnorm = { name: "gnorm_annotate", category: "external", destination: "the GNORM API" } as const;

describe("an undo", () => {
  it.each([
    ["en", "This takes back `create_note` (title \"A 'quoted' one\", pinned true)."],
    ["zh", "这会撤销 `create_note`（title \"A 'quoted' one\", pinned true）。"],
    ["ja", "これにより `create_note`（title \"A 'quoted' one\", pinned true）が取り消されます。"],
  ] as const)("says first what it takes back, in %s", (language, note) => {
    const undoes = { tool: "create_note", arguments: { title: 'A "quoted" one', pinned: true } };
    const traits = traitsOf({ name: "delete_note" });
    const call = { traits, arguments: { id: "n1" }, language, asks: ["confirmation_required"], persistsGate: true };
    expect(discloseCall({ ...call, undoes }).notes[0]).toBe(note);
    expect(discloseCall({ ...call, undoes: { tool: "a`b", arguments: {} } }).notes[0]).toContain("`a'b`");
    expect(discloseCall(call).notes.join()).not.toContain("create_note");
  });
});

describe("the disclosure", () => {
  it("says what happens, with which arguments, where data goes, and whether it can be undone", () => {
    const disclosure = disclosureOf({
      traits: { ...gnorm, description: "annotate a text", sensitive: true, redact: ["key"] },
      arguments: { text: "Augustine", key: "s3cret" },
    });
    expect(disclosureText(disclosure).split("\n")).toEqual([
      "The assistant wants to use `gnorm_annotate`. Annotate a text.",
      '  text: "Augustine"',
      '  key: "[redacted]"',
      "The text shown here will be sent to the GNORM API.",
      "It is marked as sensitive.",
      "⚠ What is sent cannot be taken back.",
    ]);
    expect(disclosure).toMatchObject({ destination: "the GNORM API", reversible: false, question: "Proceed?" });
    expect(disclosure.arguments.map(({ redacted }) => redacted)).toEqual([false, true]);
  });

  it("puts no English article into a sentence of another language", () => {
    const notes = (language: "zh" | "ja") => disclosureOf({ traits: gnorm, language }).notes.join();
    expect(notes("zh")).toContain("发送到 GNORM API");
    expect(notes("ja")).toContain("内容は GNORM API に");
  });

  it("says what the category does where the policy describes nothing", () => {
    const of = (category: "read_only" | "note_taking" | "modification" | "external") =>
      disclosureText(disclosureOf({ traits: { name: "x", category } }));
    expect(of("read_only")).toBe("The assistant wants to use `x`. It looks something up.");
    expect(of("note_taking")).toContain("It creates something new");
    expect(of("modification")).toMatch(/This will modify your existing work\.\n⚠ This cannot be undone\.$/);
    expect(of("external")).toContain("The text shown here will leave this system.");
  });

  it("asks by what is at stake", () => {
    const asks = ["first_use", "confirmation_required"];
    expect(disclosureOf().question).toBe("Apply changes?");
    expect(disclosureOf({ traits: { category: "note_taking" } }).question).toBe("Proceed?");
    const here = disclosureOf({ traits: gnorm, asks, persistsGate: false });
    expect(here.summary).toMatch(/^This is the first time that `gnorm_annotate` is used in this session\./);
    expect(here.question).toBe("Enable gnorm_annotate for this session?");
    expect(disclosureOf({ traits: gnorm, asks }).question).toBe(
      "Enable gnorm_annotate from now on, until you withdraw it?",
    );
  });

  it("uses the policy's template, and the question that it ends with", () => {
    const disclosure = "I'd like to create a note: {{title}} ({{tags}}, {{meta.lang}}, {{gone}}). Create note?";
    const call = disclosureOf({
      traits: { category: "note_taking", disclosure, redact: ["secret"] },
      arguments: { title: 'a "b"\nc', tags: ["x", "y"], meta: { lang: "en" } },
    });
    expect(call.summary).toBe("I'd like to create a note: a 'b' c (x, y, en, {{gone}}).");
    expect(call.question).toBe("Create note?");
    // A question with an argument in it is the model's to write.
    expect(splitQuestion("Go on. Really {{title}}?").question).toBeUndefined();
    expect(splitQuestion("Create note?").question).toBeUndefined();
    expect(splitQuestion("{{title}} を書きます。書きますか？").question).toBe("書きますか？");
  });

  it("takes the template of the language, else the English one, else any", () => {
    const of = (disclosure: object, language: "en" | "zh" | "ja") =>
      disclosureOf({ traits: { disclosure }, language }).summary;
    expect(of({ en: "E", ja: "J" }, "ja")).toBe("J");
    expect(of({ en: "E", ja: "J" }, "zh")).toBe("E");
    expect(of({ ja: "J" }, "en")).toBe("J");
    expect(placesOf({ en: "{{a}} {{ b.c }}", ja: "{{a}} {{d}}" })).toEqual(["a", "b.c", "d"]);
  });

  it("says what looked like an attack, and where, but no name inside of what is hidden", () => {
    const of = (path: string, set = "path_traversal") =>
      disclosureOf({
        asks: ["arguments_suspicious"],
        suspicious: { set, path },
        traits: { redact: ["user"] },
        arguments: { file: "../x", user: { s3cret: "../y" } },
      }).notes.at(-1);
    expect(of("/file")).toBe(
      "⚠ Look closely: `/file` holds what looks like an attack (a path that leaves its folder).",
    );
    expect(of("/file", "our_own")).toContain("(our_own)");
    expect(of("/user/s3cret")).toContain("`/user`");
  });

  it("tells an argument as redacted only where the policy redacts it", () => {
    const { arguments: args } = disclosureOf({ arguments: { body: "[redacted]" } });
    expect(args).toEqual([{ name: "body", value: '"[redacted]"', redacted: false }]);
  });

  it("is bounded", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, "x".repeat(1_000)]));
    const disclosure = disclosureOf({ arguments: { ...many, huge: "y".repeat(1_000_000) } });
    expect(disclosure).toMatchObject({ more: 481 });
    expect(disclosure.arguments).toHaveLength(20);
    expect(JSON.stringify(disclosure).length).toBeLessThan(10_000);
  });

  it("has no hidden value anywhere, whatever the policy and the model write", () => {
    const secret = "s3cr3t-value";
    fc.assert(
      fc.property(hostileText, fc.constantFrom(...languages), (text, language) => {
        const disclosure = disclosureOf({
          traits: {
            redact: ["token", "old_string"],
            disclosure: `${text} {{token}} {{note.token}}`,
            preview: { before: "/token", after: "/new_string" },
          },
          arguments: { token: secret, note: { token: secret }, old_string: secret, new_string: text, diff: "@@\n+x" },
          language,
          asks: ["first_use"],
        });
        expect(JSON.stringify(disclosure)).not.toContain(secret);
        expect(disclosure.changes).toEqual([]);
      }),
    );
  });

  it("holds only single lines of plain text, in every language", () => {
    fc.assert(
      fc.property(hostileText, hostileText, fc.constantFrom(...languages), (name, value, language) => {
        const {
          summary,
          notes,
          arguments: args,
          question,
          undoing,
        } = disclosureOf({
          traits: { name, description: value, destination: value, reversible: true, undo: { tool: name } },
          arguments: { [name]: value },
          language,
        });
        for (const line of [summary, ...notes, ...args.flatMap((one) => [one.name, one.value]), question, undoing]) {
          expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069⟦⟧]|`{3}|~{3}/u);
        }
      }),
    );
  });
});

describe("the language", () => {
  it.each([
    ["auto", "please write a note", "en"],
    ["auto", "请写一条笔记", "zh"],
    ["auto", "メモを書いて", "ja"],
    ["auto", "議事録を書く", "ja"],
    ["auto", "note about 議事録", "zh"],
    ["auto", "메모를 써 줘", "en"],
    ["auto", "", "en"],
    ["ja", "please", "ja"],
    ["en", "请", "en"],
  ] as const)("%s, for %j: %s", (setting, text, language) => {
    expect(languageOf(setting, text)).toBe(language);
  });
});
