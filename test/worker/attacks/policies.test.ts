/**
 * Attacks by a policy: what an admin of one tenant might put in force to harm others, or by mistake.
 * @module-tag attack/policies
 */
import { expect, it } from "vitest";
import { gateway, tool } from "../support/gateway.ts";
import { ask, call, says, user } from "../support/script.ts";

const run = (more: object) => ({
  tools: { t: { category: "read_only", run: { kind: "http", method: "GET", url: "https://crm.test/", ...more } } },
});
const pattern = (text: string) => ({ intents: { A: { patterns: [text] }, B: {} } });

/** Texts stand as they are. */
const refused: readonly (readonly [name: string, document: unknown])[] = [
  ["a tool named `__proto__`", '{"tools":{"__proto__":{"category":"read_only"}}}'],
  ["a key twice", '{"unlistedTools":"deny","unlistedTools":"read_only"}'],
  ["a key by its code, twice", '{"unlistedTools":"deny","unlisted\\u0054ools":"read_only"}'],
  ["a number that doubles cannot hold", '{"execution":{"maxSteps":1e400}}'],
  ["a negative limit", { rateLimits: { "*": [{ max: -1, window: "1h" }] } }],
  ["a limit of 1e308", { rateLimits: { "*": [{ max: 1e308, window: "1h" }] } }],
  ["a window of nothing", { rateLimits: { "*": [{ max: 1, window: "0s" }] } }],
  ["a role that is none", { tools: { t: { roles: ["root"] } } }],
  ["a role that objects inherit", { tools: { t: { roles: ["constructor"] } } }],
  ["a category that objects inherit", { tools: { t: { category: "toString" } } }],
  ["a repetition of repetitions", pattern("((a{1000}){1000}){1000}")],
  ["a pattern that looks ahead", pattern("(?=a)a")],
  ["a pattern that refers back", pattern("(a)\\1")],
  ["a template in the method", run({ method: "{{arguments.x}}" })],
  ["a line break in a header", run({ headers: { "x-a": "a\r\nhost: evil.test" } })],
  ["a header that names the host", run({ headers: { host: "evil.test" } })],
  ["a header that frames the body", run({ headers: { "transfer-encoding": "chunked" } })],
  ["user information in the URL", run({ url: "https://a:b@crm.test/" })],
  ["nesting of 100,000", `{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
  ["a field that nobody knows", { enforcement: "off" }],
  ["another spelling of a field", { Tools: {} }],
];

it.each(refused)("%s is refused, and the policy in force stays", async (_name, document) => {
  const gate = await gateway({ policy: { unlistedTools: "deny" }, upstream: says({ calls: [call("c", "x")] }) });
  const key = await gate.keyFor("boss", "admin");
  const path = `/admin/policies/${gate.tenant}`;
  const before = await (await gate.fetch(path, { key })).text();
  const body = typeof document === "string" ? document : JSON.stringify(document);
  const headers = { "content-type": "application/json" };
  const answer = await gate.fetch(path, { method: "PUT", body, headers, key });
  expect([400, (await answer.text()).slice(0, 200)]).toEqual([answer.status, expect.stringContaining("error")]);
  expect(await (await gate.fetch(path, { key })).text()).toBe(before);
});

/** What is taken must not make a turn slow, or loosen a tool that the policy does not name. */
const taken: readonly [name: string, document: object, words?: string][] = [
  ["a glob of many stars", { modes: { default: { allow: [`${"*a".repeat(50)}*b`] } } }],
  ["50,000 keywords", { intents: { A: { keywords: Array.from({ length: 50_000 }, (_, at) => `w${at}`) }, B: {} } }],
  ["a pattern that would backtrack", pattern("^(a+)+$"), `${"a".repeat(20_000)}!`],
  [
    "a pattern of an entity that would backtrack",
    { entities: { x: { pattern: "(a|a)*b" } } } as object,
    "a".repeat(20_000),
  ],
  ["a tool named `constructor`", { tools: { constructor: { category: "read_only" } } }],
  ["a family named `toString`", { families: { toString: ["x*"] } }],
  [
    "a glob that would vouch for a name of the client's",
    { modes: { default: { allow: ["read_*"] } }, tools: { "read_*": { category: "read_only" } } },
  ],
];

it.each<[name: string, document: object, words?: string]>([...taken])(
  "%s loosens nothing, and holds up nobody",
  async (_name, document, words = "go") => {
    const gate = await gateway({
      upstream: says({ calls: [call("c", "read_all_and_delete"), call("d", "toString")] }),
    });
    const key = await gate.keyFor("boss", "admin");
    const init = { method: "PUT", json: { handshake: { select: "off" }, ...document }, key };
    const answer = await gate.fetch(`/admin/policies/${gate.tenant}`, init);
    expect(answer.status).toBe(200);
    const begun = performance.now();
    const tools = [tool("read_all_and_delete"), tool("toString")];
    const { status, calls } = await ask(gate, { messages: [user(words)], tools });
    expect([status, calls, performance.now() - begun < 4_000]).toEqual([200, [], true]);
  },
);
