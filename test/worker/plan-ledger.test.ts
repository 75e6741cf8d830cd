/** Plans in a user's object: what was planned, what each step came to, and who may run it. */
import { describe, expect, it } from "vitest";
import { asker } from "./guard-asker.ts";
import { begin, events, plan, refusalOf, save, standing, stepCall, taking } from "./kept-plans.ts";
import { entry, finish } from "./managed-runs.ts";

describe("a plan", () => {
  it("is kept, run step by step, and recorded from its beginning to its end", async () => {
    const self = asker();
    const { id } = await save(self);
    expect(await standing(self, id)).toBe("ready ready ready");
    const turn = await begin(self, id);
    expect(refusalOf(await taking(self, id))).toBe("running");
    const [first] = await self.decide(turn, [stepCall({ id }, "a", { run: entry() })]);
    expect(await standing(self, id)).toBe("running running ready");
    await finish(self, turn, String(first?.id), "succeeded", { result: '{"id":7}' });
    expect((await plan(self, id)).steps[0]).toMatchObject({
      decision: first?.id,
      result: '{"id":7}',
      trusted: true,
      tries: 1,
    });
    const [second] = await self.decide(turn, [stepCall({ id }, "b")]);
    await self.guard.endPlan(id, turn.turn);
    expect(await standing(self, id)).toBe("paused succeeded released");
    await self.open({
      session: { id, opening: "o", pair: undefined },
      newMessage: false,
      results: [{ callId: "call_b", succeeded: true, text: "done" }],
    });
    expect(await standing(self, id)).toBe("finished succeeded succeeded");
    expect((await plan(self, id)).steps[1]).toMatchObject({ decision: second?.id, result: "done", trusted: false });
    expect(refusalOf(await taking(self, id))).toBe("ended");
    expect(await events(self)).toEqual(["generated", "started", "finished"]);
    const decisions = (await self.records()).filter((record) => record.kind === "decision");
    expect(decisions).toMatchObject([
      { madeBy: "plan", plan: id, planStep: "a", disposition: "run" },
      { madeBy: "plan", plan: id, planStep: "b", disposition: "released" },
    ]);
  });
});
