import { describe, expect, it } from "vitest";
import { backOffMs, retryAfterMs } from "../../../src/lib/back-off.ts";
import { advise, type Failure, failureRank } from "../../../src/model/upstream/retry.ts";
import { CLOSED, COOL_MS, orderOf as orderOfHops, recover, trip } from "../../../src/model/upstream/upstreams.ts";

function orderOf(circuit: typeof CLOSED, count: number, now: number) {
  const hops = Array.from({ length: count }, (_, index) => ({ index }));
  const found = orderOfHops(circuit, hops, now);
  return { ...found, order: found.order.map(({ index }) => index) };
}

const NOW = Date.parse("2026-06-01T12:00:00Z");
const answered = (status: number, headers: Record<string, string> = {}): Failure => ({
  kind: "answered",
  status,
  headers: new Headers(headers),
});
const short = (failure: Failure): string => {
  const { again, next, waitMs, holdMs } = advise(failure, NOW);
  return [again && "again", next && "next", waitMs !== undefined && `wait ${waitMs}`, holdMs > 0 && `hold ${holdMs}`]
    .filter(Boolean)
    .join(" ");
};

describe("what is advised", () => {
  it.each<[string, Failure, string]>([
    ["no connection", { kind: "unreachable" }, "again next"],
    ["a time-out", { kind: "timeout" }, "next"],
    ...[408, 429, 500, 502, 503, 504, 529].map(
      (status) => [String(status), answered(status), "again next"] as [string, Failure, string],
    ),
    ...[400, 403, 404, 405, 409, 413, 422].map(
      (status) => [String(status), answered(status), ""] as [string, Failure, string],
    ),
    ["the gateway's key is not valid", answered(401), "next"],
    ["the gateway has no credit", answered(402), "next"],
    ...[501, 520, 522, 524, 530].map(
      (status) => [String(status), answered(status), "next"] as [string, Failure, string],
    ),
    ["a redirect", answered(302), ""],
    ["200 with garbage", answered(200), ""],
    ["wait a little", answered(429, { "retry-after": "7" }), "again next wait 7000"],
    ["wait a little, exactly", answered(503, { "retry-after": "7", "retry-after-ms": "1250" }), "again next wait 1250"],
    ["wait until", answered(503, { "retry-after": "Mon, 01 Jun 2026 12:00:05 GMT" }), "again next wait 5000"],
    [
      "wait until a time that has passed",
      answered(503, { "retry-after": "Mon, 01 Jun 2026 11:00:00 GMT" }),
      "again next wait 0",
    ],
    ["wait long", answered(429, { "retry-after": "60" }), "next hold 60000"],
    ["nonsense", answered(429, { "retry-after": "soon" }), "again next"],
    ["less than nothing", answered(429, { "retry-after": "-5", "retry-after-ms": "NaN" }), "again next"],
    ["do not ask again", answered(429, { "x-should-retry": "false" }), "next"],
    ["do not send this again", answered(400, { "x-should-retry": "false" }), ""],
    ["ask again", answered(409, { "x-should-retry": "true" }), "again"],
    ["ask again, later", answered(409, { "x-should-retry": "true", "retry-after": "60" }), " hold 60000".trim()],
  ])("%s", (_name, failure, advice) => expect(short(failure)).toBe(advice));

  it("the longest of waits is as long as it says", () => {
    expect(retryAfterMs(new Headers({ "retry-after": "86400" }), NOW)).toBe(86_400_000);
    expect(retryAfterMs(new Headers(), NOW)).toBeUndefined();
  });
});

it("a back-off doubles, is half chance, and has an end", () => {
  expect([0, 1, 2, 3, 4, 9].map((retry) => backOffMs(retry, 0))).toEqual([200, 400, 800, 1600, 2500, 2500]);
  expect([0, 1, 9].map((retry) => backOffMs(retry, 1))).toEqual([400, 800, 5000]);
});

it("an answer tells more than silence, and the gateway's account less than any other answer", () => {
  const order = [answered(503), answered(401), { kind: "timeout" }, { kind: "unreachable" }] as const;
  const told = order.map((failure) => failureRank(failure));
  expect(told).toEqual([...told].sort((a, b) => b - a));
  expect(new Set(told).size).toBe(told.length);
});

describe("an upstream that has failed", () => {
  const failed = trip(CLOSED, 0, NOW, 0);

  it("is asked last for a while", () => {
    expect(orderOf(CLOSED, 3, NOW).order).toEqual([0, 1, 2]);
    expect(orderOf(failed, 3, NOW + COOL_MS - 1).order).toEqual([1, 2, 0]);
    expect(orderOf(trip(failed, 1, NOW, 0), 3, NOW).order).toEqual([2, 0, 1]);
  });

  it("is then asked in its place by one request, whose answer the others wait for", () => {
    const probe = orderOf(failed, 2, NOW + COOL_MS);
    expect(probe.order).toEqual([0, 1]);
    expect(orderOf(probe.circuit, 2, NOW + COOL_MS + 1).order).toEqual([1, 0]);
    expect(orderOf(recover(probe.circuit, 0), 2, NOW + COOL_MS + 1)).toEqual({ order: [0, 1], circuit: CLOSED });
    expect(orderOf(probe.circuit, 2, NOW + 2 * COOL_MS).order).toEqual([0, 1]);
  });

  it("is left alone for as long as it asks, but not for ever", () => {
    const held = trip(CLOSED, 0, NOW, 60_000);
    expect([NOW + 59_999, NOW + 60_000].map((now) => orderOf(held, 2, now).order[0])).toEqual([1, 0]);
    expect(orderOf(trip(CLOSED, 0, NOW, 86_400_000), 2, NOW + 300_000).order[0]).toBe(0);
  });
});
