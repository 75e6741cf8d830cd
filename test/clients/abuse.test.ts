/**
 * What somebody's abuse costs everybody else in the same isolate: the processor time that a request takes until it is refused, beside that
 * of a turn. `npm run bench:abuse` measures the time that other people's turns take meanwhile, which needs an idle machine.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AbusedGateway, abuseOnce, chatBody, cpuMsOf, post, startAbused } from "../bench/run/abuse.ts";

/** A hundred refusals a second, at a millisecond each, slow others by a tenth; a turn takes two to three. */
const REFUSED_PART = 0.5;
const REQUESTS = 200;
const WARM = 40;

let gateway: AbusedGateway;
beforeAll(async () => {
  gateway = await startAbused();
});
afterAll(() => gateway?.stop());

it("no request that is refused costs more than half of what a turn costs", async ({ skip }) => {
  const { worker, abuses } = gateway;
  let turns = 0;
  const turn = async () => {
    turns += 1;
    const user = `user-${turns % 4}`;
    const response = await post(worker, { ...worker.headers, "x-toolgate-user": user }, chatBody("text-20"));
    expect([response.status, (await response.text()).includes("[DONE]")]).toEqual([200, true]);
  };
  await cpuMsOf(worker, WARM, turn);
  const whole = await cpuMsOf(worker, REQUESTS, turn);
  if (whole === undefined) return skip("the machine does not count a process's time");
  for (const abuse of abuses) {
    const once = () => abuseOnce(worker, abuse);
    await abuse.begin();
    await cpuMsOf(worker, WARM, once);
    const part = (await cpuMsOf(worker, REQUESTS, once)) ?? Number.NaN;
    expect.soft(part / whole, abuse.name).toBeLessThan(REFUSED_PART);
  }
});
