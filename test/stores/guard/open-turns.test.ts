import { expect, it } from "vitest";
import type { OpenRequest } from "../../../src/ports/turns/open-turn-request.ts";
import type { AppliedOpen } from "../../../src/stores/guard/turns/open.ts";
import { OpenTurns } from "../../../src/stores/guard/turns/turns-api.ts";

const request = { turn: "new", session: { id: "s" }, ceilings: { turns: 1 } } as unknown as OpenRequest;
const opened = { opened: {} } as unknown as AppliedOpen;
const overOf = (turns: OpenTurns) => turns.open(request, () => opened).opened.over;

it("counts the turns that are stored, where the object has left the memory", () => {
  const turns = new OpenTurns(
    () => 1_000,
    () => [{ id: "old", at: 0 }],
  );
  expect(overOf(turns)).toBe("turns");
});

it("does not count one that ends first, though that is not written yet", () => {
  const turns = new OpenTurns(
    () => 1_000,
    () => [{ id: "old", at: 0 }],
  );
  turns.close("old");
  expect(overOf(turns)).toBeUndefined();
});
