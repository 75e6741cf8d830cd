import { describe, expect, it } from "vitest";
import type { DetectedIntent, Detection } from "../../src/intent/detection.ts";
import {
  addSelected,
  applyIntentChange,
  type IntentChange,
  type IntentChangeInputs,
  intentChangeOf,
  NO_TASK,
  taskStateFor,
} from "../../src/session/task.ts";

const found = (name: string, confidence = 1, layer: DetectedIntent["layer"] = "keywords"): DetectedIntent => ({
  name,
  confidence,
  layer,
  evidence: [],
});
const saying = (intents: readonly DetectedIntent[], followUp = false): Detection => ({
  intents,
  discounted: [],
  followUp,
  mayFollowUp: false,
  keepsTask: false,
  afterQuestion: false,
  entities: [],
  selectAt: 0.9,
  missed: [],
});
const move = (detection: Detection | undefined, changes: Partial<IntentChangeInputs> = {}) =>
  intentChangeOf({
    newMessage: true,
    detection,
    select: "detected",
    knows: (name) => name !== "GONE",
    ...changes,
  });
const fallback = found("CHAT", 0.5, "fallback");

describe("a new user message", () => {
  it("with confident detection: replaces, all confident intents together and each once", () => {
    expect(move(saying([found("A"), found("B", 0.9, "patterns"), found("A"), found("C", 0.89, "semantic")]))).toEqual({
      kind: "replace",
      intents: ["A", "B"],
    });
  });

  it("that only follows up: keeps", () => {
    expect(move(saying([], true))).toEqual({ kind: "keep" });
    expect(move(saying([found("A", 0.7, "semantic")], true))).toEqual({ kind: "keep" });
  });

  it("that goes on with the task and asks for something: that is added where it surely goes on", () => {
    expect(move(saying([found("B")], true))).toEqual({ kind: "replace", intents: ["B"] });
    expect(move({ ...saying([found("B")], true), keepsTask: true })).toEqual({ kind: "add", intents: ["B"] });
    const held = { intents: ["A"], taskState: { ...NO_TASK, detected: ["A"], succeeded: ["mail"] } };
    expect(applyIntentChange(held, { kind: "add", intents: ["B"] }, ["B"], 1)).toMatchObject({
      intents: ["A", "B"],
      taskState: { detected: ["A", "B"], epoch: 1, succeeded: [] },
    });
    // Nothing new is asked for: soft uses and successes go on to count.
    expect(applyIntentChange(held, { kind: "add", intents: ["A"] }, ["A"], 1)).toMatchObject({
      intents: ["A"],
      taskState: { detected: ["A"], epoch: 0, succeeded: ["mail"] },
    });
  });

  it("that goes on with the task and asks for what the model selected: that stays, and what only the model wanted does not", () => {
    const held = { intents: ["A", "B"], taskState: NO_TASK };
    expect(applyIntentChange(held, { kind: "add", intents: ["A"] }, ["A", "B"], 1).intents).toEqual(["A"]);
  });

  it("after a task that failed: is held only to what it asks for itself, and what was held can be selected again", () => {
    const taskState = { ...NO_TASK, detected: ["A"], failed: true };
    const held = { intents: ["A"], taskState };
    const next = (change: IntentChange, detected: readonly string[] = []) =>
      applyIntentChange(held, change, detected, 1);
    const cleared = { intents: [], taskState: { detected: ["A"], epoch: 1 } };
    expect(next({ kind: "keep" })).toMatchObject(cleared);
    expect(next({ kind: "keep", only: ["A"] }, ["A"])).toMatchObject(cleared);
    expect(next({ kind: "add", intents: ["B"] }, ["B"]).intents).toEqual(["B"]);
    expect(next({ kind: "replace", intents: ["A"] }, ["A"])).toMatchObject({ intents: ["A"], taskState: { epoch: 0 } });
    // That task is another one.
    expect(next({ kind: "keep" }).taskState.failed).toBeUndefined();
    expect(next({ kind: "replace", intents: ["A"] }, ["A"]).taskState.failed).toBeUndefined();
  });

  it("with neither, behind a question of the assistant: clears, and what the words asked for still counts", () => {
    const cleared = move({ ...saying([]), afterQuestion: true });
    expect(cleared).toEqual({ kind: "clear", stillSelectable: true });
    // A was selected by the model alone.
    const held = { intents: ["A", "B"], taskState: { ...NO_TASK, detected: ["B"], undetected: ["A"] } };
    expect(applyIntentChange(held, cleared, ["C"], 1)).toMatchObject({
      intents: [],
      taskState: { detected: ["B", "C"], undetected: [], epoch: 1 },
    });
  });

  it("that may go on with the task, and sounds like it: keeps what it sounds like", () => {
    const weak = { ...saying([found("A", 0.3, "semantic"), found("B", 0.1, "semantic")]), mayFollowUp: true };
    const change = move({ ...weak, afterQuestion: true });
    expect(change).toEqual({ kind: "clear", stillSelectable: true, unless: ["A"] });
    const taskState = { ...NO_TASK, detected: ["A", "C"] };
    expect(applyIntentChange({ intents: ["A", "C"], taskState }, change, ["A"], 1)).toMatchObject({
      intents: ["A"],
      taskState: { epoch: 0 },
    });
    expect(applyIntentChange({ intents: ["C"], taskState }, change, ["A"], 1).intents).toEqual([]);
    const failed = { intents: ["A"], taskState: { ...taskState, failed: true } };
    expect(applyIntentChange(failed, change, ["A"], 1).intents).toEqual([]);
    expect(move({ ...weak, mayFollowUp: false })).toEqual({ kind: "clear" });
  });

  it("with neither: clears", () => {
    expect(move(saying([]))).toEqual({ kind: "clear" });
    expect(move(saying([found("A", 0.89, "semantic")]))).toEqual({ kind: "clear" });
    expect(move(undefined)).toEqual({ kind: "clear" });
  });

  it("that asks for nothing never holds the fallback, however low `selectAt` is", () => {
    expect(move({ ...saying([fallback]), selectAt: 0.5 })).toEqual({ kind: "clear" });
    expect(move({ ...saying([fallback], true), selectAt: 0.5 })).toEqual({ kind: "keep" });
  });

  it("never holds an intent that the policy does not have", () => {
    expect(move(saying([found("GONE")]))).toEqual({ kind: "clear" });
    expect(move(saying([found("GONE"), found("A")]))).toEqual({ kind: "replace", intents: ["A"] });
  });

  it("adds no intent where only the handshake selects, but what it says again is kept", () => {
    expect(move(saying([found("A")]), { select: "model" })).toEqual({ kind: "keep", only: ["A"] });
    expect(move(saying([], true), { select: "model" })).toEqual({ kind: "keep" });
    expect(move(saying([]), { select: "model" })).toEqual({ kind: "clear" });
  });

  it("narrows by what is detected where there is no handshake", () => {
    expect(move(saying([found("A")]), { select: "off" })).toEqual({ kind: "replace", intents: ["A"] });
  });
});

