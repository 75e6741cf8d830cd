import { expect, test } from "vitest";
import { accumulate, chunk, readSse, sse, toStream } from "./sse.ts";

const call = (index: number, fields: object) => chunk({ tool_calls: [{ index, ...fields }] });

test("what is built is read back, however the bytes are cut", async () => {
  const text = sse([chunk({ role: "assistant", content: "" }), chunk({ content: "naïve 🌍" }, { id: "a" })], {
    done: true,
  });
  for (const splitEvery of [1, 2, 3, 7, undefined]) {
    const events = await readSse(new Response(toStream(text, { splitEvery })));
    expect(events.map((event) => `${event.raw}\n\n`).join("")).toBe(text);
    expect(accumulate(events)).toMatchObject({ text: "naïve 🌍", done: true, finishReason: null });
  }
});

test("an empty body has no events", async () => {
  expect(await readSse(toStream([]))).toEqual([]);
  expect(await readSse(new Response(null))).toEqual([]);
});

test("comments, event names and data that is no JSON are kept apart", async () => {
  const events = await readSse(
    ': heartbeat\r\n\r\nevent: error\r\ndata: {"error":{"code":"x"}}\r\n\r\ndata: {broken\r\n\r\n',
  );
  expect(events.map(({ comments }) => comments)).toEqual([["heartbeat"], [], []]);
  expect(events[0]?.data).toBeUndefined();
  expect(events[1]?.event).toBe("error");
  expect(events[2]).toMatchObject({ data: "{broken", json: undefined });
  expect(accumulate(events).error).toEqual({ code: "x" });
});

test("an event that the stream broke off in does not count", async () => {
  const events = await readSse(
    `${sse([chunk({ content: "one" })])}data: ${JSON.stringify(chunk({ content: "two" }))}\n`,
  );
  expect(events.map(({ complete }) => complete)).toEqual([true, false]);
  expect(accumulate(events).text).toBe("one");
});

test("calls are put together by index, in the order of their indices", async () => {
  const events = await readSse(
    sse([
      call(1, { id: "b", type: "function", function: { name: "grep", arguments: "" } }),
      call(0, { id: "a", type: "function", function: { name: "read_file", arguments: '{"pa' } }),
      call(1, { function: { arguments: "{}" } }),
      call(0, { id: "", function: { name: "", arguments: 'th":"x"}' } }),
      chunk({}, { finish: "tool_calls" }),
    ]),
  );
  expect(accumulate(events)).toMatchObject({
    toolCalls: [
      { id: "a", name: "read_file", arguments: '{"path":"x"}' },
      { id: "b", name: "grep", arguments: "{}" },
    ],
    finishReason: "tool_calls",
    done: false,
  });
});

test("words of every kind, usage and toolgate are collected for one choice", async () => {
  const events = await readSse(
    sse([
      chunk({ reasoning_content: "hm" }),
      chunk({ reasoning: "m" }),
      chunk({ refusal: "no" }),
      chunk({ content: "other" }, { index: 1, finish: "length" }),
      chunk({}, { finish: "stop", extra: { toolgate: { state: "action" } } }),
      chunk(null, { usage: { total_tokens: 3 } }),
    ]),
  );
  expect(accumulate(events)).toMatchObject({
    text: "",
    reasoning: "hmm",
    refusal: "no",
    finishReason: "stop",
    usage: { total_tokens: 3 },
    toolgate: { state: "action" },
  });
  expect(accumulate(events, { index: 1 })).toMatchObject({ text: "other", finishReason: "length" });
});
