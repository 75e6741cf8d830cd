import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestDouble } from "../../src/lib/json/exact-json.ts";
import { survivesRoundTrip } from "../../src/lib/json/strict-json.ts";
import { parseBody, readChatRequest } from "../../src/wire/chat-request.ts";
import { keepsNumbers } from "../../src/wire/odd-numbers.ts";

const tool = (name: unknown, more: object = {}) => ({ type: "function", function: { name, ...more } });
const base = { model: "m", messages: [{ role: "user", content: "hi" }] };
const read = (fields: object) => readChatRequest({ ...base, ...fields });
/** An object of so many levels. */
const nested = (levels: number): object => {
  let value = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
};
const faultOf = (fields: object) => {
  const request = read(fields);
  return request.ok ? undefined : request.error;
};

describe("numbers that a double cannot hold", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 20 });
  const number = fc
    .tuple(
      fc.constantFrom("", "-"),
      digits,
      fc.option(digits),
      fc.option(fc.tuple(fc.constantFrom("e", "E-", "e+"), digits)),
    )
    .map(([sign, whole, fraction, exponent]) => {
      const behind = exponent ? `${exponent[0]}${exponent[1].slice(0, 3)}` : "";
      return `${sign}${whole.replace(/^0+(?=\d)/, "")}${fraction === null ? "" : `.${fraction}`}${behind}`;
    });
  const space = fc.constantFrom("", " ", "\n\t");
  const isLost = (text: string) => text !== "-0" && !survivesRoundTrip(text) && !/^-0(\.0*)?([eE]|$)/.test(text);

  it("no_number_goes_on_as_another", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(number, space), { minLength: 1, maxLength: 5 }), fc.string(), (numbers, said) => {
        const list = numbers.map(([one, around]) => `${around}${one}${around}`).join(",");
        const text = `{"said":${JSON.stringify(said)},"list":[${list}],"one":${list.split(",")[0]}}`;
        if (numbers.some(([one]) => isLost(one))) expect(keepsNumbers(text)).toBe(true);
        const body = parseBody(text);
        const sent = body.ok ? JSON.stringify(body.value) : "";
        const came = sent.slice(sent.indexOf('"list":[') + 8, sent.indexOf('],"one":')).split(",");
        for (const [at, [one]] of numbers.entries()) if (isLost(one)) expect(came[at]).toBe(one);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(["1234567.12345678901", "1e400", "-1E+999", "1e-400", "12345678901234567890"])("%s is found", (one) => {
    for (const text of [`{"a":${one}}`, `{"a": [1,\n ${one} ]}`]) expect(keepsNumbers(text)).toBe(true);
  });

  it.each(["0", "-0.0", "1e5", "0e0", "1.5E-300", "1.5e-320", "123456789012345", "0.30000000000000004"])(
    "%s is held",
    (one) => {
      expect(keepsNumbers(`{"a":[${one}]}`)).toBe(false);
    },
  );

  it("in words cost nothing", () => {
    for (const said of [
      "-".repeat(40),
      "9".repeat(40),
      "id 12345678901234567890",
      "id: 12345678901234567890",
      "7e3a1e999",
    ])
      expect(keepsNumbers(JSON.stringify({ said }))).toBe(false);
  });
});

describe("parseBody", () => {
  it.each(["", "{", "[]", "null", '"x"', "{} x", "undefined"])("refuses %j", (text) => {
    expect(parseBody(text)).toMatchObject({ ok: false, error: { param: null, code: "invalid_json" } });
  });

  it.each([
    '{"seed":12345678901234567890}',
    '{"a":[{"n":-98765432109876543210}],"temperature":0.1,"seed":12345678901234567890}',
    '{"n":0.1234567890123456789,"x":1}',
    '{"text":"12345678901234567890"}',
    '{"a":1234567.12345678901,"b":1e400,"c":[-1e-400,0],"d":0.1}',
    '{"seed":9007199254740993,"max_tokens":100}',
  ])("keeps the numbers of %s as they were written", (text) => {
    const body = parseBody(text);
    expect(body.ok && JSON.stringify(body.value)).toBe(text);
  });
});

