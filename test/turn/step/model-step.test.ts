import { expect, it } from "vitest";
import type { Reply } from "../../../src/ports/reply-port.ts";
import { spacedWords } from "../../../src/turn/offer/offer-step.ts";
import type { Turn } from "../../../src/turn/turn.ts";
import type { ReplySink } from "../../../src/wire/reply-sink.ts";

const event = (delta: object): string => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`;

/** What the client gets of these events, and what the turn takes the client's text for. */
function sent(text: string, events: readonly string[], request = { stream: true, jsonMode: false }) {
  const out: string[] = [];
  const words: ReplySink = { write: (one) => out.push(one), full: false, ready: async () => {}, started: true };
  const turn = { log: { text, notice: "" }, input: { request } } as Turn;
  const spaced = spacedWords(turn, { words, say: (said: string) => out.push(said) } as unknown as Reply);
  for (const one of events) spaced.write(one);
  return { out, text: turn.log.text, same: spaced === words };
}

it("a later step's words are a paragraph of their own, from the first of them on", () => {
  const role = event({ role: "assistant", content: "" });
  const thought = event({ reasoning_content: 'about "content":"x"' });
  const [first, second] = [event({ content: "# Found" }), event({ content: "!" })];
  const events = [role, thought, first, second];
  const spaced = [role, thought, "\n\n", first, second];
  expect(sent("I look.", events)).toEqual({ out: spaced, text: "I look.\n\n", same: false });
  expect(sent("I look:\n", [first])).toEqual({ out: ["\n", first], text: "I look:\n\n", same: false });
  // A step that says nothing leaves nothing behind.
  expect(sent("I look.", [role])).toEqual({ out: [role], text: "I look.", same: false });
});

it("stand as they come where nothing is before them, where that ends with a blank line, and where words are held", () => {
  const first = event({ content: "Found" });
  for (const text of ["", "`weather` …\n\n", "a\n \n"])
    expect(sent(text, [first])).toEqual({ out: [first], text, same: true });
  expect(sent("{}", [first], { stream: true, jsonMode: true }).same).toBe(true);
  expect(sent("I look.", [first], { stream: false, jsonMode: false }).same).toBe(true);
});
