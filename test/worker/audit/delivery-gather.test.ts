/** How long audit records wait in a user's object to be delivered together. */
import { afterEach, expect, it, vi } from "vitest";
import { gateway } from "../support/gateway.ts";
import { runInGuard, workAt } from "../support/run-in-guard.ts";
import { ask, says, user } from "../support/script.ts";

afterEach(() => void vi.useRealTimers());

it("is a quarter of a second, and a second while several turns end in it", async () => {
  // Far enough ahead that no alarm rings by itself.
  const now = Date.now() + 30 * 24 * 3600_000;
  vi.useFakeTimers({ toFake: ["Date"], now });
  const gate = await gateway({ upstream: says({ text: "ok" }) });
  let turns = 0;
  const waitAfter = async (count: number) => {
    for (let n = 0; n < count; n++) {
      turns += 1;
      await ask(gate, { messages: [user(`go ${turns}`)] }, { "x-toolgate-session": `s${turns}` });
      await gate.settle();
    }
    // What it was told is written when it is asked for something.
    await gate.guard.sessions.find("s1");
    const wait = ((await workAt(gate.stub)) ?? Number.NaN) - now;
    await runInGuard(gate.stub, (object) => object.alarm());
    return wait;
  };
  expect([await waitAfter(1), await waitAfter(2), await waitAfter(1), await waitAfter(1)]).toEqual([
    250, 250, 1000, 250,
  ]);
});
