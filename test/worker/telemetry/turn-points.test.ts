/** What each turn leaves in Analytics Engine, which is outside: the binding is the test's. */
import { expect, it, vi } from "vitest";
import { gateway, tool } from "../support/gateway.ts";
import { ask, call, says, user } from "../support/script.ts";

const policy = {
  handshake: { select: "off" },
  tools: { read_file: { category: "read_only" }, rm: { roles: ["admin"] }, post: { confirm: "ask" } },
};
const usage = { prompt_tokens: 5, completion_tokens: 2 };

function dataset() {
  const points: { readonly indexes: string[]; readonly blobs: string[]; readonly doubles: number[] }[] = [];
  return { points, variables: { ANALYTICS: { writeDataPoint: (point?: object) => void points.push(point as never) } } };
}

it("is a point of the tenant's, with what was decided, how long it took and what it used", async () => {
  const { points, variables } = dataset();
  const upstream = [
    says({ calls: [call("x", "rm")], usage }),
    says({ calls: [call("r", "read_file"), call("p", "post", { text: "hello" })], usage }),
  ];
  const gate = await gateway({ policy, variables, upstream });
  const tools = [tool("read_file"), tool("rm"), tool("post")];
  const { status } = await ask(gate, { messages: [user("go")], tools });
  await gate.settle();
  const [point] = points;
  expect([points.length, point?.indexes]).toEqual([1, [gate.tenant]]);
  expect(point?.blobs).toEqual([
    "completed",
    String(status),
    "test-model",
    expect.stringMatching(/^[0-9a-f]{12}$/),
    "action",
    "/v1/chat/completions",
  ]);
  const [total, firstWord, inModel, own, held, inTools, ...counts] = point?.doubles ?? [];
  for (const ms of [total, firstWord, inModel, own]) expect(ms).toBeGreaterThanOrEqual(0);
  expect([held, inTools]).toEqual([-1, -1]);
  const [steps, allowed, confirmed, denied, offered, withheld, , input, output, runs, failed] = counts;
  expect([steps, allowed, confirmed, denied]).toEqual([2, 1, 1, 1]);
  expect([offered, withheld, input, output, runs, failed]).toEqual([2, 1, 10, 4, 0, 0]);
});

it("is none for other requests, and no failure of the turn where it cannot be written", async () => {
  const { points, variables } = dataset();
  const gate = await gateway({ policy, variables, upstream: says({ text: "ok" }) });
  await gate.fetch("/v1/models");
  await gate.settle();
  expect(points).toEqual([]);
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  const failing = () => {
    throw new Error("too many data points");
  };
  const broken = await gateway({
    policy,
    variables: { ANALYTICS: { writeDataPoint: failing } },
    upstream: says({ text: "ok" }),
  });
  const { text } = await ask(broken, { messages: [user("go")] });
  await broken.settle();
  expect([text, errors.mock.calls.join()]).toEqual(["ok", expect.stringContaining("telemetry_failed")]);
  errors.mockRestore();
});

it("names its tenant by 96 bytes of whole characters", async () => {
  const { turnPoint } = await import("../../../src/telemetry/metrics/turn-point.ts");
  const principal = { tenant: "é".repeat(60) } as never;
  const facts = { method: "POST", beganAt: 0, principal };
  const { indexes, blobs, doubles } = turnPoint(facts, { id: "t", model: "m", steps: [], runs: [], holds: [] });
  expect([indexes, blobs.length, doubles.length]).toEqual([["é".repeat(48)], 6, 17]);
});
