/** @module-tag attack/json */
import { beforeAll, describe, expect, it } from "vitest";
import { tool } from "../support/gateway.ts";
import {
  expectErrorEnd,
  expectNoStrangers,
  finish,
  type Heard,
  part,
  piecesOf,
  type Stage,
  stage,
  streamOf,
  words,
} from "./hostile-upstream.ts";

let play: Stage["play"];
beforeAll(async () => {
  ({ play } = await stage());
});

const call = (name: string, args: unknown = '{"path":"x"}', more: object = {}) => ({
  id: `call_${name}`,
  type: "function",
  function: { name, arguments: args },
  ...more,
});
const message = (fields: object, reason = "tool_calls", more: object = {}) => ({
  id: "c",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: null, ...fields }, finish_reason: reason }],
  ...more,
});
const asked = (body: unknown) => play(() => Response.json(body), { stream: false });
const READ = { name: "read_file", arguments: { path: "x" } };

const expectRefusal = (heard: Heard, status: number | undefined = 502): void => {
  expect(heard.status).toBe(status);
  expect(heard.calls).toEqual([]);
  expect(JSON.parse(heard.raw)).toMatchObject({ error: { message: expect.stringMatching(/./) } });
};

describe("a whole JSON answer", () => {
  it("has its calls decided one by one", async () => {
    const heard = await asked(message({ tool_calls: [call("read_file"), call("rm_rf"), call("write_file")] }));
    expect(heard.status).toBe(200);
    expect(heard.calls).toEqual([READ]);
  });

  it("is asked for again where all its calls are refused", async () => {
    const heard = await asked(message({ content: "I will", tool_calls: [call("rm_rf")] }));
    expect(heard.calls).toEqual([]);
    expect(JSON.parse(heard.raw)).toMatchObject({ choices: [{ message: { content: "understood" } }] });
  });

  it.each(["length", "content_filter"])("that was cut (%s) has no calls, and keeps its words", async (reason) => {
    const own = await stage();
    const made = [call("read_file"), call("list_dir", '{"pa'), call(""), call("list_dir", null)];
    for (const one of made) {
      const cut = message({ content: "Here: ", tool_calls: [one] }, reason, { usage: { total_tokens: 7 } });
      const heard = await own.play(() => Response.json(cut), { stream: false });
      expect([heard.status, heard.calls]).toEqual([200, []]);
      const { choices, usage } = JSON.parse(heard.raw) as { choices: unknown[]; usage: unknown };
      expect([choices, usage]).toEqual([
        [{ index: 0, message: { role: "assistant", content: "Here: " }, finish_reason: reason }],
        { total_tokens: 7 },
      ]);
    }
    const decisions = await own.gate.decisions();
    expect(decisions).toHaveLength(made.length);
    for (const decision of decisions) expect(decision).toMatchObject({ effect: "deny", disposition: "refused" });
  });

  it.each(["function_call", "eos"])(
    "with calls and the finish reason %s is refused, and the record says so",
    async (reason) => {
      const own = await stage();
      expectRefusal(
        await own.play(() => Response.json(message({ tool_calls: [call("read_file")] }, reason)), { stream: false }),
      );
      expect(await own.gate.decisions()).toMatchObject([{ tool: "read_file", effect: "deny", disposition: "refused" }]);
    },
  );

  it("with `stop` and calls is considered, with `tool_calls` and none it is the answer that it is", async () => {
    expect((await asked(message({ tool_calls: [call("read_file")] }, "stop"))).calls).toEqual([READ]);
    for (const calls of [[], null, undefined]) {
      const heard = await asked(message({ content: "x", tool_calls: calls }, "tool_calls"));
      expect(heard.status).toBe(200);
      expect(heard.calls).toEqual([]);
    }
  });

  const choice = { index: 0, message: { role: "assistant", content: "x" }, finish_reason: "stop" };
  const calls = [call("rm_rf")];
  it.each([
    ["under `toolCalls`", message({ toolCalls: calls })],
    ["under `tool_call`", message({ tool_call: calls[0] })],
    ["under `function_call`", message({ function_call: { name: "rm_rf", arguments: "{}" } })],
    ["under an object of `tool_calls`", message({ tool_calls: { 0: calls[0] } })],
    ["in a delta", { id: "c", choices: [{ ...choice, delta: { tool_calls: calls } }] }],
    ["in the choice", { id: "c", choices: [{ ...choice, tool_calls: calls }] }],
    ["in the second choice", { id: "c", choices: [choice, { ...choice, index: 1, message: { tool_calls: calls } }] }],
    [
      "behind a choice that is null",
      { id: "c", choices: [null, { ...choice, message: { tool_calls: [call("read_file"), ...calls] } }] },
    ],
    ["in a choice that is a list", { id: "c", choices: [choice, [{ message: { tool_calls: calls } }]] }],
    ["in a message that is a list", { id: "c", choices: [{ ...choice, message: [{ tool_calls: calls }] }] }],
    ["in the envelope", { id: "c", choices: [choice], tool_calls: calls }],
    ["in a message of the envelope", { id: "c", choices: [choice], message: { tool_calls: calls } }],
    [
      "in the Responses API's form",
      { id: "c", choices: [choice], output: [{ type: "function_call", name: "rm_rf", arguments: "{}" }] },
    ],
    ["in Anthropic's form", { id: "c", choices: [choice], content: [{ type: "tool_use", name: "rm_rf", input: {} }] }],
    ["as a custom tool", message({ tool_calls: [{ id: "a", type: "custom", custom: { name: "rm_rf", input: "" } }] })],
    [
      "as a function and a custom tool at once",
      message({
        tool_calls: [call("read_file", '{"path":"x"}', { type: "custom", custom: { name: "rm_rf", input: "" } })],
      }),
    ],
    ["with arguments that are an object", message({ tool_calls: [call("read_file", { path: "x" })] })],
    ["that is null", message({ tool_calls: [null] })],
    ["without a name", message({ tool_calls: [{ id: "a", type: "function", function: { arguments: "{}" } }] })],
  ])("is refused with a call %s", async (_where, body) => {
    expectRefusal(await asked(body));
  });

  it.each([
    ["HTML", () => new Response("<html><body>Welcome</body></html>", { headers: { "content-type": "text/html" } })],
    ["broken JSON", () => new Response('{"choices":[{"message":', { headers: { "content-type": "application/json" } })],
    ["an empty body", () => new Response("")],
    ["no body", () => new Response(null, { status: 204 })],
    ["a list", () => Response.json([message({ tool_calls: calls })])],
    ["no choices", () => Response.json({ id: "c", tool_calls: calls })],
    ["an event stream", () => streamOf([part(0, "rm_rf", "{}"), finish("tool_calls")])],
    [
      "an error beside choices",
      () => Response.json(message({ tool_calls: calls }, "stop", { error: { message: "x" } })),
    ],
  ])("that is %s is refused", async (_what, answer) => {
    expectRefusal(await play(answer, { stream: false }));
  });
});

