/**
 * Attacks by a client's request: what would reach the model past the gateway's rules.
 * @module-tag attack/requests
 */
import { expect, it } from "vitest";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { says, user } from "../support/script.ts";

/** `delete_file` is withheld; an upstream that is given it in whatever form would run it. */
const policy = {
  handshake: { select: "off" },
  tools: { read_file: { category: "read_only" }, delete_file: { category: "modification" } },
  modes: { default: { allow: ["read_file"] } },
};
const open: Promise<Gateway> = gateway({ policy, upstream: says({ text: "ok" }) });

const evil = tool("delete_file");
const good = tool("read_file");
const base = { model: "m", messages: [user("go")], tools: [good, evil] };
const json = (members: object) => JSON.stringify({ ...base, ...members });
const inserted = (text: string) => JSON.stringify(base).replace("{", `{${text},`);
const message = (members: object) => json({ messages: [{ role: "user", content: "go", ...members }] });
const evilList = JSON.stringify([evil]);

/** What the gateway answers, and what is sent: a body, or headers with it. */
type Attack = [name: string, status: number, body: string | Uint8Array, headers?: Record<string, string>];

const fields: readonly Attack[] = [
  ...[
    "web_search_options",
    "plugins",
    "mcp_servers",
    "extra_body",
    "search_parameters",
    "data_sources",
    "connectors",
  ].map((name): Attack => [`F5: \`${name}\``, 400, json({ [name]: [{ id: "web" }] })]),
  ...[
    "Tools",
    "TOOLS",
    "Functions",
    "toolſ",
    "ｔｏｏｌｓ",
    "tool\u200bs",
    "functionſ",
    "Tool_Choice",
    "toolChoice",
    "Messages",
    "meſſages",
    "Model",
  ].map((name): Attack => [`F5: another spelling, ${JSON.stringify(name)}`, 400, json({ [name]: [evil] })]),
  ["F5: `functions`", 400, json({ functions: [evil.function] })],
  ["F5: `function_call`", 400, json({ function_call: { name: "delete_file" } })],
  ["F5: `n` with tools", 400, json({ n: 2 })],
  ["F5: two tools of one name", 400, json({ tools: [good, good] })],
  ["F5: a model that searches", 400, json({ model: "m:online" })],
  ["`tools` by its code, twice", 200, inserted(`"t\\u006fols":${evilList}`)],
  ["`tools` twice", 200, inserted(`"tools":${evilList}`)],
  ["`messages` twice", 200, inserted(`"messages":[]`)],
  ["`__proto__` with tools", 400, inserted(`"__proto__":{"tools":${evilList}}`)],
  ["`constructor` with tools", 200, inserted(`"constructor":{"tools":[]}`)],
  ["tools in the chat template's arguments", 400, json({ chat_template_kwargs: { tools: [evil] } })],
  ["`previous_response_id`", 200, json({ previous_response_id: "resp_1" })],
  ["`n` that is a text", 400, json({ n: "2" })],
  ["`stream` that is a text", 400, json({ stream: "true" })],
  ["`tools` that is an object", 400, json({ tools: { 0: evil } })],
  ["`tools` that is a text", 400, json({ tools: evilList })],
  ...[
    "mcp",
    "web_search_preview",
    "code_interpreter",
    "computer_use_preview",
    "local_shell",
    "Function",
    "custom",
    "",
  ].map(
    (type): Attack => [
      `a tool of the type ${JSON.stringify(type)}`,
      400,
      json({ tools: [good, { type, name: "x", server_url: "https://evil.test" }] }),
    ],
  ),
  ["a tool without a type", 400, json({ tools: [{ function: evil.function }] })],
  ["`Function` within a tool", 400, json({ tools: [{ ...good, Function: evil.function }] })],
  [
    "`Name` within a function",
    400,
    json({ tools: [{ type: "function", function: { name: "read_file", Name: "delete_file" } }] }),
  ],
  ...["read_file\n", "read\u200b_file", "x".repeat(1_000), ""].map(
    (name): Attack => [`a tool named ${JSON.stringify(name.slice(0, 20))}`, 400, json({ tools: [good, tool(name)] })],
  ),
  [
    "`tool_choice` of a withheld tool",
    400,
    json({ tool_choice: { type: "function", function: { name: "delete_file" } } }),
  ],
  [
    "`tool_choice` of a tool that is not there",
    400,
    json({ tool_choice: { type: "function", function: { name: "rm" } } }),
  ],
  [
    "`tool_choice` with a withheld tool among the allowed ones",
    400,
    json({
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "delete_file" } }] },
      },
    }),
  ],
  ["`tool_choice` in capitals", 400, json({ tool_choice: "Required" })],
  ["`tool_choice` of a provider's tool", 400, json({ tool_choice: { type: "web_search_preview" } })],
  ["`Role` in a message", 400, message({ Role: "system" })],
  ["`Tool_Calls` in a message", 400, message({ Tool_Calls: [] })],
  ["the role `User`", 200, message({ role: "User" })],
  ["the role `toolgate`", 200, message({ role: "toolgate" })],
];

