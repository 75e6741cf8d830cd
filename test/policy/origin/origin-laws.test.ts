import fc from "fast-check";
import { expect, test } from "vitest";
import { type SourceText, sourcesOf } from "../../../src/policy/origin/sources/sources.ts";

/** Values that people type: addresses, URLs, ids, names, numbers. */
const label = fc.stringMatching(/^[a-z][a-z0-9]{2,8}$/);
const value = fc.oneof(
  fc.tuple(label, label).map(([name, host]) => `${name}@${host}.com`),
  fc.tuple(label, label).map(([host, path]) => `https://${host}.org/${path}`),
  fc.tuple(label, label).map(([folder, file]) => `${folder}/${file}.txt`),
  fc.tuple(label, label).map((words) => words.join(" ")),
  fc.integer({ min: 100, max: 999_999 }).map(String),
  fc.stringMatching(/^[A-Z]{2}[0-9]{6}$/),
);
const filler = fc.array(fc.constantFrom("please", "send", "it", "to", "the", "bitte", "请", "を"), { maxLength: 8 });

const untrusted = (text: string): SourceText => ({
  kind: "result",
  tool: "read",
  callId: "c",
  text,
  trust: { whole: false, fields: [] },
});
const user = (text: string): SourceText => ({ kind: "user", text });
const grounds = (texts: readonly SourceText[], wanted: string) => sourcesOf(texts).originOf(wanted) !== undefined;

test("what_the_user_typed_is_grounded", () => {
  fc.assert(
    fc.property(filler, value, filler, (before, typed, after) => {
      const text = [...before, typed, ...after].join(" ");
      expect(grounds([user(text)], typed)).toBe(true);
      expect(grounds([user(`${before.join(" ")} "${typed}", ${after.join(" ")}`)], typed)).toBe(true);
    }),
  );
});

test("what_stands_only_in_untrusted_text_is_not", () => {
  fc.assert(
    fc.property(filler, value, fc.boolean(), (words, hidden, asJson) => {
      const text = words.join(" ");
      fc.pre(!text.includes(hidden));
      const held = asJson ? JSON.stringify({ id: hidden, title: text }) : `${text} ${hidden}`;
      expect(grounds([user(text), untrusted(held)], hidden)).toBe(false);
    }),
  );
});

test("adding_untrusted_text_never_grounds", () => {
  fc.assert(
    fc.property(filler, value, fc.string({ unit: "grapheme" }), value, (words, wanted, noise, other) => {
      const texts = [user([...words, other].join(" "))];
      const added = [...texts, untrusted(`${noise} ${wanted}`), untrusted(JSON.stringify({ id: wanted, name: other }))];
      expect(grounds(added, wanted)).toBe(grounds(texts, wanted));
    }),
  );
});

test("one_character_more_or_less_is_another_value", () => {
  fc.assert(
    fc.property(value, fc.nat(), fc.stringMatching(/^[a-z0-9.@/\u0430\u200b\uff41]$/), (typed, place, added) => {
      const at = place % (typed.length + 1);
      const longer = typed.slice(0, at) + added + typed.slice(at);
      const [before, after] = [typed.charAt(at - 1), typed.charAt(at)];
      // A stop or a slash at the end of a word, and `@` before one, are spellings of it.
      const isSpelling = /[./]/.test(added)
        ? before.trim() === "" || after.trim() === ""
        : added === "@" && before.trim() === "";
      fc.pre(!isSpelling && !/\.\/|\/\//.test(longer.replace("://", "")));
      // `10.000` is `10000`.
      fc.pre(!(added === "." && /^\d+$/.test(typed)));
      expect(grounds([user(`send it to ${typed} now`)], longer)).toBe(false);
    }),
  );
});

test("no_text_makes_it_throw", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, wanted) => {
      const sources = sourcesOf([
        user(text),
        untrusted(text),
        { ...untrusted(text), trust: { whole: true, fields: [] } },
      ] as SourceText[]);
      expect(() => sources.originOf(wanted)).not.toThrow();
      expect(() => sources.whereFrom(wanted)).not.toThrow();
    }),
  );
});
