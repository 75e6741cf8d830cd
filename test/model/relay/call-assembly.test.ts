import fc from "fast-check";
import { beforeAll, describe, expect, it, test } from "vitest";
import {
  assembleCalls,
  type CallFragment,
  loadAssembly,
  readFragment,
} from "../../../src/model/relay/call-assembly.ts";

beforeAll(loadAssembly);

const NONE = { index: undefined, id: undefined, name: undefined, arguments: undefined };

function assembled(...fragments: readonly Partial<CallFragment>[]) {
  const assembly = assembleCalls();
  for (const fragment of fragments) assembly.add({ ...NONE, ...fragment });
  return assembly.end()?.map((call) => [call.id, call.name, call.arguments]);
}

describe("fragments of calls", () => {
  it.each<[string, readonly Partial<CallFragment>[], readonly (readonly string[])[]]>([
    [
      "by their index",
      [
        { index: 0, id: "a", name: "f", arguments: "" },
        { index: 1, id: "b", name: "g", arguments: '{"x"' },
        { index: 0, arguments: "{}" },
        { index: 1, arguments: ":1}" },
      ],
      [
        ["a", "f", "{}"],
        ["b", "g", '{"x":1}'],
      ],
    ],
    [
      "whose name comes late",
      [
        { index: 0, id: "a" },
        { index: 0, arguments: "{" },
        { index: 0, name: "f", arguments: "}" },
      ],
      [["a", "f", "{}"]],
    ],
    [
      "without an index",
      [{ id: "a", name: "f", arguments: "{" }, { arguments: "}" }, { id: "b", name: "g", arguments: "{}" }],
      [
        ["a", "f", "{}"],
        ["b", "g", "{}"],
      ],
    ],
    [
      "whole, all of one index",
      [
        { index: 0, id: "a", name: "f", arguments: "{}" },
        { index: 0, id: "b", name: "g", arguments: "{}" },
      ],
      [
        ["a", "f", "{}"],
        ["b", "g", "{}"],
      ],
    ],
  ])("make calls %s", (_what, fragments, calls) => {
    expect(assembled(...fragments)).toEqual(calls);
  });

  it("get an id of their own where they have none, or another call's", () => {
    const whole = { name: "f", arguments: "{}" };
    const ids = assembled({ index: 0, ...whole }, { index: 1, id: "a", ...whole }, { index: 2, id: "a", ...whole });
    expect(ids?.map(([id]) => id)).toEqual([expect.stringMatching(/^call_/), "a", expect.stringMatching(/^call_/)]);
  });

  it("make none without a name", () => {
    expect(assembled({ index: 0, id: "a", arguments: "{}" })).toBeUndefined();
  });

  it.each([{ index: "0" }, { id: 7 }, { function: { name: ["f"] } }, { function: { arguments: {} } }])(
    "are not read where a member is of another type: %j",
    (members) => {
      expect(readFragment({ function: {}, ...members })).toBeUndefined();
    },
  );
});

test("no_byte_of_a_call_is_lost_however_it_is_cut", () => {
  const text = fc.json();
  const cuts = fc.array(fc.nat(40), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, cuts), { minLength: 1, maxLength: 3 }), (calls) => {
      const fragments = calls.flatMap(([whole, at], index) => {
        const ends = [...new Set(at)].sort((a, b) => a - b);
        const pieces = [0, ...ends].map((start, n) => whole.slice(start, ends[n] ?? undefined));
        return pieces.map((piece, n) =>
          n === 0 ? { index, id: `c${index}`, name: "f", arguments: piece } : { index, arguments: piece },
        );
      });
      expect(assembled(...fragments)).toEqual(calls.map(([whole], index) => [`c${index}`, "f", whole]));
    }),
  );
});
