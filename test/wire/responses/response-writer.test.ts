/** Laws of what a response is written as: events, output and the next request's messages say the same. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/lib/json/json-value.ts";
import { messagesOf } from "../../../src/wire/responses/input-items.ts";
import { openReasoning, sealReasoning } from "../../../src/wire/responses/reasoning-seal.ts";
import { responseWriter, type WordKind } from "../../../src/wire/responses/response-writer.ts";
import type { ToolForm } from "../../../src/wire/responses/responses-tools.ts";
import { readSse } from "../../support/sse.ts";

interface Said {
  readonly kind: WordKind;
  readonly text: string;
}

const said = fc.record({
  kind: fc.constantFrom<WordKind>("text", "refusal", "reasoning", "summary"),
  text: fc.string({ unit: "grapheme", minLength: 1 }),
});
const calls = fc.uniqueArray(fc.record({ id: fc.uuid(), tool: fc.constantFrom("plain", "patch", "agents__spawn") }), {
  maxLength: 4,
  selector: ({ id }) => id,
});

const forms = new Map<string, ToolForm>([
  ["patch", { kind: "custom", namespace: undefined, name: "patch" }],
  ["agents__spawn", { kind: "function", namespace: "agents", name: "spawn" }],
]);

function written(words: readonly Said[], made: readonly { id: string; tool: string }[]) {
  let count = 0;
  const head = { id: "resp_1", createdAt: 0, request: {}, store: true };
  const newItemId = (prefix: string) => `${prefix}_${++count}`;
  const writer = responseWriter({ head, streams: true, forms, newItemId });
  let events = "";
  for (const { kind, text } of words) events += writer.words(kind, text, { sealed: true });
  for (const { id, tool } of made)
    events += writer.call({ id, tool, arguments: '{"input":"a\\n\\u2028b"}', extra: undefined } as Parameters<
      typeof writer.call
    >[0]);
  events += writer.end({ status: "completed", usage: null }, {}) + writer.ended(true);
  return { events, output: (writer.response.output ?? []) as JsonObject[] };
}

type Event = {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index: number;
  readonly item: JsonObject;
};

it("events_are_numbered_and_every_item_is_added_then_done_as_it_stands_in_the_output", () =>
  fc.assert(
    fc.asyncProperty(fc.array(said), calls, async (words, made) => {
      const { events, output } = written(words, made);
      const read = (await readSse(events)).map(({ json }) => json as Event);
      expect(read.map((event) => event.sequence_number)).toEqual(read.map((_, index) => index));
      const done = read.filter(({ type }) => type === "response.output_item.done");
      expect(done.map(({ item }) => item)).toEqual(output);
      expect(done.map((event) => event.output_index)).toEqual(output.map((_, index) => index));
      const added = read.filter(({ type }) => type === "response.output_item.added");
      expect(added.map(({ item }) => item.id)).toEqual(output.map(({ id }) => id));
    }),
  ));

it("deltas_of_an_item_are_its_text", () =>
  fc.assert(
    fc.asyncProperty(fc.array(said), async (words) => {
      const { events } = written(words, []);
      const deltas = (await readSse(events)).flatMap(({ json }) => {
        const { delta } = json as { delta?: string };
        return delta === undefined ? [] : [delta];
      });
      expect(deltas.join("")).toBe(words.map(({ text }) => text).join(""));
    }),
  ));

it("what_comes_back_is_one_message_that_says_and_calls_the_same", () =>
  fc.assert(
    fc.property(fc.array(said), calls, (words, made) => {
      const { output } = written(words, made);
      const textOf = (...kinds: readonly WordKind[]) =>
        words
          .filter(({ kind }) => kinds.includes(kind))
          .map(({ text }) => text)
          .join("");
      const read = messagesOf(output);
      if (!read.ok) throw new Error(read.error.message);
      // Reasoning alone is no message.
      if (textOf("text") + textOf("refusal") === "" && made.length === 0) {
        expect(read.value.messages).toEqual([]);
        return;
      }
      const [message, ...others] = read.value.messages as {
        content: string | null;
        refusal?: string;
        reasoning_content?: string;
      }[];
      expect(others).toEqual([]);
      expect(message?.content ?? "").toBe(textOf("text"));
      expect(message?.refusal ?? "").toBe(textOf("refusal"));
      expect(message?.reasoning_content ?? "").toBe(textOf("reasoning", "summary"));
      const named = (
        message as unknown as { tool_calls?: { id: string; function: { name: string; arguments: string } }[] }
      ).tool_calls;
      expect((named ?? []).map(({ id, function: called }) => [id, called.name, JSON.parse(called.arguments)])).toEqual(
        made.map(({ id, tool }) => [id, tool, { input: "a\n\u2028b" }]),
      );
    }),
  ));

it("parts_of_a_summary_are_added_and_done_each_with_its_words", async () => {
  let count = 0;
  const head = { id: "resp_1", createdAt: 0, request: {}, store: true };
  const writer = responseWriter({ head, streams: true, forms, newItemId: (prefix) => `${prefix}_${++count}` });
  const events = [
    writer.words("summary", "First ", { part: 0 }),
    writer.words("summary", "part.", { part: 0 }),
    writer.words("summary", "Second.", { part: 1 }),
    writer.words("text", "Hi."),
    writer.end({ status: "completed", usage: null }, {}),
  ].join("");
  const read = (await readSse(events)).map(({ json }) => json as Event & { summary_index?: number; text?: string });
  const ofSummary = read.filter(({ type }) => type.startsWith("response.reasoning"));
  const part = (index: number, ...deltas: readonly string[]) => [
    ["response.reasoning_summary_part.added", index],
    ...deltas.map(() => ["response.reasoning_summary_text.delta", index]),
    ["response.reasoning_summary_text.done", index],
    ["response.reasoning_summary_part.done", index],
  ];
  expect(ofSummary.map(({ type, summary_index }) => [type, summary_index])).toEqual([
    ...part(0, "First ", "part."),
    ...part(1, "Second."),
  ]);
  const [thoughts] = writer.response.output as readonly JsonObject[];
  const summary = ["First part.", "Second."].map((text) => ({ type: "summary_text", text }));
  expect(thoughts).toEqual({ id: "rs_1", type: "reasoning", summary, encrypted_content: null });
});

it("reasoning_that_is_sealed_opens_again_and_nothing_else_does", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(openReasoning({ encrypted_content: sealReasoning(text) })).toBe(text);
    }),
  );
  for (const foreign of [undefined, null, 1, "gAAAAAB", "toolgate-reasoning.!!", "toolgate-reasoning./w=="])
    expect(openReasoning({ encrypted_content: foreign })).toBeUndefined();
});
