/**
 * Requests about plans that no client would make: no 500, no hang, and nothing done that waits for somebody else.
 * @module-tag attack/plans
 */
import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { changed, changes, expectSound } from "../support/fuzz.ts";
import { type Gateway, tool } from "../support/gateway.ts";
import type { Asked } from "../tools/managed.ts";
import { make, planned, proposal, step, tools } from "./planning.ts";

const RUNS = { numRuns: 60 };
const wish = {
  input: "do it",
  model: "m",
  mode: "default",
  stream: false,
  tools: [tool("read_clipboard", tools.read_clipboard.parameters)],
};
const values = { format: "text", subject: "S", body: "B" };
const made = { role: "tool", tool_call_id: "made up", content: "{}", is_error: false };

let gate: Gateway;
let asked: readonly Asked[];
beforeEach(async () => {
  const copy = step("copy", "read_clipboard", { format: "{{PLACEHOLDER_format}}" });
  ({ gate, asked } = await planned([copy, ...proposal]));
});

const post = (path: string, body: string) => expectSound(gate, path, { method: "POST", body });

it("wishes", async () => {
  expect((await post("/v1/plans", JSON.stringify(wish)))?.status).toBe(201);
  await fc.assert(
    fc.asyncProperty(changes, async (list) => void (await post("/v1/plans", changed(wish, list)))),
    RUNS,
  );
});

it.each([
  [
    "run",
    [
      { placeholders: values, results: [made], repeat_unknown: true },
      { placeholders: values, stream: false },
    ],
  ],
  ["approve", [{ digest: "d", placeholders: values }]],
] as const)("%s: what is sent along", async (verb, bodies) => {
  const plan = await make(gate, wish);
  const path = `/v1/plans/${plan.id}`;
  const sent = fc.constantFrom<object>(...bodies);
  await fc.assert(
    fc.asyncProperty(sent, changes, async (body, list) => {
      await post(`${path}/${verb}`, changed("digest" in body ? { ...body, digest: plan.digest } : body, list));
      expect((await expectSound(gate, path, {}))?.status).toBe(200);
    }),
    RUNS,
  );
  // The first step is the client's, and no result of it can be guessed.
  expect(asked).toEqual([]);
});

const part = fc.oneof(
  fc.constantFrom("%00", "%FF", "%2e%2e", "a".repeat(3_000), "plan_", "constructor"),
  fc.string({ unit: "binary", maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
);
const query = fc.record({
  name: fc.constantFrom("after", "limit", "order", "status", "x"),
  value: part,
});

it("paths and queries", async () => {
  const verbs = fc.constantFrom("", "/run", "/approve", "/cancel", "/x");
  await fc.assert(
    fc.asyncProperty(part, verbs, query, async (id, verb, { name, value }) => {
      const asks = verb === "" ? {} : { method: "POST", body: "{}" };
      for (const path of [`/v1/plans/${id}${verb}`, `/v1/plans?${name}=${value}`])
        await expectSound(gate, path, path.includes("?") ? {} : asks);
    }),
    RUNS,
  );
});
