/** @module-tag attack/streams */
import { beforeAll, describe, expect, it } from "vitest";
import { sse, toStream } from "../../support/sse.ts";
import {
  bytesOf,
  delta,
  expectCleanEnd,
  expectErrorEnd,
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

const PATH = '{"path":"naïve 🌍 \\u00e9"}';
const READ = { name: "read_file", arguments: { path: "naïve 🌍 é" } };
const LIST = { name: "list_dir", arguments: { path: "/" } };
const rmRf = { index: 0, id: "call_x", type: "function", function: { name: "rm_rf", arguments: '{"path":"/"}' } };

describe("a call in pieces is the same call", { tags: ["control"] }, () => {
  const text = sse([words("ü"), part(0, "read_file", PATH), finish("tool_calls")], { done: true });

  it("with a network boundary after each byte", async () => {
    const bytes = bytesOf(text);
    let first: Heard | undefined;
    for (let at = 1; at < bytes.length; at++) {
      const heard = await play(() => piecesOf([bytes.slice(0, at), bytes.slice(at)]));
      expectCleanEnd(heard);
      expect(heard.calls).toEqual([READ]);
      expect(heard.reply.text).toBe("ü");
      first ??= heard;
    }
    expect(first?.reply.finishReason).toBe("tool_calls");
  });

  it("with every byte on its own", async () => {
    const heard = await play(
      () =>
        new Response(toStream(text, { splitEvery: 1 }), {
          headers: { "content-type": "text/event-stream" },
        }),
    );
    expectCleanEnd(heard);
    expect(heard.calls).toEqual([READ]);
  });

  it("with its arguments in fragments of one UTF-16 unit", async () => {
    const fragments = PATH.split("").map((unit) => part(0, undefined, unit));
    const heard = await play(() => streamOf([part(0, "read_file", ""), ...fragments, finish("tool_calls")]));
    expectCleanEnd(heard);
    expect(heard.calls).toEqual([READ]);
  });

  it("with the arguments cut in two at each unit", async () => {
    for (let at = 0; at <= PATH.length; at++) {
      const heard = await play(() =>
        streamOf([part(0, "read_file", PATH.slice(0, at)), part(0, undefined, PATH.slice(at)), finish("stop")]),
      );
      expect(heard.calls).toEqual([READ]);
    }
  });

  it("with the fragments of two calls interleaved", async () => {
    const heard = await play(() =>
      streamOf([
        part(1, "list_dir", '{"pa'),
        part(0, "read_file", PATH.slice(0, 5)),
        part(1, undefined, 'th":'),
        part(0, undefined, PATH.slice(5)),
        part(1, undefined, '"/"}'),
        finish("tool_calls"),
      ]),
    );
    expectCleanEnd(heard);
    expect([...heard.calls].sort((a, b) => (a.name < b.name ? 1 : -1))).toEqual([READ, LIST]);
  });
});

describe("calls that contradict themselves", () => {
  it("refuses arguments that never close", async () => {
    const heard = await play(() => streamOf([part(0, "read_file", '{"path":"x'), finish("tool_calls")]));
    expectCleanEnd(heard);
    expect(heard.calls).toEqual([]);
    expect(heard.reply.text).toBe("understood");
    expect(heard.reply.toolgate).toMatchObject({
      decisions: [{ tool: "read_file", effect: "deny", reasons: [{ code: "arguments_invalid" }] }],
    });
  });

  it("releases no call whose name changes half-way", async () => {
    for (const second of ["rm_rf", "_and_more", "list_dir"]) {
      const renamed = part(0, second, '"x"}', "call_read_file_0");
      const heard = await play(() => streamOf([part(0, "read_file", '{"path":'), renamed, finish("tool_calls")]));
      expectCleanEnd(heard);
      expect(heard.calls).toEqual([]);
      // The SDK takes the second name for another call: each is vetted, and neither has whole arguments.
      const refusal = { effect: "deny", reasons: [{ code: "arguments_invalid" }] };
      expect(heard.reply.toolgate).toMatchObject({
        decisions: [
          { tool: "read_file", ...refusal },
          { tool: second, ...refusal },
        ],
      });
    }
  });

  it("vets both calls of an index that is used again under another id and name", async () => {
    const two = await play(() =>
      streamOf([part(0, "read_file", '{"path":"x"}'), part(0, "list_dir", '{"path":"/"}'), finish("tool_calls")]),
    );
    expectCleanEnd(two);
    expect(two.calls).toEqual([{ name: "read_file", arguments: { path: "x" } }, LIST]);
    const one = await play(() =>
      streamOf([part(0, "read_file", '{"path":"x"}'), part(0, "rm_rf", '{"path":"/"}'), finish("tool_calls")]),
    );
    expectCleanEnd(one);
    expect(one.calls).toEqual([{ name: "read_file", arguments: { path: "x" } }]);
    expect(one.reply.toolgate).toMatchObject({ decisions: [{ effect: "allow" }, { tool: "rm_rf", effect: "deny" }] });
  });

  it("refuses a call without a name, and says so in the record", async () => {
    const own = await stage();
    const nameless = delta({ tool_calls: [{ index: 1, id: "call_n", function: { arguments: "{}" } }] });
    expectErrorEnd(
      await own.play(() =>
        streamOf([part(0, "read_file", '{"path":"x"}'), nameless, words("on"), finish("tool_calls")]),
      ),
    );
    expect(await own.gate.decisions()).toMatchObject([{ tool: "read_file", effect: "deny", disposition: "refused" }]);
  });

  it("refuses a call whose name no record could hold, and says so in the record", async () => {
    const own = await stage();
    const name = "n".repeat(1_500_000);
    expectErrorEnd(await own.play(() => streamOf([part(0, name, "{}", "call_n"), finish("tool_calls")])));
    const whole = { id: "call_n", type: "function", function: { name, arguments: "{}" } };
    const message = { role: "assistant", content: null, tool_calls: [whole] };
    const body = { id: "c", choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
    await own.play(() => Response.json(body), { stream: false });
    const refused = { tool: "n".repeat(128), effect: "deny", disposition: "refused" };
    expect(await own.gate.decisions()).toMatchObject([refused, refused]);
  });

  it.each([
    ["no function", { index: 0, id: "a", type: "function", name: "rm_rf", arguments: "{}" }],
    ["a custom tool", { index: 0, id: "a", type: "custom", custom: { name: "rm_rf", input: "/" } }],
    ["a list", [rmRf]],
    ["null", null],
    ["arguments that are an object", { index: 0, id: "a", function: { name: "read_file", arguments: { path: "x" } } }],
    ["an index that is a text", { index: "0", id: "a", function: { name: "read_file", arguments: '{"path":"x"}' } }],
    [
      "a function and a custom tool at once",
      {
        ...rmRf,
        function: { name: "read_file", arguments: '{"path":"x"}' },
        type: "custom",
        custom: { name: "rm_rf", input: "/" },
      },
    ],
    [
      "calls within the call",
      { ...rmRf, function: { name: "read_file", arguments: '{"path":"x"}' }, tool_calls: [rmRf] },
    ],
  ])("refuses a fragment that is %s", async (_what, fragment) => {
    expectErrorEnd(await play(() => streamOf([delta({ tool_calls: [fragment] }), finish("tool_calls")])));
  });

  it("refuses calls in a choice other than the first", async () => {
    const second = { index: 1, delta: { tool_calls: [rmRf] }, finish_reason: null };
    expectErrorEnd(await play(() => streamOf([{ id: "c", choices: [second] }, finish("tool_calls")])));
    const behind = {
      id: "c",
      choices: [
        { index: 0, delta: { content: "x" } },
        { ...second, index: 0 },
      ],
    };
    expectErrorEnd(await play(() => streamOf([behind, finish("tool_calls")])));
    // Arguments that one reader adds to a call and another does not see.
    const more = { index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: " " } }] } };
    const split = { id: "c", choices: [{ index: 0, delta: { content: "x" } }, more] };
    expectErrorEnd(await play(() => streamOf([part(0, "read_file", '{"path":"x"}'), split, finish("tool_calls")])));
  });
});

