import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyIntentChange,
  type IntentChange,
  NO_TASK,
  type SessionIntents,
  taskStateFor,
} from "../../src/session/task.ts";

const held = (intents: readonly string[], changes: Partial<SessionIntents["taskState"]> = {}): SessionIntents => ({
  intents,
  taskState: { ...NO_TASK, task: 1, epoch: 3, detected: ["A"], succeeded: ["files"], reminded: true, ...changes },
});
const replace = (...intents: string[]): IntentChange => ({ kind: "replace", intents });
/** What is held after a move, and whether counters and successes went on. */
function moved(before: SessionIntents, move: IntentChange, detected: readonly string[] = []) {
  const { intents, taskState } = applyIntentChange(before, move, detected, 2);
  const goesOn = taskState.epoch === before.taskState.epoch;
  expect(taskState.succeeded).toEqual(goesOn ? before.taskState.succeeded : []);
  expect([taskState.task, taskState.reminded]).toEqual([2, false]);
  return { intents, goesOn, detected: taskState.detected };
}

describe("the intents of a session", () => {
  it.each([
    ["another intent", ["A"], replace("B"), ["B"], false],
    ["the same", ["A"], replace("A"), ["A"], true],
    ["the same in another order", ["A", "B"], replace("B", "A"), ["B", "A"], true],
    ["one of two: narrowed to it", ["A", "B"], replace("B"), ["B"], true],
    ["one more", ["A"], replace("A", "B"), ["A", "B"], false],
    ["none at all", ["A"], replace(), [], false],
    ["the first", [], replace("A"), ["A"], false],
    ["neither", ["A"], { kind: "clear" } as const, [], false],
    ["a follow-up", ["A", "B"], { kind: "keep" } as const, ["A", "B"], true],
    ["said again, where only the handshake selects", ["A"], { kind: "keep", only: ["B", "A"] } as const, ["A"], true],
    ["another, where only the handshake selects", ["A"], { kind: "keep", only: ["B"] } as const, [], false],
    ["nothing held to be said again", [], { kind: "keep", only: ["B"] } as const, [], false],
  ])("%s", (_, before, move, intents, goesOn) => {
    expect(moved(held(before), move)).toMatchObject({ intents, goesOn });
  });

  it("what was detected counts on through follow-ups alone", () => {
    expect(moved(held(["A"]), { kind: "keep" }, ["B", "A"]).detected).toEqual(["A", "B"]);
    expect(moved(held(["A"]), replace("A"), ["A", "C"]).detected).toEqual(["A", "C"]);
    expect(moved(held(["A"]), replace("B"), ["B"]).detected).toEqual(["B"]);
    expect(moved(held(["A"]), { kind: "clear" }, ["C"]).detected).toEqual(["C"]);
  });

  it("of a task that older code began nothing is known but that there was untrusted text", () => {
    const { taskState } = held(["A"], { untrusted: true });
    expect(taskStateFor(taskState, 1)).toBe(taskState);
    expect(taskStateFor(taskState, 2)).toEqual({ ...NO_TASK, task: 2, epoch: 4, untrusted: true });
  });

  it("a message never makes them more than it names, nor more than were held", () => {
    const names = fc.subarray(["A", "B", "C", "D"]);
    const moves = fc.oneof(
      names.map((intents): IntentChange => ({ kind: "replace", intents })),
      names.map((only): IntentChange => ({ kind: "keep", only })),
      fc.constantFrom<IntentChange>({ kind: "keep" }, { kind: "clear" }),
    );
    fc.assert(
      fc.property(names, moves, (before, move) => {
        const now = applyIntentChange(held(before), move, [], 2);
        const permitted = move.kind === "replace" ? move.intents : before;
        expect(now.intents.every((name) => permitted.includes(name))).toBe(true);
        // Counters go on only where nothing is held that was not.
        if (now.taskState.epoch === 3) expect(now.intents.every((name) => before.includes(name))).toBe(true);
      }),
    );
  });
});
