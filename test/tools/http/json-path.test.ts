import { describe, expect, it } from "vitest";
import { selectJson } from "../../../src/tools/http/json-path.ts";
import { cpuSince } from "../../support/cpu-time.ts";

const value = {
  lead: { name: "Ada", tags: ["a", "b"] },
  items: [
    { id: 1, name: "one", price: 5 },
    { id: 2, name: "two", price: 15 },
  ],
};

it.each([
  ["$", JSON.stringify(value)],
  ["$.lead.name", '"Ada"'],
  ["$['lead']['tags'][1]", '"b"'],
  ["$.items[-1].id", "2"],
  ["$.items[*].id", "[1,2]"],
  ["$..name", '["Ada","one","two"]'],
  ["$.items[?@.price > 10].name", '["two"]'],
  ["$.items[?match(@.name, 'o.*')].id", "[1]"],
  ["$.items[?search(@.name, 'w')].id", "[2]"],
  ["$.items[0,1].id", "[1,2]"],
  ["$.items[?@.name == 'a..b?[x,y]'].id", "[]"],
  ["$.items[?@.price > 0.5e1].id", "[2]"],
  ["$.items[?@.price > -0.5 && @.price > 0.0 && @.price < 10.5].id", "[1]"],
  ["$.items[?@.name != '0.5' && @.price < 0.1e999].id", "[1,2]"],
  ["$.none[*]", "[]"],
])("%s", (path, expected) => expect(selectJson(value, path)).resolves.toEqual({ ok: true, value: expected }));

it.each([
  ["$.none", "has nothing at"],
  ["lead.name", "is no JSON path"],
  ["$.items[?", "is no JSON path"],
  ["$..a..b", "more than once"],
  ["$[?@.a][?@.b]", "more than one filter"],
  ["$[0,1][0,1]", "more than one list"],
  ["$[?@..a]", "more than the item's own members"],
  ["$[?count(@.*) > 1]", "more than the item's own members"],
  ["$[?@.a == $.b]", "more than the item's own members"],
])("%s is refused", (path, why) =>
  expect(selectJson(value, path)).resolves.toEqual({ ok: false, error: expect.stringContaining(why) }),
);

describe("what could hang", () => {
  it("a pattern that backtracks does not", async () => {
    const started = process.threadCpuUsage();
    const hostile = [{ t: `${"a".repeat(50_000)}!` }];
    expect(await selectJson(hostile, "$[?match(@.t, '(a+)+')]")).toEqual({ ok: true, value: "[]" });
    expect(await selectJson(hostile, "$[?search(@.t, '(a|aa)+$')]")).toEqual({ ok: true, value: "[]" });
    expect(cpuSince(started)).toBeLessThan(3_000);
  });

  it("an answer deeper than the stack is refused, one that is long is read", async () => {
    const deep = JSON.parse(`${"[".repeat(5_000)}1${"]".repeat(5_000)}`) as unknown;
    expect(await selectJson(deep, "$..x")).toEqual({ ok: false, error: expect.stringContaining("cannot be followed") });
    const long = { items: Array.from({ length: 50_000 }, (_, id) => ({ id })) };
    expect(await selectJson(long, "$..id")).toMatchObject({ ok: true });
  });
});