describe("events that hide a call", () => {
  const inChoice = (fields: object) => ({ id: "c", choices: [{ index: 0, delta: { content: "x" }, ...fields }] });
  const hidden: readonly (readonly [string, unknown])[] = [
    ["under `toolCalls`", delta({ content: "x", toolCalls: [rmRf] })],
    ["under `tool-calls`", delta({ "tool-calls": [rmRf] })],
    ["under `tool_call`", delta({ tool_call: rmRf })],
    ["under `TOOL_CALLS`", delta({ TOOL_CALLS: [rmRf] })],
    ["under an object of `tool_calls`", delta({ tool_calls: { 0: rmRf } })],
    ["under a legacy `function_call`", delta({ function_call: { name: "rm_rf", arguments: "{}" } })],
    ["in a whole `message` of the envelope", { ...words("x"), message: { role: "assistant", tool_calls: [rmRf] } }],
    ["in a choice's own `tool_calls`", inChoice({ tool_calls: [rmRf] })],
    ["in the envelope", { ...words("x"), tool_calls: [rmRf] }],
    ["in a vendor's field", { ...words("x"), vendor: { message: { tool_calls: [rmRf] } } }],
    ["in a choice that is a list", { id: "c", choices: [[{ delta: { tool_calls: [rmRf] } }]] }],
    ["in a delta that is a list", { id: "c", choices: [{ index: 0, delta: [{ tool_calls: [rmRf] }] }] }],
    [
      "in Anthropic's form",
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "t", name: "rm_rf", input: {} } },
    ],
    [
      "in the Responses API's form",
      { type: "response.output_item.added", item: { type: "function_call", name: "rm_rf", arguments: "{}" } },
    ],
    [
      "in an event of the Responses API",
      { type: "response.function_call_arguments.done", name: "rm_rf", arguments: "{}" },
    ],
  ];
  it.each(hidden)("refuses one %s", async (_where, event) => {
    expectErrorEnd(await play(() => streamOf([words("before"), event, finish("stop")])));
  });

  it.each([
    ["a list", "[]"],
    ["a list of choices", JSON.stringify([delta({ tool_calls: [rmRf] })])],
    ["a number", "5"],
    ["a text", '"tool_calls"'],
    ["null", "null"],
    ["no JSON", '{"choices":[{"delta":{"tool_calls":'],
    ["two JSON texts", `${JSON.stringify(words("x"))}${JSON.stringify(delta({ tool_calls: [rmRf] }))}`],
    ["choices that are an object", JSON.stringify({ choices: { 0: delta({ tool_calls: [rmRf] }).choices[0] } })],
    ["a finish reason that is an object", '{"choices":[{"index":0,"delta":{},"finish_reason":{"a":1}}]}'],
  ])("refuses an event that is %s", async (_what, data) => {
    expectErrorEnd(await play(() => streamOf([words("before"), data, finish("stop")])));
  });

  it.each([
    ["a string that ends early", 'x","tool_calls":[{"function":{"name":"rm_rf","arguments":"{}"}}],"z":"y'],
    ["a string that does not end", "x\\"],
    ["a key by its code", 'x","tool\\u005fcalls":[{"function":{"name":"rm_rf","arguments":"{}"}}],"z":"y'],
    [
      "a delta of its own",
      'x"}},{"index":0,"delta":{"tool_calls":[{"function":{"name":"rm_rf","arguments":"{}"}}],"z":"y',
    ],
    ["a second member", 'x","function_call":{"name":"rm_rf","arguments":"{}"},"content":"y'],
    ["a control character", "x\ty"],
  ])("is not deceived by %s in an event like those before", async (_what, text) => {
    const like = JSON.stringify(words("@")).replace("@", text);
    const heard = await play(() => streamOf([words("a"), words("b"), like, words("c"), finish("stop")]));
    expect(heard.calls).toEqual([]);
    expect(heard.raw.replace(/"toolgate":.*/g, "")).not.toContain("rm_rf");
    if (!like.includes('"tool')) expectErrorEnd(heard);
  });

  it("lets objects that hold no call pass", { tags: ["control"] }, async () => {
    const heard = await play(() => streamOf([{ id: "c", vendor: { queue: 3 } }, words("x"), finish("stop")]));
    expectCleanEnd(heard);
    expect(heard.raw).toContain('data: {"id":"c","vendor":{"queue":3}}\n\n');
  });

  const calls = JSON.stringify([rmRf]);
  it.each([
    ["escaped key", `{"choices":[{"index":0,"delta":{"tool\\u005fcalls":${calls}}}]}`],
    ["escaped key of the envelope", `{"\\u0063hoices":[{"index":0,"delta":{"tool_call\\u0073":${calls}}}]}`],
    [
      "key twice, the call last",
      `{"choices":[{"index":0,"delta":{"content":"x","tool_calls":[],"tool_calls":${calls}}}]}`,
    ],
    [
      "key twice, the call first",
      `{"choices":[{"index":0,"delta":{"content":"x","tool_calls":${calls},"tool_calls":[]}}]}`,
    ],
    [
      "key twice, one escaped",
      `{"choices":[{"index":0,"delta":{"content":"x","tool\\u005fcalls":${calls},"tool_calls":null}}]}`,
    ],
    ["delta twice", `{"choices":[{"index":0,"delta":{"tool_calls":${calls}},"delta":{"content":"x"}}]}`],
    [
      "choices twice",
      `{"choices":[{"index":0,"delta":{"tool_calls":${calls}}}],"choices":[{"index":0,"delta":{"content":"x"}}]}`,
    ],
    ["error that is null beside it", `{"error":null,"choices":[{"index":0,"delta":{"tool_calls":${calls}}}]}`],
  ])("releases nothing by an %s", async (_how, data) => {
    // The client of the test scans the bytes; whether the reply ends well depends on which of the two JSON keeps.
    const heard = await play(() => streamOf([words("before"), data, finish("tool_calls")]));
    expect(heard.calls).toEqual([]);
    expect(heard.raw.replace(/"toolgate":.*/g, "")).not.toContain("rm_rf");
  });

  it("passes a whole `message` without calls on as the deltas alone", { tags: ["control"] }, async () => {
    const whole = { id: "c", choices: [{ index: 0, delta: { content: "a" }, message: { content: "all" } }] };
    const heard = await play(() => streamOf([whole, finish("stop")]));
    expectCleanEnd(heard);
    expect(heard.reply.text).toBe("a");
    expect(heard.raw).not.toContain("all");
  });
});

