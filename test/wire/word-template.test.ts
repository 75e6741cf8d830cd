import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchTemplate, templateOf } from "../../src/wire/word-template.ts";

const eventOf = (content: string, id = "chatcmpl-1") =>
  JSON.stringify({ id, choices: [{ index: 0, delta: { content }, finish_reason: null }] });

const template = templateOf(eventOf("hello"));
if (!template) throw new Error("the usual event has a template");

describe("a word event's template", () => {
  it("finds the words of the same event, as they stand between the quotes", () => {
    expect(matchTemplate(template, eventOf("world"))).toBe("world");
    expect(matchTemplate(template, eventOf(""))).toBe("");
    expect(matchTemplate(template, eventOf('a "quote"\n'))).toBe('a \\"quote\\"\\n');
  });

  it("what_it_matches_reads_as_the_same_event_with_these_words", () => {
    const changed = fc
      .tuple(fc.string({ unit: "binary" }), fc.nat(), fc.nat(8), fc.string({ maxLength: 4 }))
      .map(([words, at, cut, put]) => {
        const event = eventOf(words);
        const place = at % (event.length + 1);
        return event.slice(0, place) + put + event.slice(place + cut);
      });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }).map((words) => eventOf(words)),
          changed,
        ),
        (data) => {
          const text = matchTemplate(template, data);
          if (text === undefined) return;
          expect(JSON.parse(data)).toEqual(JSON.parse(eventOf(JSON.parse(`"${text}"`))));
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ["another id", eventOf("world", "chatcmpl-2")],
    ["another ending", eventOf("world").replace("null", '"stop"')],
    ["more at its end", `${eventOf("world")} `],
    ["more at its beginning", ` ${eventOf("world")}`],
    ["a shorter one", eventOf("world").slice(0, -1)],
    ["its two sides over each other", template.before + template.after.slice(1)],
    ["a string that ends early", eventOf("X").replace("X", 'a","b":"c')],
    ["an escape by code", eventOf("X").replace("X", "\\u0022")],
    ["a name of calls", eventOf("tool_calls")],
    ["a line separator", eventOf("a\u2028b")],
  ])("is not met by %s", (_, data) => {
    expect(matchTemplate(template, data)).toBeUndefined();
  });
});
