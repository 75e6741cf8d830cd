/** What tools have told the model, as the user's object keeps it beyond the task. */
import { describe, expect, it } from "vitest";
import type { HiddenExchange } from "../../../src/ports/turns-port.ts";
import { type Asker, asker, type OpenedTurn } from "../support/guard-asker.ts";

describe("exchanges that last", () => {
  const exchange = (n: number, size = 10): HiddenExchange => ({
    anchors: [`words ${n}`],
    place: n,
    messages: [{ role: "tool", content: "é".repeat(size / 2) }],
  });
  const close = (self: Asker, turn: OpenedTurn, lasting: readonly HiddenExchange[]) =>
    self.close(turn, false, { taskGoesOn: false, lasting });
  const told = async (self: Asker) => (await self.open()).hidden.map(({ place, lasting }) => [place, lasting]);

  it("are told in later tasks, in order with the task's own, within bounds, until a reset", async () => {
    const self = asker();
    const turn = await self.open();
    const { session } = turn;
    const hidden = [exchange(1), { ...exchange(2), lasting: true as const }];
    await self.guard.turns.saveHidden({ turn: turn.turn, session, hidden, reminded: false });
    expect((await self.open({ newMessage: false })).hidden.map(({ place }) => place)).toEqual([1, 2]);
    await close(self, turn, [exchange(3), exchange(4, 33 * 1024)]);
    expect(await told(self)).toEqual([
      [2, true],
      [3, true],
    ]);
    const next = await self.open();
    await close(
      self,
      next,
      Array.from({ length: 9 }, (_, n) => exchange(10 + n, 30 * 1024)),
    );
    expect((await told(self)).map(([place]) => place)).toEqual([11, 12, 13, 14, 15, 16, 17, 18]);
    const open = await self.open();
    await self.open({ reset: true });
    await close(self, open, [exchange(30)]);
    expect(await told(self)).toEqual([]);
  });
});
