/** What the fuzz tests share: a gateway whose model always calls everything, and what must hold of each answer. */
import fc from "fast-check";
import { expect } from "vitest";
import { within } from "../upstream/hostile-upstream.ts";
import { type Gateway, gateway, tool } from "./gateway.ts";
import { type Answer, call, readAnswer, says, toolsOf } from "./script.ts";

const path = { type: "object", properties: { path: { type: "string" } } };
const PERMITTED: ReadonlySet<string> = new Set(["read_file", "list_dir"]);
const POLICY = {
  handshake: { select: "off" },
  tools: { read_file: { category: "read_only" }, list_dir: { category: "read_only" } },
  modes: {
    default: { allow: ["read_file", "list_dir"] },
    none: { allow: [] },
    all: { allow: ["*"], roles: ["admin"] },
  },
};

/** A model that calls what is permitted, what is forbidden and what does not exist, whatever it is asked. */
const calls = [
  call("c1", "read_file", { path: "a" }),
  call("c2", "rm_rf", { path: "/" }),
  call("c3", "list_dir", {}),
  call("c4", "nothing_such"),
];

export const REQUEST = {
  model: "test-model",
  stream: true,
  messages: [
    { role: "system", content: "be brief" },
    { role: "user", content: [{ type: "text", text: "go" }] },
  ],
  tools: [tool("read_file", path), tool("list_dir", path), tool("rm_rf", path)],
  tool_choice: "auto",
  stream_options: { include_usage: true },
  metadata: { session_id: "s1" },
  user: "ada",
  temperature: 0.5,
};

export const fuzzed = (): Promise<Gateway> =>
  gateway({
    policy: POLICY,
    upstream: (body, request) =>
      request.url.includes("/chat/")
        ? says({ text: "well", calls })(body, request)
        : Response.json({ object: "list", data: [] }),
  });

/** No 500, no hang, an error in OpenAI's form, and nothing sent or released that the policy does not permit. */
export async function expectSound(gate: Gateway, path: string, init: RequestInit): Promise<Answer | undefined> {
  gate.sent.length = 0;
  const response = await within(gate.fetch(path, init));
  expect(response.status).toBeGreaterThanOrEqual(200);
  expect(response.status).toBeLessThan(500);
  // The gateway's own tool may be among them, under whatever name the policy gives it.
  for (const body of gate.sent) expect(toolsOf(body)).not.toContain("rm_rf");
  const type = response.headers.get("content-type") ?? "";
  if (response.status === 204 || !/json|event-stream/.test(type)) return undefined;
  const answer = await within(readAnswer(response));
  for (const { name } of answer.calls) expect(PERMITTED).toContain(name);
  if (response.status >= 400)
    expect(answer.body.error).toMatchObject({ message: expect.any(String), type: expect.any(String) });
  return answer;
}

/** Values that readers of JSON stumble over. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, "", 0, -1, 1.5, 1e308, [], {}, [null], "__proto__", "\u0000", "\ud800"),
  fc.constantFrom<unknown>("rm_rf", "read_file", "required", "none", "select_intent", "tool", "assistant", "system"),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .constantFrom(1, 40, 90, 110, 2_000)
    .map((depth) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as unknown),
  fc.constant("x".repeat(5_000)),
);

interface Change {
  /** Chooses a place among all places of the value. */
  readonly at: number;
  readonly how: "set" | "drop" | "double" | "add";
  readonly key: string;
  readonly value: unknown;
}

export const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    at: fc.nat(1_000),
    how: fc.constantFrom("set", "set", "drop", "double", "add"),
    key: fc.constantFrom(
      "tools",
      "functions",
      "tool_calls",
      "n",
      "__proto__",
      "constructor",
      "name",
      "type",
      "role",
      "x",
    ),
    value: oddValue,
  }),
  { minLength: 1, maxLength: 4 },
);

/** The value with each change made at one of its places, as JSON text. */
export function changed(value: unknown, list: readonly Change[]): string {
  const root = { value: JSON.parse(JSON.stringify(value)) as unknown };
  for (const { at, how, key, value: given } of list) {
    // As JSON, so that no change reaches the generator's own value.
    const odd = JSON.parse(JSON.stringify(given)) as unknown;
    const all = placesOf(root);
    const [holder, name] = all[at % all.length] as Place;
    if (how === "set") define(holder, name, odd);
    else if (how === "drop" && Array.isArray(holder)) holder.splice(Number(name), 1);
    else if (how === "drop" && holder !== root) delete holder[name];
    else if (how === "double" && Array.isArray(holder)) holder.push(holder[Number(name)]);
    else if (how === "add") add(holder === root ? root.value : holder, key, odd);
  }
  return JSON.stringify(root.value) ?? "";
}

/** A list has no other members: one named `constructor` would break its own methods. */
function add(to: unknown, key: string, value: unknown): void {
  if (Array.isArray(to)) to.push(value);
  else define(to, key, value);
}

type Holder = Record<string, unknown>;
type Place = readonly [holder: Holder, name: string];

function placesOf(value: unknown, depth = 0): Place[] {
  if (typeof value !== "object" || value === null || depth > 50) return [];
  return Object.keys(value).flatMap((name) => [
    [value as Holder, name] as Place,
    ...placesOf((value as Holder)[name], depth + 1),
  ]);
}

/** As JSON.parse would: `__proto__` is a member like any other. */
function define(holder: unknown, name: string, value: unknown): void {
  if (typeof holder !== "object" || holder === null) return;
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}
