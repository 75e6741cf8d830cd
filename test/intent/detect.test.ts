import { describe, expect, it } from "vitest";
import { createDetector, type DetectorDeps } from "../../src/intent/detect.ts";
import type { DetectedIntent, Detection } from "../../src/intent/detection.ts";
import type { LayerAnswer, LayerRequest } from "../../src/intent/slow-layer.ts";
import { checkPolicy } from "../../src/policy/check.ts";

function policyOf(layers: readonly string[]) {
  const checked = checkPolicy(
    {
      intents: {
        TAKE_NOTE: { description: "write something down", keywords: ["note"] },
        SEARCH: { description: "find something", keywords: ["search"] },
      },
      detection: { layers, semanticThreshold: 0.7 },
    },
    "v1",
  );
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  return checked.value.policy;
}

const guess = (name: string, confidence: number, layer: "semantic" | "model"): DetectedIntent => ({
  name,
  confidence,
  layer,
  evidence: [{ layer, source: "an example", text: "", at: 0 }],
});

interface Asked {
  readonly layers: string[];
  readonly questions: LayerRequest[];
  readonly missed: unknown[][];
  readonly detect: ReturnType<typeof createDetector>;
}

type Slow = (question: LayerRequest) => LayerAnswer | Promise<LayerAnswer>;

function detector({ semantic, model }: { semantic?: Slow; model?: Slow } = {}): Asked {
  const layers: string[] = [];
  const questions: LayerRequest[] = [];
  const missed: unknown[][] = [];
  const watched = (name: string, answer: Slow | undefined) => async (question: LayerRequest) => {
    layers.push(name);
    questions.push(question);
    if (!answer) throw new Error(`${name} should not be asked`);
    return answer(question);
  };
  const deps: DetectorDeps = {
    slow: { semantic: watched("semantic", semantic), model: watched("model", model) },
    onMissed: (...told) => missed.push(told),
  };
  return { layers, questions, missed, detect: createDetector(deps) };
}

const all = policyOf(["keywords", "patterns", "semantic", "model"]);
const { signal } = new AbortController();
const names = ({ intents }: Detection) => intents.map(({ name }) => name);

describe("the order of the layers", () => {
  it("asks the trained layer about keywords too, and no slower one where it is certain", async () => {
    const { detect, layers } = detector({ semantic: () => ({ guesses: [guess("TAKE_NOTE", 0.95, "semantic")] }) });
    const found = await detect.detect(all, { text: "take a note of this" }, signal);
    expect(found.intents).toMatchObject([{ name: "TAKE_NOTE", layer: "keywords", confidence: 0.95 }]);
    expect(found.missed).toEqual([]);
    expect(layers).toEqual(["semantic"]);
  });

  it("does not judge by its meaning what makes sense only after another message", async () => {
    const { detect, layers } = detector({ semantic: () => ({ guesses: [guess("SEARCH", 0.95, "semantic")] }) });
    const found = await detect.detect(all, { text: "and in French?" }, signal);
    expect([names(found), found.followUp, layers]).toEqual([[], true, []]);
    expect(names(await detect.detect(all, { text: "where are the books in French" }, signal))).toEqual(["SEARCH"]);
  });

  it("lets words decide where the trained layer cannot answer", async () => {
    const { detect } = detector({ semantic: () => ({ missed: "absent" }), model: () => ({ guesses: [] }) });
    const found = await detect.detect(all, { text: "please take a note of this" }, signal);
    expect(found.intents).toMatchObject([{ name: "TAKE_NOTE", layer: "keywords", confidence: 1 }]);
    const mentioned = await detect.detect(all, { text: "the last note of the song was lovely" }, signal);
    expect(mentioned.intents).toEqual([]);
    expect(mentioned.discounted).toMatchObject([{ name: "TAKE_NOTE", evidence: [{ discounted: "mentioned" }] }]);
  });

  it("asks a slower layer only where the trained one is unsure", async () => {
    for (const [confidence, asked] of [
      [0.1, []],
      [0.3, ["model"]],
    ] as const) {
      const { detect, layers } = detector({
        semantic: () => ({ guesses: [guess("SEARCH", confidence, "semantic")] }),
        model: () => ({ guesses: [] }),
      });
      await detect.detect(all, { text: "where is my paper" }, signal);
      expect(layers).toEqual(["semantic", ...asked]);
    }
  });

  it("stops at the first slower layer that is certain", async () => {
    const { detect, layers } = detector({ semantic: () => ({ guesses: [guess("SEARCH", 0.9, "semantic")] }) });
    const found = await detect.detect(all, { text: "where is my paper" }, signal);
    expect(names(found)).toEqual(["SEARCH"]);
    expect(layers).toEqual(["semantic"]);
  });

  it("goes on to the next layer where one is not sure", async () => {
    const { detect, layers } = detector({
      semantic: async () => ({ guesses: [guess("TAKE_NOTE", 0.4, "semantic")] }),
      model: async () => ({ guesses: [guess("SEARCH", 0.9, "model")] }),
    });
    const found = await detect.detect(all, { text: "where is my paper" }, signal);
    expect(layers).toEqual(["semantic", "model"]);
    expect(found.intents[0]).toMatchObject({ name: "SEARCH", layer: "model" });
    expect(found.missed).toEqual([]);
  });

  it("asks in the policy's order, and only the policy's layers", async () => {
    const turned = detector({
      model: () => ({ guesses: [] }),
      semantic: () => ({ guesses: [guess("SEARCH", 0.9, "semantic")] }),
    });
    await turned.detect.detect(policyOf(["model", "keywords", "semantic"]), { text: "where is my paper" }, signal);
    expect(turned.layers).toEqual(["model", "semantic"]);
    const lexical = detector();
    await lexical.detect.detect(policyOf(["keywords", "patterns"]), { text: "where is my paper" }, signal);
    expect(lexical.layers).toEqual([]);
  });

  it("tells a layer what the client asks with", async () => {
    const { detect, questions } = detector({ semantic: () => ({ guesses: [] }), model: () => ({ guesses: [] }) });
    const modelAccess = { model: "gpt-x", headers: { authorization: "Bearer own" } };
    await detect.detect(all, { text: "where is my paper" }, signal, modelAccess);
    expect(questions.at(-1)).toMatchObject({ modelAccess, clauses: ["where is my paper"] });
    expect(questions.at(-1)?.signal).toBe(signal);
  });
});

