/** What a run of a plan reads of it: a step with much in it is read when it has ended, and not with each that follows. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import type { PlanProgress } from "../../../src/ports/plans-port.ts";
import type { UserGuard } from "../../../src/stores/objects/user-guard.ts";
import { bodiesOf, make, planned, run, step } from "./planning.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it("reads the whole plan before its first step and after its last, and each result once between", async () => {
  const names = Array.from({ length: 5 }, (_, n) => `s${n}`);
  const { gate, asked } = await planned(
    names.map((id, n) =>
      step(id, "fetch_entity", { entityType: n === 0 ? "Lead" : `{{s0.result.kind}} of {{s${n - 1}.result.kind}}` }),
    ),
    {},
    () => ({ kind: "it", text: "x".repeat(10_000) }),
  );
  const plan = await make(gate);
  const { whole, parts } = await runInDurableObject(gate.stub, ({ apis }: UserGuard) => ({
    whole: vi.spyOn(apis.plans, "find"),
    parts: vi.spyOn(apis.plans, "progress"),
  }));
  const ran = await run(gate, plan);
  expect([ran.plan.status, bodiesOf(asked, "fetch").at(-1)]).toEqual(["finished", { entityType: "it of it" }]);
  // The route's own.
  expect(whole).toHaveBeenCalledTimes(1);
  const told = await Promise.all(parts.mock.results.map(({ value }) => value as Promise<PlanProgress | undefined>));
  const withResults = told.flatMap((part) => part?.steps.flatMap(({ id, result }) => (result ? [id] : [])) ?? []);
  expect(withResults).toEqual(names);
});
