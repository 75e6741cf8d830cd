import { describe, expect, it } from "vitest";
import { selectJson } from "../../../src/tools/http/read-answer.ts";
import { cpuSince } from "../../support/cpu-time.ts";

const text = (value: unknown): string => JSON.stringify(value);

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
])("%s", (path, expected) => expect(selectJson(text(value), path)).resolves.toEqual({ ok: true, value: expected }));

it.each([
  ["$.none", "has nothing at"],
  ["lead.name", "is not a JSON path"],
  ["$.items[?", "is not a JSON path"],
  ["$..a..b", "more than once"],
  ["$[?@.a][?@.b]", "more than one filter"],
  ["$[0,1][0,1]", "more than one list"],
  ["$[?@..a]", "more than the item's own members"],
  ["$[?count(@.*) > 1]", "more than the item's own members"],
  ["$[?@.a == $.b]", "more than the item's own members"],
])("%s is refused", (path, why) =>
  expect(selectJson(text(value), path)).resolves.toEqual({ ok: false, error: expect.stringContaining(why) }),
);

describe("numbers that a double cannot hold", () => {
  const records = `{"rows":[{"id":1234567890123456789,"n":1},{"id":-0,"n":2.50},{"id":1e400,"n":3}],"sum":0.1000000000000000055}`;

  it.each([
    ["$.rows[0].id", "1234567890123456789"],
    ["$.rows[*].id", "[1234567890123456789,-0,1e400]"],
    ["$.sum", "0.1000000000000000055"],
    ["$.rows[1]", '{"id":-0,"n":2.5}'],
    ["$..id", "[1234567890123456789,-0,1e400]"],
    ["$.rows[?@.n > 1].id", "[-0,1e400]"],
    ["$.rows[?@.id > 5].n", "[1,3]"],
    ["$..rawJSON", "[]"],
    ["$", records.replace("2.50", "2.5")],
  ])("%s selects them as they were written", (path, expected) =>
    expect(selectJson(records, path)).resolves.toEqual({ ok: true, value: expected }),
  );

  it("are found under names that a prototype has", async () => {
    const odd = '{"__proto__":{"constructor":1234567890123456789}}';
    expect(await selectJson(odd, "$['__proto__']['constructor']")).toEqual({ ok: true, value: "1234567890123456789" });
  });
});

it("an answer that is no JSON is refused", async () => {
  expect(await selectJson("{", "$.a")).toEqual({ ok: false, error: "the answer is not JSON" });
});

describe("what could hang", () => {
  it("a pattern that backtracks does not", async () => {
    const started = process.threadCpuUsage();
    const hostile = [{ t: `${"a".repeat(50_000)}!` }];
    expect(await selectJson(text(hostile), "$[?match(@.t, '(a+)+')]")).toEqual({ ok: true, value: "[]" });
    expect(await selectJson(text(hostile), "$[?search(@.t, '(a|aa)+$')]")).toEqual({ ok: true, value: "[]" });
    expect(cpuSince(started)).toBeLessThan(3_000);
  });

  it("an answer deeper than the stack is refused, one that is long is read", async () => {
    const deep = `${"[".repeat(5_000)}1${"]".repeat(5_000)}`;
    expect(await selectJson(deep, "$..x")).toEqual({ ok: false, error: expect.stringContaining("cannot be followed") });
    const long = { items: Array.from({ length: 50_000 }, (_, id) => ({ id })) };
    expect(await selectJson(text(long), "$..id")).toMatchObject({ ok: true });
  });
});
