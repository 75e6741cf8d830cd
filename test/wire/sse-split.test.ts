import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SseEvent, splitSse } from "../../src/wire/sse-split.ts";

function split(pieces: readonly string[]): SseEvent[] {
  const splitter = splitSse();
  const events = pieces.flatMap((piece) => splitter.push(piece));
  const rest = splitter.end();
  return rest ? [...events, rest] : events;
}

/** What events say. How blank lines between them are shared out says nothing. */
const dataOf = (events: readonly SseEvent[]): string[] =>
  events.flatMap(({ data }) => (data === undefined ? [] : [data]));

/** Small alphabets, so that ends of line and field names meet. */
const piece = fc.constantFrom(
  "\n",
  "\r",
  "\r\n",
  "\n\n",
  "data: ",
  "data:",
  "data",
  "event: x",
  ": c",
  "id: 1",
  "a",
  "{}",
  "\u2028",
  " ",
);
const anyText = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(""));
const cuts = fc.array(fc.nat(200), { maxLength: 12 });

function cutAt(text: string, at: readonly number[]): string[] {
  const places = [...new Set(at.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [...places, text.length].map((place, index) => text.slice(places[index - 1] ?? 0, place));
}

/** Values that a provider would send, in each of the forms that the standard allows. */
const value = fc.string({
  unit: fc.constantFrom("a", '"', "{", " ", ":", "é", "🌍", "\u2028"),
  minLength: 1,
  maxLength: 8,
});
const end = fc.constantFrom("\n", "\r\n", "\r");
const event = fc.record({
  lines: fc.array(value, { minLength: 1, maxLength: 3 }),
  space: fc.boolean(),
  comment: fc.boolean(),
});
const stream = fc
  .record({ events: fc.array(event, { maxLength: 6 }), end })
  .map(({ events, end: eol }) =>
    events
      .map(({ lines, space, comment }) =>
        [...(comment ? [": comment"] : []), ...lines.map((line) => `data:${space ? " " : ""}${line}`), ""]
          .map((line) => line + eol)
          .join(""),
      )
      .join(""),
  );

describe("splitSse", () => {
  it("gives the same events however the text is cut", () => {
    fc.assert(
      fc.property(anyText, cuts, (text, at) => {
        const whole = dataOf(split([text]));
        expect(dataOf(split(cutAt(text, at)))).toEqual(whole);
        expect(dataOf(split(text.split("")))).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  it("loses no text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const raw = split([text])
          .map((one) => one.raw)
          .join("");
        expect(text.startsWith(raw)).toBe(true);
        expect(text.slice(raw.length).trim()).toBe("");
      }),
    );
  });

  it("agrees with eventsource-parser on the data of well-formed streams", () => {
    fc.assert(
      fc.property(stream, cuts, (text, at) => {
        const theirs: string[] = [];
        const parser = createParser({ onEvent: ({ data }) => theirs.push(data) });
        // It waits for what follows a carriage return; so does every stream that goes on.
        parser.feed(`${text}\n`);
        const ours = dataOf(split(cutAt(text, at)));
        expect(ours).toEqual(theirs);
      }),
      { numRuns: 500 },
    );
  });

  it("calls an event plain only if its raw text is one data line", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { raw, data, plain } of split([text])) {
          if (plain)
            expect([
              `data: ${data}\n\n`,
              `data:${data}\n\n`,
              `data: ${data}\r\n\r\n`,
              `data:${data}\r\n\r\n`,
            ]).toContain(raw);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["data: a\n\n", "a", true],
    ["data:a\n\n", "a", true],
    ["data: a\r\n\r\n", "a", true],
    ["data: a\r\r", "a", false],
    ["data: a\ndata: b\n\n", "a\nb", false],
    ["event: x\ndata: a\n\n", "a", false],
    [": c\ndata: a\n\n", "a", false],
    ["data\n\n", "", false],
    [": c\n\n", undefined, false],
    ["xdata: a\n\n", undefined, false],
    ["\ufeffdata: a\n\n", undefined, false],
  ])("reads %j", (text, data, plain) => {
    expect(split([text, "\n"])[0]).toMatchObject({ data, plain });
  });

  it("tells how much of an event is not complete", () => {
    const splitter = splitSse();
    splitter.push("data: a\n\ndata: bc");
    expect(splitter.pending()).toBe(8);
    expect(splitter.end()).toMatchObject({ data: "bc", plain: false });
    expect(splitter.pending()).toBe(0);
  });
});
