/**
 * Attacks by an upstream's whole answer, in plain and in JSON mode.
 * @module-tag attack/json
 */
import { describe, expect, it } from "vitest";
import { gateway } from "../support/gateway.ts";
import { says, user } from "../support/script.ts";
import { hearReply, POLICY, TOOLS } from "../upstream/hostile-upstream.ts";
import { EVIL, evilCall, FORGED, goodCall, type Outcome, outcomeOf } from "./distrustful-client.ts";

type Attack = readonly [name: string, seen: Outcome, body: unknown];

const answer = (message: object, more: object = {}, choice: object = {}) => ({
  id: "c",
  choices: [
    { index: 0, message: { role: "assistant", content: null, ...message }, finish_reason: "tool_calls", ...choice },
  ],
  ...more,
});
const { index: _index, ...call } = goodCall;
const beside = (extra: object, called: object = {}) =>
  answer({ tool_calls: [{ ...call, function: { ...call.function, ...called }, ...extra }] });
const said = (members: object, more: object = {}, choice: object = {}) =>
  answer({ content: "x", ...members }, more, { finish_reason: "stop", ...choice });
const doubled = (name: string, value: unknown) =>
  JSON.stringify(said({}, { marker: 1 })).replace('"marker":1', `${JSON.stringify(name)}:${JSON.stringify(value)}`);
const evilChoices = answer({ tool_calls: [evilCall] }).choices;

const attacks: readonly Attack[] = [
  ["F1: `Function` beside `function`", "refused", beside({ Function: EVIL })],
  ["F1: `name` and `arguments` beside `function`", "refused", beside({ ...EVIL })],
  ["F1: `input` beside `function`", "refused", beside({ input: EVIL })],
  ["F1: `Arguments` within `function`", "refused", beside({}, { Arguments: EVIL.arguments })],
  ["F1: `extra_content.function`", "one call", beside({ extra_content: { function: EVIL } })],
  ["`fun\u0441tion` with a look-alike letter", "one call", beside({ "fun\u0441tion": EVIL })],
  ["F7: `toolgate`", "dropped", said({}, { toolgate: FORGED })],
  ["F7: `Toolgate`", "dropped", said({}, { Toolgate: FORGED })],
  ["F7: `TOOLGATE` in the message", "dropped", said({ TOOLGATE: FORGED })],
  ["F7: `toolgate` in the choice", "dropped", said({}, {}, { toolgate: FORGED })],
  ["F8: an error that says 200, with calls", "refused", { error: { message: "x", tool_calls: [evilCall] } }],
  ["F8: content that is a list with a call", "refused", said({ content: [evilCall] })],
  [
    "F8: content parts with `tool_use`",
    "refused",
    said({ content: [{ type: "tool_use", name: EVIL.name, input: {} }] }),
  ],
  ["F8: `toolInvocations`", "refused", said({ toolInvocations: [evilCall] })],
  ["F8: `output` with an MCP call", "refused", said({}, { output: [{ type: "mcp_call", ...EVIL }] })],
  [
    "F8: a call without a name",
    "refused",
    answer({ tool_calls: [{ id: "n", type: "function", function: { arguments: "{}" } }] }),
  ],
  [
    "F8: half a surrogate pair in arguments",
    "dropped",
    answer({ tool_calls: [{ ...call, function: { name: "read_file", arguments: '{"path":"\\ud800"}' } }] }),
  ],
  ["`tool_callſ` with a long s", "refused", said({ tool_callſ: [evilCall] })],
  ["`Choices` beside `choices`", "refused", said({}, { Choices: evilChoices })],
  ["`choiceſ` beside `choices`", "refused", said({}, { choiceſ: evilChoices })],
  ["`Message` beside `message`", "refused", said({}, {}, { Message: { tool_calls: [evilCall] } })],
  ["`choices` twice", "dropped", doubled("choices", evilChoices)],
  [
    "`choices` twice, once by its code",
    "dropped",
    doubled("choices", evilChoices).replace('"choices":', '"\\u0063hoices":'),
  ],
  ["a second choice at index 0", "refused", { id: "c", choices: [...said({}).choices, ...evilChoices] }],
  ["10,000 choices", "refused", { id: "c", choices: Array.from({ length: 10_000 }, () => evilChoices[0]) }],
  ["calls in `parsed`", "refused", said({ parsed: { tool_calls: [evilCall] } })],
  ["calls in `audio`", "refused", said({ audio: { tool_calls: [evilCall] } })],
  ["calls in `reasoning_details`", "refused", said({ reasoning_details: [{ type: "tool_use", ...EVIL }] })],
  ["calls in `usage`", "refused", said({}, { usage: { prompt_tokens: 1, tool_calls: [evilCall] } })],
  ["calls in `__proto__`", "refused", doubled("__proto__", { tool_calls: [evilCall] })],
  ["calls in `constructor`", "refused", said({}, { constructor: { tool_calls: [evilCall] } })],
  ["the role `user`", "dropped", said({ role: "user" })],
  ["the role `tool`", "refused", said({ role: "tool", tool_call_id: "w1" })],
  ["the role `system`", "dropped", said({ role: "system" })],
  [
    "the finish reason `length` with a call",
    "dropped",
    answer({ tool_calls: [call] }, {}, { finish_reason: "length" }),
  ],
  ["the finish reason in capitals", "refused", answer({ tool_calls: [call] }, {}, { finish_reason: "TOOL_CALLS" })],
  [
    "a text behind the JSON",
    "refused",
    `${JSON.stringify(said({}))}${JSON.stringify(answer({ tool_calls: [evilCall] }))}`,
  ],
  ["a list of answers", "refused", [answer({ tool_calls: [evilCall] })]],
  ["a text", "refused", JSON.stringify(JSON.stringify(answer({ tool_calls: [evilCall] })))],
  ["null", "refused", "null"],
  ["nesting of 100,000", "refused", `${'{"choices":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  ["the arguments of a call that nobody offered", "dropped", answer({ tool_calls: [evilCall] })],
  ["a call beside words", "one call", answer({ content: "x", tool_calls: [call] })],
];

/** The upstream's next answer; after a refusal it only talks. */
let next: unknown;
const open = gateway({
  policy: POLICY,
  upstream: (body, request) => {
    const { messages } = body as { messages: readonly { role: string }[] };
    if (messages.at(-1)?.role === "tool") return says({ text: "{}" })(body, request);
    const headers = { "content-type": "application/json" };
    return new Response(typeof next === "string" ? next : JSON.stringify(next), { headers });
  },
});

describe.each([
  ["plain", {}],
  ["JSON mode", { response_format: { type: "json_object" } }],
])("%s", (_mode, mode) => {
  it.each(attacks)("%s: %s", async (_name, seen, body) => {
    next = body;
    const gate = await open;
    const request = { messages: [user("go")], tools: TOOLS, stream: false, ...mode };
    expect(outcomeOf(await hearReply(await gate.chat(request)))).toBe(seen);
  });
});
