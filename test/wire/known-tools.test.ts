import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readChatRequest } from "../../src/wire/chat-request.ts";
import { parseKnowingTools } from "../../src/wire/known-tools.ts";

/** Long enough to be worth knowing. */
const list = (name: string, size = 300) => [
  {
    type: "function",
    function: { name, description: "d".repeat(size), parameters: { type: "object", required: ["tools"] } },
  },
];
const toolsOf = (text: string) => (parseKnowingTools(text) as { tools: unknown }).tools;
const outcome = (parse: (text: string) => unknown, text: string) => {
  try {
    return { value: parse(text) };
  } catch (error) {
    return { error: String(error) };
  }
};

describe("a list that comes again", () => {
  it("is the same objects, and its definitions are read once", () => {
    const body = (n: number) =>
      JSON.stringify({ model: "m", messages: [{ role: "user", content: `${n}` }], tools: list("again") });
    toolsOf(body(0));
    const [first, second] = [1, 2].map((n) => parseKnowingTools(body(n)) as Record<string, unknown>);
    expect(second?.tools).toBe(first?.tools);
    expect(second).toEqual(JSON.parse(body(2)));
    const [one, two] = [first, second].map((value) => readChatRequest(value ?? {}, false));
    expect(one?.ok && two?.ok && one.value.tools === two.value.tools && one.value.tools[0]?.name === "again").toBe(
      true,
    );
  });

  it("is known with blanks too, and among lists that begin alike", () => {
    const many = (names: string[]) => JSON.stringify({ tools: names.flatMap(list) }, null, 2);
    const long = many(["a".repeat(100), "b".repeat(100), "c"]);
    const short = many(["a".repeat(100), "b".repeat(100)]);
    for (const text of [long, short]) toolsOf(text);
    const before = [long, short].map(toolsOf);
    expect([long, short].map(toolsOf).map((tools, i) => tools === before[i])).toEqual([true, true]);
    expect(before.map((tools) => (tools as unknown[]).length)).toEqual([3, 2]);
  });

  it.each([
    ["a later member of the same name", (known: string) => `{"tools":${known},"tools":[1]}`],
    ["an earlier one", (known: string) => `{"tools":[1],"tools":${known}}`],
    ["a member of another object", (known: string) => `{"tools":[2],"metadata":{"tools":${known}}}`],
    ["no object at all", (known: string) => `[{"tools":${known}}]`],
    ["a name that is spelled by its code", (known: string) => `{"tools":${known},"\\u0074ools":[3]}`],
    ["text that only looks like it", (known: string) => JSON.stringify({ content: `"tools":${known}`, tools: [4] })],
    ["a list with more behind it", (known: string) => `{"tools":${known}]}`],
    ["what is cut off", (known: string) => `{"tools":${known}`],
    ["a broken rest", (known: string) => `{"messages":[,],"tools":${known}}`],
  ])("is not taken for %s", (_, make) => {
    const known = JSON.stringify(list("known"));
    for (const text of [`{"tools":${known}}`, make(known), make(known)])
      expect(outcome(parseKnowingTools, text)).toEqual(outcome(JSON.parse, text));
  });
});

describe("a list from a hostile client", () => {
  const dots = "d".repeat(300);

  it("is kept with what its own text says, not with what the body has in its place", () => {
    const [infinite, nothing] = ["1e400", "null"].map((limit) => `["${dots}",{"maximum":${limit}}]`);
    toolsOf(`{"tools":${infinite},"tools":${nothing}}`);
    expect(toolsOf(`{"tools":${infinite}}`)).toEqual([dots, { maximum: Number.POSITIVE_INFINITY }]);
  });

  it("takes no more memory than the lists have as their share", () => {
    const before = JSON.stringify({ tools: list("before") });
    toolsOf(before);
    const known = toolsOf(before);
    expect(toolsOf(before)).toBe(known);
    // An object of two characters takes dozens of bytes. Counted by their texts there would be room for 22 of these.
    for (const n of [1, 2, 3]) toolsOf(`{"tools":["${n}${dots}"${",{}".repeat(30_000)}]}`);
    expect(toolsOf(before)).not.toBe(known);
  });

  it("is read however many escapes it has", () => {
    const text = `{"tools":["${"\\n".repeat(7_000_000)}"]}`;
    expect(toolsOf(text)).toEqual(JSON.parse(text).tools);
  });
});

it("reads every text as JSON.parse does", () => {
  const key = fc.constantFrom("tools", "model", "metadata", '"tools":[', "\\");
  const { body } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>("long ".repeat(60), 1, null, "tools", '"tools":[1]', "]", "\\"),
      tie("array"),
      tie("body"),
    ),
    array: fc.array(tie("value"), { maxLength: 3 }),
    // Written by hand, so that a name can come twice.
    body: fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map((members) => ({ members })),
  }));
  const write = (value: unknown, blank: string): string => {
    if (Array.isArray(value)) return `[${value.map((item) => write(item, blank)).join(`,${blank}`)}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const { members } = value as { members: [string, unknown][] };
    return `{${members.map(([name, item]) => `${JSON.stringify(name)}${blank}:${blank}${write(item, blank)}`).join(",")}}`;
  };
  const cut = fc.option(fc.nat(60), { freq: 5 });
  fc.assert(
    fc.property(body, fc.constantFrom("", " ", "\n\t"), cut, (value, blank, end) => {
      const whole = write(value, blank);
      const text = end === null ? whole : whole.slice(0, -end);
      for (let time = 0; time < 2; time++) expect(outcome(parseKnowingTools, text)).toEqual(outcome(JSON.parse, text));
    }),
    { numRuns: 3000 },
  );
});