describe("finish reasons that lie", () => {
  const call = part(0, "read_file", '{"path":"x"}');

  it("considers calls that end with `stop`, with `tool_calls` twice, or with [DONE] alone", async () => {
    for (const end of [[finish("stop")], [finish("tool_calls"), finish("tool_calls")], []]) {
      const heard = await play(() => streamOf([call, ...end]));
      expectCleanEnd(heard);
      expect(heard.calls).toEqual([{ name: "read_file", arguments: { path: "x" } }]);
    }
  });

  it("ends cleanly without calls where `tool_calls` announces none", { tags: ["control"] }, async () => {
    const heard = await play(() => streamOf([words("nothing to do"), finish("tool_calls")]));
    expectCleanEnd(heard);
    expect(heard.calls).toEqual([]);
    expect(heard.reply.text).toBe("nothing to do");
  });

  it("refuses calls that end with any other reason, and records that they had begun", async () => {
    const own = await stage();
    const reasons = ["function_call", "eos", "TOOL_CALLS", "Length", "max_tokens"];
    for (const reason of reasons) {
      expectErrorEnd(await own.play(() => streamOf([call, finish(reason)])));
      expectErrorEnd(await own.play(() => streamOf([call, finish("tool_calls"), finish(reason)])));
    }
    const decisions = await own.gate.decisions();
    expect(decisions).toHaveLength(2 * reasons.length);
    for (const decision of decisions) {
      expect(decision).toMatchObject({ tool: "read_file", effect: "deny", disposition: "refused" });
      expect(JSON.stringify(decision.reasons)).toContain("stream_disorderly");
    }
  });

  it("drops the calls of an answer that was cut, whatever else it says of its end", async () => {
    const own = await stage();
    const half = part(1, "list_dir", '{"pa');
    const nameless = part(0, undefined, '{"path":"x"}', "call_x");
    const both = {
      id: "c",
      choices: ["length", "stop"].map((reason, index) => ({ index, delta: {}, finish_reason: reason })),
    };
    const answers = ["length", "content_filter"].flatMap((reason) => [
      [call, finish(reason)],
      [call, half, finish(reason)],
      [half, finish("tool_calls"), finish(reason)],
      [call, finish(reason), finish("stop")],
      [finish(reason), call],
      [nameless, finish(reason)],
    ]);
    for (const events of [...answers, [call, both]]) {
      const heard = await own.play(() => streamOf([words("Here: "), ...events]));
      expectCleanEnd(heard);
      expect(heard.calls).toEqual([]);
      expect([heard.reply.text, /^(length|content_filter)$/.test(String(heard.reply.finishReason))]).toEqual([
        "Here: ",
        true,
      ]);
      expect(heard.raw).not.toContain('"finish_reason":"tool_calls"');
    }
    const decisions = await own.gate.decisions();
    expect(decisions).toHaveLength(15);
    for (const decision of decisions) {
      expect(decision).toMatchObject({ effect: "deny", disposition: "refused" });
      expect(JSON.stringify(decision.reasons)).toContain("stream_disorderly");
    }
  });

  it("keeps no call of a cut answer where the end is worse than a cut", async () => {
    for (const ends of [
      [finish("length"), finish("eos")],
      [finish("eos"), finish("length")],
    ])
      expectErrorEnd(await play(() => streamOf([call, ...ends])));
    expectErrorEnd(await play(() => streamOf([call, { error: { message: "busy" } }, finish("length")])));
    expectErrorEnd(await play(() => piecesOf([sse([call])], { ending: "break" })));
  });

  it("lets any reason pass with words alone", { tags: ["control"] }, async () => {
    for (const reason of ["length", "content_filter", "eos"]) {
      const heard = await play(() => streamOf([words("x"), finish(reason)]));
      expectCleanEnd(heard);
      expect(heard.reply.finishReason).toBe(reason);
    }
  });
});

