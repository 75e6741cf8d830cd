import { expect, it } from "vitest";
import { countRequest } from "../../src/telemetry/metrics/count-request.ts";
import { createMeter } from "../../src/telemetry/metrics/meter.ts";
import type { RequestFacts, TurnFacts } from "../../src/telemetry/request-facts.ts";
import { serverTiming, timingsOf } from "../../src/telemetry/request-timings.ts";

const turn: RequestFacts = {
  method: "POST",
  route: "/v1/chat/completions",
  status: 200,
  beganAt: 1000,
  authenticatedAt: 1002,
  policy: { version: "v", stale: true, askedAt: 1003, loadedAt: 1007 },
  answeredAt: 1050,
  turn: {
    id: "turn_1",
    model: "m",
    openedAt: 1010,
    steps: [
      { beganAt: 1011, headAt: 1041, endedAt: 1111, decidedAt: 1115, status: 200, outcome: "ended" },
      { beganAt: 1116, headAt: 1120, endedAt: 1216, decidedAt: 1217, status: 200, outcome: "ended" },
    ],
    runs: [],
    holds: [],
    firstByteAt: 1045,
    repliedAt: 1220,
    endedAt: 1230,
  },
};

it("the parts of a turn are timed each from the end of the one before", () => {
  expect(timingsOf(turn)).toEqual({
    authenticate: 2,
    policy: 4,
    open: 3,
    upstreamHead: 30,
    firstWord: 45,
    upstream: 200,
    decide: 5,
    total: 220,
  });
});

it("the time in which a reply is held for a person is neither the model's nor the gateway's", async () => {
  const held: RequestFacts = {
    ...turn,
    turn: {
      ...(turn.turn as TurnFacts),
      holds: [
        { beganAt: 1115, endedAt: 1116 },
        { beganAt: 1217, endedAt: 31_217 },
      ],
      repliedAt: 31_220,
    },
  };
  expect(timingsOf(held)).toMatchObject({ upstream: 200, decide: 5, hold: 30_001, total: 30_220 });
  const meter = createMeter("a");
  countRequest(meter, held);
  const sent: Readonly<Record<string, number>>[] = [];
  await meter.flush({ add: async ({ increments }) => void sent.push(increments), render: async () => "" });
  expect(sent[0]?.toolgate_gateway_overhead_seconds_sum).toBeCloseTo(0.019);
  expect(sent).toMatchObject([{ toolgate_hold_seconds_sum: 30.001, 'toolgate_hold_seconds_bucket{le="60.0"}': 1 }]);
  countRequest(meter, turn);
  await meter.flush({ add: async ({ increments }) => void sent.push(increments), render: async () => "" });
  expect(Object.keys(sent[1] ?? {}).filter((name) => name.startsWith("toolgate_hold"))).toEqual([]);
});

it("what is not known is not told", () => {
  expect(serverTiming(turn)).toBe("auth;dur=2, policy;dur=4, open;dur=3, upstream;dur=30");
  const refused: RequestFacts = { method: "GET", beganAt: 5, answeredAt: 8 };
  expect(timingsOf(refused)).toMatchObject({ total: 3, upstream: undefined, decide: undefined, open: undefined });
  expect(serverTiming(refused)).toBe("");
});

it("a turn counts in seconds, and tells that its policy was stale", async () => {
  const meter = createMeter("a");
  countRequest(meter, turn);
  const sent: Readonly<Record<string, number>>[] = [];
  await meter.flush({ add: async ({ increments }) => void sent.push(increments), render: async () => "" });
  expect(sent).toMatchObject([
    {
      toolgate_policy_stale: 1,
      toolgate_turn_duration_seconds_sum: 0.22,
      'toolgate_turn_duration_seconds_bucket{le="0.25"}': 1,
      toolgate_first_word_seconds_sum: 0.045,
      toolgate_gateway_overhead_seconds_sum: 0.02,
      toolgate_upstream_head_seconds_sum: 0.034,
      'toolgate_upstream_head_seconds_bucket{le="0.05"}': 1,
    },
  ]);
});