it("a continuation changes nothing, whatever is detected", () => {
  for (const select of ["detected", "model", "off"] as const) {
    expect(move(saying([found("A")]), { newMessage: false, select })).toEqual({ kind: "keep" });
  }
});

describe("the handshake", () => {
  const held = { intents: ["A"], taskState: { detected: ["A", "B"], undetected: [] } };

  it("adds to what is held, each once", () => {
    expect(addSelected(held, ["C", "A", "C"], { untrusted: false })).toEqual({ intents: ["A", "C"], undetected: [] });
  });

  it("marks what the user's words do not hold, once untrusted text is there, and nothing that was held before", () => {
    const after = addSelected(held, ["C", "B"], { untrusted: true });
    expect(after).toEqual({ intents: ["A", "C", "B"], undetected: ["C"] });
    const before = { intents: ["C"], taskState: { detected: [], undetected: [] } };
    expect(addSelected(before, ["C"], { untrusted: true }).undetected).toEqual([]);
    const marked = { intents: after.intents, taskState: { detected: ["A"], undetected: after.undetected } };
    expect(addSelected(marked, ["C"], { untrusted: false }).undetected).toEqual(["C"]);
  });

  it("marks all that it adds where the message asks for nothing, also what its words hold half", () => {
    const after = addSelected(held, ["C", "B", "A"], { untrusted: false, unasked: true });
    expect(after).toEqual({ intents: ["A", "C", "B"], undetected: ["C", "B"] });
  });

  it.each([
    ["a follow-up", { kind: "keep" }, [], ["C"]],
    ["words that name it", { kind: "keep" }, ["C"], []],
    ["words that ask for it", { kind: "replace", intents: ["C"] }, ["C"], []],
    ["words that add something", { kind: "add", intents: ["B"] }, ["B"], []],
    ["words that ask for nothing", { kind: "clear" }, [], []],
  ] as const)(
    "stays marked only as long as it is held and no words ask for it: %s",
    (_, change, detected, expected) => {
      const taskState = { ...NO_TASK, detected: ["A"], undetected: ["C"] };
      const next = applyIntentChange({ intents: ["A", "C"], taskState }, change, detected, 1);
      expect(next.taskState.undetected).toEqual(expected);
    },
  );
});

describe("what a person endorsed", () => {
  const taskState = { ...NO_TASK, task: 3, detected: ["A"], endorsed: ["d1"] };

  it.each([
    { kind: "keep" },
    { kind: "keep", only: ["A"] },
    { kind: "add", intents: ["B"] },
    { kind: "replace", intents: ["A"] },
    { kind: "clear" },
    { kind: "clear", stillSelectable: true },
  ] as const)("counts for nothing after the task ended: %j", (change) => {
    for (const failed of [undefined, true] as const) {
      const next = applyIntentChange({ intents: ["A"], taskState: { ...taskState, failed } }, change, ["A"], 4);
      expect(next.taskState.endorsed).toBeUndefined();
    }
  });

  it("counts for its own task alone, whatever is stored", () => {
    expect(taskStateFor(taskState, 3).endorsed).toEqual(["d1"]);
    expect(taskStateFor(taskState, 4).endorsed).toBeUndefined();
  });
});
