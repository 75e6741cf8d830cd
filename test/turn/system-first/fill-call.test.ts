import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entity } from "../../../src/intent/detection.ts";
import { answerReader } from "../../../src/intent/entities/read-answer.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { entity as entitySettings } from "../../../src/policy/document/entity-parts.ts";
import { type AnsweredValues, fillCall as fill } from "../../../src/turn/system-first/fill-call.ts";
import { holdsNoValue, namedValues, readValuesMessage } from "../../../src/turn/system-first/value-answer.ts";
import { cpuSince } from "../../support/cpu-time.ts";

const text = { type: "string" };
const schema = {
  type: "object",
  properties: { topic: { ...text, maxLength: 20 }, count: { type: "integer" }, day: { ...text, default: "today" } },
  required: ["topic", "day", "count"],
};
const entity = (name: string, value: string | number): Entity => ({
  name,
  value,
  text: String(value),
  at: 0,
  redact: false,
});
const fillCall = (schema: unknown, entities: readonly Entity[], answered?: AnsweredValues) =>
  fill(schema, entities, workBudget(), answered);

const read = answerReader({ entities: {} });
const asked = (...missing: string[]) => ({ intent: "I", tool: "t", filled: {}, missing });

describe("a call filled from the user's words", () => {
  it("is whole where nothing is left that the schema requires and gives no default for", () => {
    const whole = { kind: "whole", arguments: { topic: "verbs", count: 3 } };
    expect(fillCall(schema, [entity("topic", "verbs"), entity("count", 3)])).toEqual(whole);
    expect(fillCall(schema, [entity("topic", "verbs")])).toEqual({
      kind: "missing",
      filled: { topic: "verbs" },
      missing: ["count"],
    });
    expect(fillCall({ type: "object" }, [])).toEqual({ kind: "whole", arguments: {} });
  });

  it.each([
    ["unknown parameters", undefined],
    ["no schema at all", "{}"],
    ["one that cannot be checked", { type: "nothing" }],
    ["what no words give", { type: "object", minProperties: 1 }],
    [
      "one of several",
      { type: "object", properties: { a: text, b: text }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    ],
  ])("does not fit %s", (_, parameters) => {
    expect(fillCall(parameters, [])).toEqual({ kind: "unfit" });
  });

  it("is nobody's to guess where an argument is named with two values", () => {
    const named = (...values: string[]) => [...values.map((one) => entity("to-pic", one)), entity("count", 3)];
    expect(fillCall(schema, named("verbs", "kanji"))).toEqual({ kind: "unfit" });
    expect(fillCall(schema, named("verbs", "Verbs")).kind).toBe("whole");
    expect(fillCall(schema, [...named("verbs"), entity("date", "1"), entity("date", "2")]).kind).toBe("whole");
    const answered = { values: asked("topic"), text: "topic: verbs or kanji", read };
    expect(fillCall(schema, named("verbs", "kanji"), answered)).toEqual({ kind: "unfit" });
  });

  it("takes a whole answer for the one value that was asked for, and only where it names nothing else", () => {
    const filled = (values: ReturnType<typeof asked>, answer: string, entities: Entity[] = []) =>
      fillCall(schema, entities, { values, text: answer, read });
    const before = { ...asked("topic"), filled: { count: 2 } };
    expect(filled(before, "“old trains”.")).toEqual({ kind: "whole", arguments: { topic: "old trains", count: 2 } });
    expect(filled(before, "five", [entity("count", 5)])).toMatchObject({ kind: "missing", filled: { count: 5 } });
    expect(filled(before, "x".repeat(21))).toMatchObject({ kind: "missing", missing: ["topic"] });
    expect(filled(asked("count"), "7")).toMatchObject({ filled: { count: 7 }, missing: ["topic"] });
  });

  it.each([
    ...[
      "none",
      "None.",
      "nothing",
      "Nothing really",
      "what",
      "What!",
      "well, whatever, thanks",
      "n/a",
      "…",
      "up to you",
    ],
    ...[
      "not sure",
      "没有",
      "什么",
      "随便",
      "不知道。",
      "なし",
      "特にありません",
      "何ですか",
      "分からない",
      "お任せします",
    ],
  ])("takes nothing from `%s`", (answer) => {
    const values = { ...asked("topic"), filled: { count: 2 } };
    const made = fillCall(schema, [], { values, text: answer, read });
    expect(made).toMatchObject({ kind: "missing", missing: ["topic"] });
  });

  it("takes `none` where it is one of the values that the schema lists, or is given by its name", () => {
    const listed = { ...schema, properties: { ...schema.properties, topic: { enum: ["verbs", "none"] } } };
    const values = { ...asked("topic"), filled: { count: 2 } };
    const whole = { kind: "whole", arguments: { topic: "none", count: 2 } };
    expect(fillCall(listed, [], { values, text: "None.", read })).toEqual(whole);
    expect(fillCall(schema, [], { values, text: "topic: none", read })).toEqual(whole);
  });

  it.each(["Nothing Else Matters", "the unknown soldier", "nonetheless", "什么是量子", "無印良品", "🚂", "C++"])(
    "takes `%s`: the words are part of a value",
    (answer) => {
      const values = { ...asked("topic"), filled: { count: 2 } };
      expect(fillCall(schema, [], { values, text: answer, read })).toMatchObject({ arguments: { topic: answer } });
    },
  );

  it.each([
    ["5", { count: 5 }],
    ["old trains.", { topic: "old trains" }],
    ["old trains, 5", { topic: "old trains", count: 5 }],
    ["5\n“old trains”", { topic: "old trains", count: 5 }],
    ["trains, boats", { topic: "trains, boats" }],
    ["trains, boats, 5", { topic: "trains, boats, 5" }],
    ["1,500", { count: 1500 }],
    ["30", {}],
    ["verbs and 5", { topic: "verbs" }, [entity("topic", "verbs")]],
    ["verbs, 5", { topic: "verbs", count: 5 }, [entity("topic", "verbs")]],
    ["verbs, 5, 6", { topic: "verbs" }, [entity("topic", "verbs")]],
    ["7, please", { count: 7 }, [entity("count", 7)]],
    ["five, 3", { count: 5 }, [{ ...entity("count", 5), text: "five" }]],
  ])("gives `%s` to the argument that alone can take it", (answer, given, entities: Entity[] = []) => {
    const settings = entitySettings().parse({ type: "integer", max: answer === "30" ? 20 : 2000 });
    const values = { ...asked("topic", "count"), filled: {} };
    const reader = answerReader({ entities: { count: settings } });
    const made = fillCall(schema, entities, { values, text: answer, read: reader });
    expect(made.kind === "missing" ? made.filled : made.kind === "whole" && made.arguments).toEqual(given);
  });

  it("gives a number to nobody where two arguments are numbers", () => {
    const properties = { a: { type: "integer" }, b: { type: "number" }, c: text };
    const two = { type: "object", properties, required: ["a", "b", "c"] };
    const made = fillCall(two, [], { values: asked("a", "b", "c"), text: "5", read });
    expect(made).toMatchObject({ kind: "missing", filled: {} });
  });

  it.each([
    ["50", undefined],
    ["count: 50", undefined],
    ["20", 20],
    ["Count = TWENTY", 20],
    ["a dozen", 12],
    ["twelve and a half", undefined],
  ])("reads `%s` as the policy's entity of the argument's name does", (answer, count) => {
    const settings = {
      type: "integer",
      max: 20,
      synonyms: { 12: ["a dozen"] },
      normalise: ["lower", { words: { 20: ["twenty"] } }],
    };
    const entities = { "Co-unt": entitySettings().parse(settings) };
    const values = { ...asked("count"), filled: { topic: "verbs" } };
    const filled = fillCall(schema, [], { values, text: answer, read: answerReader({ entities }) });
    if (count === undefined) expect(filled).toMatchObject({ kind: "missing", missing: ["count"] });
    else expect(filled).toEqual({ kind: "whole", arguments: { topic: "verbs", count } });
  });

  it("is nobody's to make up where a value that was named is not taken: its default, or what was said before, is another", () => {
    const values = { ...asked("topic"), filled: { count: 2 } };
    expect(fillCall(schema, [], { values, text: "topic: verbs, count: many", read })).toEqual({ kind: "unfit" });
  });

  it("never throws, and never holds what the schema refuses", () => {
    const hostile = fc.oneof(fc.constantFrom("__proto__", "constructor", "topic", "count"), fc.string());
    fc.assert(
      fc.property(hostile, fc.string(), fc.array(hostile), (name, answer, missing) => {
        const properties = Object.fromEntries([[name, { ...text, maxLength: 5 }]]);
        const values = { ...asked(...missing) };
        const made = fillCall({ type: "object", properties }, [entity(name, answer)], {
          values,
          text: `${name}: ${answer}`,
          read,
        });
        if (made.kind !== "whole") return;
        for (const value of Object.values(made.arguments)) expect(String(value).length).toBeLessThanOrEqual(5);
        expect(Object.getPrototypeOf(made.arguments)).toBe(Object.prototype);
      }),
    );
  });
});

describe("an answer in words", () => {
  it.each([
    ["topic: verbs, level: N4", { topic: "verbs", level: "N4" }],
    ["Topic = trains, and boats\nlevel：N2", { topic: "trains, and boats", level: "N2" }],
    ["hello, topic: x", { topic: "x" }],
    ["other: x", {}],
    ["`first name`: Ada", { firstName: "Ada" }],
  ])("`%s` names its values", (message, named) => {
    const found = namedValues(message, ["topic", "level", "firstName"]);
    expect(Object.fromEntries(found.map(({ name, value }) => [name, value]))).toEqual(named);
  });

  const settings = { selectAt: 0.9, knows: () => true };
  it.each([
    "no",
    "No, thanks!",
    "never mind",
    "いいえ",
    "不用了",
    "no: not today",
    "yes",
    "ok",
    "I don't know",
    "wait",
    "You choose.",
  ])("`%s` gives none", (message) => {
    expect(holdsNoValue(message)).toBe(true);
  });

  it.each(["really?", "本当？ ", "a".repeat(501)])("`%s` is no plain answer", (message) => {
    expect(readValuesMessage(message, undefined, settings)).toBeUndefined();
  });

  it.each(["N4", "12", "old trains", "no man's land", "動詞"])("`%s` may give one", (message) => {
    expect([holdsNoValue(message), readValuesMessage(message, undefined, settings)]).toEqual([false, []]);
  });

  it("tells what it asks for besides: what was detected surely, in the policy's own words", () => {
    const intent = (name: string, confidence: number, layer: "keywords" | "fallback") => ({
      name,
      confidence,
      layer,
      evidence: [],
    });
    const intents = [
      intent("A", 1, "keywords"),
      intent("B", 0.5, "keywords"),
      intent("C", 1, "fallback"),
      intent("D", 1, "keywords"),
    ];
    const detection = { intents, discounted: [], followUp: false, entities: [], missed: [] };
    expect(readValuesMessage("about old trains", detection, { selectAt: 0.9, knows: (name) => name !== "D" })).toEqual([
      "A",
    ]);
  });

  it("is read in little time, whatever it holds", () => {
    const started = process.threadCpuUsage();
    for (const part of ["a:", ":", ",", "a=", "\n", "topic:"]) namedValues(part.repeat(500 / part.length), ["topic"]);
    expect(cpuSince(started)).toBeLessThan(2_000);
  });
});