describe("an answer to a streaming request that is no stream", () => {
  const completion = message({ tool_calls: [call("rm_rf")] });
  it.each<[string, () => Response, number]>([
    ["HTML of a broken proxy", () => html(502, "<html><h1>502 Bad Gateway</h1></html>"), 502],
    ["HTML that says 200", () => html(200, "<html>Log in</html>"), 502],
    ["a whole completion", () => Response.json(completion), 502],
    [
      "an error that says 200",
      () => Response.json({ error: { message: "no", type: "x", code: "y", param: null } }),
      502,
    ],
    ["an error of its own", () => Response.json({ error: { message: "slow down" } }, { status: 429 }), 429],
    [
      "an error with a completion",
      () => Response.json({ ...completion, error: { message: "no" } }, { status: 500 }),
      500,
    ],
    ["a completion that says 500", () => Response.json(completion, { status: 500 }), 500],
    ["broken JSON", () => new Response('{"a":', { headers: { "content-type": "application/json" } }), 502],
    ["a redirect", () => new Response(null, { status: 307, headers: { location: "https://evil.test/" } }), 502],
    ["an empty body", () => new Response(null), 502],
    ["204", () => new Response(null, { status: 204 }), 502],
  ])("%s is an error of that status", async (_what, answer, status) => {
    expectRefusal(await play(answer), status);
  });

  it("is an error where the answer calls itself a stream, and is none", async () => {
    for (const text of [
      "",
      "\n\n",
      "<html>Log in</html>\n\n",
      JSON.stringify(completion),
      `${JSON.stringify(completion)}\n\n`,
    ]) {
      expectErrorEnd(await play(() => piecesOf([text])));
    }
  });

  it("a body without end is not read to its end", async () => {
    for (const [status, type] of [
      [500, "text/html"],
      [200, "text/html"],
      [200, "application/json"],
    ] as const) {
      let pulls = 0;
      const endless = () =>
        new Response(
          piecesOf([new Uint8Array(1024 * 1024).fill(0x20)], { ending: "endless", onPull: () => void pulls++ }).body,
          { status, headers: { "content-type": type } },
        );
      const heard = await play(endless);
      expect(heard.status).toBe(status === 500 ? 500 : 502);
      expect(pulls).toBeLessThan(20);
    }
  });
});

