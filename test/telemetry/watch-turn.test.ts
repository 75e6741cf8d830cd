import { expect, it } from "vitest";
import type { RequestFacts } from "../../src/telemetry/request-facts.ts";
import { watchTurn } from "../../src/telemetry/request-watch.ts";
import { requestLine, turnLine } from "../../src/telemetry/turn-line.ts";

it("a turn tells which upstream answered, where its head says so, and ends once", () => {
  const turn = { id: "turn_1", model: "m", steps: [], runs: [], holds: [] };
  const facts: RequestFacts = { method: "POST", beganAt: 0, turn };
  let ends = 0;
  const watch = watchTurn(
    facts,
    () => 7,
    undefined,
    () => {
      ends += 1;
    },
  );
  expect(watch.stepBegan({ tools: [], withheld: [] })).toBeUndefined();
  const head = { status: 200, headers: new Headers(), upstream: 2, attempts: 3 };
  watch.stepHead(head);
  watch.ended({ kind: "stop", stopReason: "step_limit", finishReason: "length", text: "hunter2" });
  watch.ended({ kind: "stop", stopReason: "completed", finishReason: "stop", text: "hunter2" });
  expect(ends).toBe(1);
  expect(turnLine(facts, turn)).toMatchObject({
    upstream: 2,
    upstream_attempts: 3,
    upstream_status: 200,
    stop_reason: "step_limit",
    finish_reason: "length",
  });
});

it("a request that was not let in has no principal to tell", () => {
  expect(requestLine({ method: "GET", beganAt: 0, answeredAt: 4, status: 401 })).toMatchObject({
    status: 401,
    tenant: undefined,
    ms: { total: 4 },
  });
});

it("a hold is timed from its begin to its end, and one that was never ended is not", () => {
  const turn = { id: "turn_1", model: "m", steps: [], runs: [], holds: [] };
  const facts: RequestFacts = { method: "POST", beganAt: 0, turn };
  let now = 100;
  const watch = watchTurn(
    facts,
    () => now,
    undefined,
    () => {},
  );
  const ended = watch.holdBegan();
  now = 250;
  ended();
  now = 300;
  ended();
  expect(turnLine(facts, turn)).toMatchObject({ ms: { hold: 150, upstream: undefined } });
  watch.holdBegan();
  expect(turnLine(facts, turn)).toMatchObject({ ms: { hold: 150 } });
});
