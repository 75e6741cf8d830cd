/** What tools have told the model, as the user's object keeps it beyond the task. */
import { describe, expect, it } from "vitest";
import type { HiddenExchange } from "../../../src/ports/turns/hidden-exchange.ts";
import { type Asker, asker, type OpenedTurn } from "../support/guard-asker.ts";

describe("exchanges that last", () => {
  const exchange = (n: number, size = 10): HiddenExchange => ({
    anchor: { kind: "reply", digest: `words ${n}`, position: n, runs: [] },
    messages: [{ role: "tool", content: "é".repeat(size / 2) }],
  });
  const close = (self: Asker, turn: OpenedTurn, retained: readonly HiddenExchange[]) =>
    self.close(turn, false, { taskGoesOn: false, retained });
  const kept = (hidden: readonly HiddenExchange[]) =>
    hidden.map(({ anchor }) => [anchor.kind, "position" in anchor && anchor.position]);
  const retained = async (self: Asker) => kept((await self.open()).hidden);

  it("are told in later tasks, in order with the task's own, within bounds, until a reset", async () => {
    const self = asker();
    const turn = await self.open();
    const { session } = turn;
    const ofTask: HiddenExchange = {
      ...exchange(1),
      anchor: { kind: "calls", ids: ["c"], codes: [], position: 1 },
    };
    await self.guard.turns.saveHidden({ turn: turn.turn, session, hidden: [ofTask], reminded: false });
    await close(self, turn, [exchange(2), exchange(3), exchange(4, 33 * 1024)]);
    expect(kept((await self.open({ newMessage: false })).hidden)).toEqual([
      ["reply", 2],
      ["reply", 3],
    ]);
    expect(await retained(self)).toEqual([
      ["reply", 2],
      ["reply", 3],
    ]);
    const next = await self.open();
    await close(
      self,
      next,
      Array.from({ length: 9 }, (_, n) => exchange(10 + n, 30 * 1024)),
    );
    expect((await retained(self)).map(([, position]) => position)).toEqual([11, 12, 13, 14, 15, 16, 17, 18]);
    const open = await self.open();
    await self.open({ reset: true });
    await close(self, open, [exchange(30)]);
    expect(await retained(self)).toEqual([]);
  });
});