function html(status: number, text: string): Response {
  return new Response(text, { status, headers: { "content-type": "text/html; charset=utf-8" } });
}

describe("arguments that two readers could take for different things", () => {
  const bad = [
    ["a key twice", '{"path":"a","path":"b"}'],
    ["a key twice, once by its code", '{"path":"a","p\\u0061th":"b"}'],
    ["a key twice, deep down", '{"path":"a","x":[{"y":1,"y":2}]}'],
    ["`__proto__`", '{"path":"a","__proto__":{"admin":true}}'],
    ["`__proto__` by its code", '{"path":"a","\\u005f_proto__":{}}'],
    ["1e400", '{"path":"a","n":1e400}'],
    ["a number too long", '{"path":"a","n":12345678901234567890}'],
    ["minus zero", '{"path":"a","n":-0}'],
    ["broken JSON", '{"path":"a"'],
    ["two JSON texts", '{"path":"a"}{"path":"b"}'],
    ["a comment", '{"path":"a"/* */}'],
    ["a trailing comma", '{"path":"a",}'],
    ["NaN", '{"path":"a","n":NaN}'],
    ["a list", '["a"]'],
    ["null", "null"],
    ["a text", '"a"'],
    ["nothing but depth", `{"path":"a","x":${"[".repeat(200)}${"]".repeat(200)}}`],
    ["a type that the schema does not allow", '{"path":5}'],
    ["a required member missing", "{}"],
    ["nothing at all", ""],
  ] as const;

  it.each(bad)("%s is refused as a whole, its siblings are not", async (_what, args) => {
    const events = [part(0, "list_dir", args), part(1, "read_file", '{"path":"x"}'), finish("tool_calls")];
    const streamed = await play(() => streamOf(events));
    const whole = await asked(message({ tool_calls: [call("list_dir", args), call("read_file")] }));
    for (const heard of [streamed, whole]) {
      expect(heard.status).toBe(200);
      expect(heard.calls).toEqual([READ]);
      const note = heard.reply.toolgate ?? (JSON.parse(heard.raw) as { toolgate: unknown }).toolgate;
      expect(note).toMatchObject({
        decisions: [
          { tool: "list_dir", effect: "deny", reasons: [{ code: "arguments_invalid" }] },
          { tool: "read_file", effect: "allow" },
        ],
      });
    }
  });

  it("are released in the form that was vetted", async () => {
    const args = ' {\n "path" : "\\u0061\\/b", "n": 1.50, "e": 1e2 } ';
    const open = { type: "object" };
    const own = await stage(undefined, [tool("read_file", open)]);
    const policy = await stage({ handshake: { select: "off" }, tools: { read_file: { category: "read_only" } } }, [
      tool("read_file", open),
    ]);
    expect(
      (await own.play(() => streamOf([part(0, "read_file", args), finish("stop")]))).reply.toolCalls,
    ).toMatchObject([{ arguments: '{"path":"a/b","n":1.5,"e":100}' }]);
    const split = args.split("").map((unit) => part(0, undefined, unit));
    const heard = await policy.play(() => streamOf([words("x"), part(0, "read_file", ""), ...split, finish("stop")]));
    expectNoStrangers(heard.raw);
    expect(heard.reply.toolCalls).toMatchObject([{ arguments: '{"path":"a/b","n":1.5,"e":100}' }]);
  });
});
