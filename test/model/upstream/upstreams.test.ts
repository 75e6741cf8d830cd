/** What operators see of attempts at upstreams, whatever the client gets in the end. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Failure } from "../../../src/model/upstream/retry.ts";
import { newHealth, orderFor, tryUpstreams, type Upstreams } from "../../../src/model/upstream/upstreams.ts";
import { DEFAULT_LIMITS } from "../../../src/settings/upstream-target.ts";

const logged: { event: string; level: string; upstream: unknown; status?: number }[] = [];
beforeEach(() => {
  logged.length = 0;
  for (const level of ["warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((line) => void logged.push(JSON.parse(String(line))));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const answered = (status: number): Failure => ({ kind: "answered", status, headers: new Headers() });

/** The first upstream fails so, and the second answers. */
async function attempts(failure: Failure, headers: Readonly<Record<string, string>> = {}) {
  const noted: string[] = [];
  const upstreams: Upstreams = {
    targets: [{ baseUrl: "https://a.test/v1" }, { baseUrl: "https://b.test/v1" }],
    limits: DEFAULT_LIMITS,
    retries: 0,
    fetch,
    clock: { now: () => 0, random: () => 0, wait: async () => {} },
    noteAttempt: (upstream, outcome) => void noted.push(`${upstream} ${outcome}`),
    health: newHealth(),
  };
  await tryUpstreams(upstreams, orderFor(upstreams, headers), new AbortController().signal, async ({ index }) =>
    index === 0 ? { kind: "failed", failure, reply: "no" } : { kind: "done", value: "yes" },
  );
  return noted;
}

it.each([
  [answered(503), "5xx"],
  [answered(529), "5xx"],
  [answered(401), "unauthorized"],
  [answered(402), "unauthorized"],
  [answered(429), "rate_limited"],
  [{ kind: "unreachable" } as const, "unreachable"],
  [{ kind: "timeout" } as const, "timeout"],
])("a failing upstream is counted though the next one answers (%o)", async (failure, outcome) => {
  expect(await attempts(failure)).toEqual([`1 ${outcome}`, "2 ok"]);
});

it("an answer that no other upstream would give is counted", async () => {
  expect(await attempts(answered(404))).toEqual(["1 4xx"]);
});

it("a client's own key is no matter of the operator", async () => {
  expect(await attempts(answered(401), { authorization: "Bearer sk-of-the-client" })).toEqual([]);
  expect(logged).toEqual([]);
});

it("a key or account that is refused is an error in the log, another failure a warning", async () => {
  await attempts(answered(401));
  await attempts(answered(402));
  await attempts(answered(503));
  expect(logged).toMatchObject([
    { event: "upstream_key_refused", level: "error", upstream: 1, status: 401 },
    { event: "upstream_key_refused", level: "error", upstream: 1, status: 402 },
    { event: "upstream_failed", level: "warn", upstream: 1, status: 503 },
  ]);
});