describe("a layer that cannot answer", () => {
  it("is told, and the others decide", async () => {
    const { detect, missed } = detector({
      semantic: () => ({ missed: "absent" }),
      model: async () => ({ guesses: [guess("SEARCH", 0.9, "model")] }),
    });
    const found = await detect.detect(all, { text: "where is my paper" }, signal);
    expect(names(found)).toEqual(["SEARCH"]);
    expect(found.missed).toEqual(["semantic"]);
    expect(missed).toEqual([["semantic", "absent"]]);
  });

  it("may be each of them", async () => {
    const { detect } = detector({ semantic: () => ({ missed: "failed" }), model: async () => ({ missed: "late" }) });
    const found = await detect.detect(all, { text: "where is my paper" }, signal);
    expect(found.missed).toEqual(["semantic", "model"]);
    expect(found.intents.filter(({ layer }) => layer !== "fallback")).toEqual([]);
  });

  it.each<[string, Slow]>([
    [
      "throws",
      () => {
        throw new TypeError("a fault of ours");
      },
    ],
    ["rejects", () => Promise.reject(new TypeError("a fault of ours"))],
  ])("stops no turn, not even where it %s", async (_, fault) => {
    const { detect, missed } = detector({ semantic: fault });
    const found = await detect.detect(all, { text: "where is my paper" }, signal);
    expect(found.intents).toEqual([]);
    expect(found.missed).toEqual(["keywords", "patterns", "semantic", "model"]);
    expect(missed[0]).toEqual(["keywords", "failed", expect.any(TypeError)]);
  });
});

describe("a short message after the assistant's", () => {
  const semantic = () => ({ guesses: [guess("SEARCH", 0.95, "semantic")], selectAt: 0.6 });
  const heard = (text: string, assistant: string | undefined) =>
    detector({ semantic }).detect.detect(policyOf(["keywords", "semantic"]), { text, assistant }, signal);

  it("has its meaning from that one: the trained layer hears its topic alone", async () => {
    const answer = await heard("15 of them", "How many cards do you want?");
    expect([names(answer), answer.followUp]).toEqual([[], true]);
    expect(names(await heard("15枚で", "何枚にしますか？"))).toEqual([]);
  });

  it("keeps an intent that the policy's words name, and what is asked for at length or follows nothing", async () => {
    expect(names(await heard("15 of them, search", "How many cards do you want?"))).toContain("SEARCH");
    expect(names(await heard("please find out what the ferry to Oslo costs in June", "Saved."))).toContain("SEARCH");
    expect(names(await heard("15 of them", undefined))).toContain("SEARCH");
  });
});
