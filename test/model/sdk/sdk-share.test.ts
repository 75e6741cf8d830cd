import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/lib/json/json-value.ts";
import { sdkShares } from "../../../src/model/sdk/sdk-share.ts";

const chunk = (calls: readonly object[], finish: string | null = null): JsonObject => ({
  id: "c",
  choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: finish }],
});
const more = (index: number, text: string) => ({ index, function: { arguments: text } });
const opening = (index: number, text: string) => ({
  index,
  id: `call_${index}`,
  type: "function",
  function: { name: "f", arguments: text },
});

interface Share {
  readonly choices: readonly {
    readonly delta: { readonly tool_calls?: readonly ReturnType<typeof opening>[] };
    readonly finish_reason: string | null;
  }[];
}

const eventsIn = (text: string): Share[] =>
  text.split("\n\n").flatMap((event) => (event === "" ? [] : [JSON.parse(event.slice("data: ".length)) as Share]));

/** What comes of them: each fragment is appended to the call of its index, in the order of the calls. */
function read(events: readonly Share[]) {
  const calls = new Map<number, { ids: string[]; names: string[]; text: string }>();
  const finishes: string[] = [];
  for (const { choices } of events) {
    for (const { delta, finish_reason: finish } of choices) {
      for (const { index, id, function: called } of delta.tool_calls ?? []) {
        const call = calls.get(index) ?? { ids: [], names: [], text: "" };
        calls.set(index, call);
        if (id !== undefined) call.ids.push(id);
        if (called.name !== undefined) call.names.push(called.name);
        call.text += called.arguments;
      }
      if (finish !== null) finishes.push(finish);
    }
  }
  return { calls: [...calls], finishes };
}

test("hands on pieces of one call's arguments as one event, as soon as no more can come", () => {
  const shares = sdkShares();
  shares.add(chunk([opening(0, "")]));
  expect(eventsIn(shares.take())).toHaveLength(1);
  for (const piece of ['{"a"', ":", "1}"]) shares.add(chunk([more(0, piece)]));
  expect(shares.take()).toBe("");
  shares.add(chunk([opening(1, "{}")]));
  expect(eventsIn(shares.take()).map((event) => event.choices[0]?.delta.tool_calls)).toEqual([
    [more(0, '{"a":1}')],
    [opening(1, "{}")],
  ]);
  shares.add(chunk([more(1, " ")]));
  expect(eventsIn(shares.end())).toHaveLength(1);
  expect(shares.end()).toBe("");
});

test("joined_fragments_make_the_same_calls", () => {
  const index = fc.nat(1);
  const text = fc.constantFrom("", "{", "}", '"x"', " ");
  const fragment = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(index, text).map((one) => more(...one)) },
    fc.tuple(index, text).map((one) => opening(...one)),
  );
  const events = fc.array(
    fc.tuple(fc.array(fragment, { minLength: 1, maxLength: 2 }), fc.constantFrom(null, null, null, "tool_calls")),
  );
  fc.assert(
    fc.property(events, fc.array(fc.boolean(), { maxLength: 10 }), (all, takes) => {
      const [joined, single] = [sdkShares(), sdkShares()];
      let [text, alone] = ["", ""];
      all.forEach(([calls, finish], at) => {
        joined.add(chunk(calls, finish));
        if (takes[at]) text += joined.take();
        single.add(chunk(calls, finish));
        alone += single.end();
      });
      text += joined.end();
      expect(read(eventsIn(text))).toEqual(read(eventsIn(alone)));
      expect(eventsIn(text).length).toBeLessThanOrEqual(all.length);
    }),
  );
});