describe("an error in the stream", () => {
  const call = part(0, "read_file", '{"path":"x"}');

  it("is the last thing that the client hears, and a call that had begun is recorded as refused", async () => {
    const own = await stage();
    const error = { error: { message: "overloaded", type: "server_error", code: "busy", param: null } };
    const orders = [
      [words("before"), error, call, finish("tool_calls")],
      [call, words("before"), error, words("after"), finish("tool_calls")],
      [words("before"), call, finish("tool_calls"), error, words("after")],
    ];
    for (const events of orders) {
      const heard = await own.play(() => streamOf(events));
      expectErrorEnd(heard);
      expect(heard.reply.text).toBe("before");
      expect(heard.reply.error).toEqual(error.error);
    }
    const decisions = await own.gate.decisions();
    expect(decisions).toHaveLength(2);
    for (const decision of decisions) expect(decision).toMatchObject({ effect: "deny", disposition: "refused" });
  });

  it("is an error whatever it is made of", async () => {
    for (const error of ["busy", 500, [], {}, { message: 'data: {"choices":[]}\n\n' }, "", 0, false]) {
      const heard = await play(() => streamOf([words("before"), { ...words("x"), error }, call, finish("stop")]));
      expectErrorEnd(heard);
      // Clients read OpenAI's error object: its message is a text that says something.
      expect(heard.reply.error).toMatchObject({ message: expect.stringMatching(/./), type: "upstream_error" });
    }
  });

  it("leaves the gateway ready for the next turn", { tags: ["control"] }, async () => {
    const heard = await play(() => streamOf([call, finish("tool_calls")]));
    expect(heard.calls).toEqual([{ name: "read_file", arguments: { path: "x" } }]);
  });
});