describe("readChatRequest", () => {
  it("reads what the gateway needs and keeps the body", () => {
    const body = {
      ...base,
      stream: true,
      stream_options: { include_usage: true },
      response_format: { type: "json_schema" },
      metadata: { session_id: "s" },
      tools: [tool("a", { description: "does a", parameters: { type: "object" } }), tool("b")],
      vendor: { x: 1 },
    };
    expect(readChatRequest(body)).toMatchObject({
      ok: true,
      value: {
        model: "m",
        stream: true,
        includeUsage: true,
        jsonMode: true,
        sessionId: "s",
        toolChoice: { kind: "auto", explicit: false },
        tools: [
          { name: "a", description: "does a", parameters: { type: "object" }, wire: body.tools[0] },
          { name: "b", description: undefined, parameters: undefined },
        ],
      },
    });
    const request = readChatRequest(body);
    expect(request.ok && request.value.body).toBe(body);
  });

  it("takes null for absent", () => {
    expect(
      faultOf({ stream: null, tools: null, functions: null, function_call: null, tool_choice: null, n: null }),
    ).toBeUndefined();
  });

  it.each<[string, object, string]>([
    ["model", { model: undefined }, "model"],
    ["model", { model: "" }, "model"],
    ["model", { model: 5 }, "model"],
    ["messages", { messages: undefined }, "messages"],
    ["messages", { messages: [] }, "messages"],
    ["messages", { messages: { 0: {} } }, "messages"],
    ["a message", { messages: [{ role: "user" }, "hi"] }, "messages[1]"],
    ["a message without a role", { messages: [{ content: "hi" }] }, "messages[0]"],
    ["stream", { stream: "true" }, "stream"],
    ["functions", { functions: [] }, "functions"],
    ["function_call", { function_call: "auto" }, "function_call"],
    ["tools", { tools: {} }, "tools"],
    ["too many tools", { tools: Array.from({ length: 1025 }, (_, at) => tool(`t${at}`)) }, "tools"],
    ["a tool", { tools: [tool("a"), null] }, "tools[1]"],
    ["a custom tool", { tools: [{ type: "custom", custom: { name: "x" } }] }, "tools[0].type"],
    ["a tool without type", { tools: [{ function: { name: "x" } }] }, "tools[0].type"],
    ["a tool without function", { tools: [{ type: "function", name: "x" }] }, "tools[0].function"],
    ["a name", { tools: [tool("")] }, "tools[0].function.name"],
    ["a name", { tools: [tool("rm rf")] }, "tools[0].function.name"],
    ["a name", { tools: [tool("x".repeat(129))] }, "tools[0].function.name"],
    ["a name", { tools: [tool("é")] }, "tools[0].function.name"],
    ["a name", { tools: [tool("a\n")] }, "tools[0].function.name"],
    ["a name", { tools: [tool(5)] }, "tools[0].function.name"],
    ["a name twice", { tools: [tool("a"), tool("b"), tool("a")] }, "tools[2].function.name"],
    ["parameters", { tools: [tool("a", { parameters: "object" })] }, "tools[0].function.parameters"],
    ["parameters", { tools: [tool("a", { parameters: [] })] }, "tools[0].function.parameters"],
    ["n with tools", { n: 2, tools: [tool("a")] }, "n"],
    ["n of zero", { n: 0 }, "n"],
    ["negative n", { n: -1 }, "n"],
    ["fraction for n", { n: 1.5 }, "n"],
    ["text for n", { n: "2" }, "n"],
    ["model that is too long", { model: "m".repeat(257) }, "model"],
    ["model with half a character", { model: "m\ud800" }, "model"],
    [
      "depth of parameters",
      { tools: [tool("a"), tool("b", { parameters: nested(99) })] },
      "tools[1].function.parameters",
    ],
    ["depth of a vendor's field", { tools: [{ ...tool("a"), vendor: nested(100) }] }, "tools[0]"],
    ["depth of all depths", { tools: [tool("a", { parameters: nested(100_000) })] }, "tools[0].function.parameters"],
    ["tool_choice", { tool_choice: "always" }, "tool_choice"],
  ])("refuses a wrong %s and says where (%#)", (_what, fields, param) => {
    const fault = faultOf(fields);
    expect(fault?.param).toBe(param);
    expect(fault?.message).toMatch(/^[^A-Z].*[^.]$/s);
  });

  it("lets several choices pass where there are no tools", () => {
    expect(faultOf({ n: 2 })).toBeUndefined();
    expect(faultOf({ n: 2, tools: [] })).toBeUndefined();
    expect(faultOf({ n: 1, tools: [tool("a")] })).toBeUndefined();
  });

  it.each([
    ["2.0000000000000000", "n", [tool("a")]],
    ["2e0000000000000000", "n", [tool("a")]],
    ["1.5000000000000000", "n", []],
    ["12345678901234567890", undefined, []],
    ["1.0000000000000000", undefined, [tool("a")]],
  ])("reads `n` of %s however it is written", (n, param, tools) => {
    const body = parseBody(JSON.stringify({ ...base, tools, n: 0 }).replace('"n":0', `"n":${n}`));
    const request = body.ok ? readChatRequest(body.value) : body;
    expect(request.ok ? undefined : request.error.param).toBe(param);
  });

  it("takes a number for parameters for none, however it is written", () => {
    const text = JSON.stringify({ ...base, tools: [tool("a", { parameters: 0 })] });
    const body = parseBody(text.replace('"parameters":0', '"parameters":12345678901234567890'));
    expect(body.ok && readChatRequest(body.value)).toMatchObject({
      ok: false,
      error: { param: "tools[0].function.parameters" },
    });
  });

  it("takes a model of 256 characters, and a schema as deep as any honest one", () => {
    expect(faultOf({ model: "m".repeat(256), tools: [tool("a", { parameters: nested(98) })] })).toBeUndefined();
  });

  it("takes names of every object's prototype for names", () => {
    const request = read({ tools: [tool("constructor"), tool("toString"), tool("__proto__")] });
    expect(request.ok && request.value.tools.map(({ name }) => name)).toEqual(["constructor", "toString", "__proto__"]);
  });
});

describe("nearestDouble", () => {
  it("reads a number that was kept as it was written, and leaves all else", () => {
    const body = parseBody('{"kept":12345678901234567890,"one":1.0000000000000000}');
    expect(body.ok && [body.value.kept, body.value.one].map(nearestDouble)).toEqual([
      Number("12345678901234567890"),
      1,
    ]);
    for (const value of [1, "1", null, undefined, true]) expect(nearestDouble(value)).toBe(value);
    const lookalike = { rawJSON: "5" };
    expect(nearestDouble(lookalike)).toBe(lookalike);
  });
});