const utf16 = (text: string): Uint8Array => {
  const units = Uint16Array.from([0xfeff, ...[...text].map((char) => char.charCodeAt(0))]);
  return new Uint8Array(units.buffer);
};
const bytes = (...parts: (string | number)[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "number" ? [part] : [...new TextEncoder().encode(part)])));

const bodies: readonly Attack[] = [
  ["nothing", 400, ""],
  ["null", 400, "null"],
  ["a list", 400, `[${json({})}]`],
  ["a text", 400, JSON.stringify(json({}))],
  ["a number", 400, "1"],
  ["two bodies", 400, json({}) + json({})],
  ["a comment", 400, json({}).replace("{", "{/* */")],
  ["a trailing comma", 400, json({}).replace(/\}$/, ",}")],
  ["`NaN`", 400, json({}).replace(/\}$/, ',"temperature":NaN}')],
  ["single quotes", 400, json({}).replaceAll('"', "'")],
  ["UTF-16", 400, utf16(json({}))],
  ["UTF-16 that says so", 400, utf16(json({})), { "content-type": "application/json; charset=utf-16" }],
  ["bytes that are no UTF-8", 200, bytes('{"model":"', 0xff, '","messages":[{"role":"user","content":"x"}]}')],
  ["an overlong slash", 200, bytes('{"model":"', 0xc0, 0xaf, '","messages":[{"role":"user","content":"x"}]}')],
  [
    "nesting of 100,000",
    200,
    json({ metadata: 1 }).replace('"metadata":1', `"x":${"[".repeat(100_000)}${"]".repeat(100_000)}`),
  ],
  ["gzip that is none", 400, json({}), { "content-encoding": "gzip" }],
  ["an encoding that nobody knows", 415, json({}), { "content-encoding": "zstd, x" }],
  ["a form", 400, "model=m&messages=go", { "content-type": "application/x-www-form-urlencoded" }],
  ["`text/plain`, which needs no preflight", 200, json({}), { "content-type": "text/plain" }],
];

it.each<Attack>([...fields, ...bodies])("%s: %i", async (_name, status, body, headers = {}) => {
  const gate = await open;
  gate.sent.length = 0;
  const init = { method: "POST", body, headers: { "content-type": "application/json", ...headers } };
  const response = await gate.fetch("/v1/chat/completions", init);
  const text = await response.text();
  expect(response.status, text.slice(0, 300)).toBe(status);
  expect(gate.sent.length).toBe(status === 200 ? 1 : 0);
  // The very bytes: a reader that takes the first of two keys must find none of it either.
  for (const request of gate.requests.splice(0)) expect(await request.text()).not.toContain("delete_file");
  if (status !== 200) expect(JSON.parse(text)).toMatchObject({ error: { message: expect.any(String) } });
});
