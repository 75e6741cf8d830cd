/** What the slower layers do to a chat: from the policy that an operator puts to the tools that the model is sent. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { policyOf } from "../../support/policy.ts";
import { policyAdmin } from "../admin/policy-admin.ts";
import { tool } from "../support/gateway.ts";
import { trainer, trainsQuickly } from "../support/quick-training.ts";
import { ask, says, toolsOf, user } from "../support/script.ts";

let made = 0;

const documentOf = (layers: readonly string[]) => ({
  tools: { call_taxi: { category: "read_only" }, find_recipe: { category: "read_only" } },
  intents: {
    TAXI: {
      description: `of test ${++made}`,
      keywords: ["taxi"],
      examples: [
        "please call me a cab to the airport",
        "i need a ride home tonight",
        "get me a car to the station",
        "can somebody drive me to the hotel",
        "book a driver for two people",
      ],
      tools: ["call_taxi"],
    },
    COOK: {
      description: "cooking",
      examples: [
        "how long do lentils simmer in the pot",
        "give me a recipe with carrots and onions",
        "what can i cook with leftover potatoes",
        "how much salt goes into the broth",
        "which herbs taste good in a tomato soup",
      ],
      tools: ["find_recipe"],
    },
  },
  handshake: { selectAt: 0.5 },
  // On a busy machine the layer's code alone takes a while to load.
  detection: { layers, semanticThreshold: 0.5, modelTimeoutMs: 3_000 },
});

/** Learns its intents from their examples. */
async function semanticDocument(layers: readonly string[]) {
  const document = documentOf(layers);
  await trainsQuickly(policyOf(document));
  return document;
}

const all = [tool("call_taxi"), tool("find_recipe")];
const words = (text: string) => ({ messages: [user(text)], tools: all });

describe("a chat under a policy with the layer `semantic`", () => {
  it("is offered the tools of the intent that the words are like, and the record says why", async () => {
    const admin = await policyAdmin({ upstream: says({ text: "so" }) });
    expect((await admin.put(await semanticDocument(["keywords", "semantic"]))).body).toMatchObject({
      semantic: "stored",
    });
    const answer = await ask(admin.gate, words("could you drive me to the airport in a car"));
    expect(toolsOf(admin.gate.sent[0])).toContain("call_taxi");
    expect(toolsOf(admin.gate.sent[0])).not.toContain("find_recipe");
    expect(answer.headers.get("x-toolgate-intent")).toBe("TAXI");
    expect(await admin.gate.turns()).toMatchObject([
      { intents: ["TAXI"], detection: { intents: [{ name: "TAXI", layer: "semantic" }], missed: [] } },
    ]);
  });

  it("goes on with the handshake where the model is not there, and the record says so", async () => {
    const admin = await policyAdmin({
      upstream: says({ text: "so" }),
      variables: { ASSETS: { fetch: async () => new Response("gone", { status: 404 }) } },
    });
    await admin.put(await semanticDocument(["keywords", "semantic"]));
    await ask(admin.gate, words("could you drive me to the airport in a car"));
    expect(toolsOf(admin.gate.sent[0])).toContain("select_intent");
    expect(await admin.gate.turns()).toMatchObject([{ intents: [], detection: { missed: ["semantic"] } }]);
  });

  it("lets words decide where the vectors cannot be loaded", async () => {
    const broken = { fetch: () => Promise.reject(new Error("the vectors are out of reach")) };
    const admin = await policyAdmin({ upstream: says({ text: "so" }), variables: { ASSETS: broken } });
    await admin.put(await semanticDocument(["keywords", "semantic"]));
    await ask(admin.gate, words("a taxi to the airport"));
    expect(await admin.gate.turns()).toMatchObject([{ intents: ["TAXI"], detection: { missed: ["semantic"] } }]);
  });
});

describe("a chat under a policy with the layer `model`", () => {
  const verdict = (content: string) =>
    Response.json({
      id: "1",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
      usage: { prompt_tokens: 500, completion_tokens: 300, total_tokens: 800 },
    });

  it("asks the model first, and counts what that took in nothing of the reply", async () => {
    const judge = () => verdict('{"label":"COOK","confidence":0.9,"reason":"food"}');
    const admin = await policyAdmin({ upstream: [judge, says({ text: "so" })] });
    await admin.put(documentOf(["keywords", "model"]));
    const response = await admin.gate.chat(words("i am hungry"));
    const body = (await response.json()) as { usage?: { prompt_tokens?: number } };
    expect(admin.gate.sent).toHaveLength(2);
    expect(admin.gate.sent[0]).toMatchObject({ model: "test-model" });
    expect(JSON.stringify(admin.gate.sent[0])).not.toContain("call_taxi");
    expect(toolsOf(admin.gate.sent[1])).toContain("find_recipe");
    expect(toolsOf(admin.gate.sent[1])).not.toContain("call_taxi");
    expect(body.usage?.prompt_tokens ?? 0).toBeLessThan(500);
    expect(await admin.gate.turns()).toMatchObject([
      { intents: ["COOK"], detection: { intents: [{ name: "COOK", layer: "model", confidence: 0.9 }] } },
    ]);
  });

  it("is not held up for longer than the policy says, nor stopped", async () => {
    const admin = await policyAdmin({ upstream: [() => new Promise<Response>(() => {}), says({ text: "so" })] });
    await admin.put(documentOf(["keywords", "model"]));
    expect((await admin.gate.chat(words("i am hungry"))).status).toBe(200);
    expect(toolsOf(admin.gate.sent[1])).toContain("select_intent");
    expect(await admin.gate.turns()).toMatchObject([{ intents: [], detection: { missed: ["model"] } }]);
  });
});

describe("the object that trains", () => {
  it("keeps nothing of a policy that it has trained", async () => {
    const document = await semanticDocument(["semantic"]);
    const admin = await policyAdmin();
    await admin.put(document);
    const kept = await runInDurableObject(trainer(policyOf(document)), (_, { storage }) => storage.list());
    expect([...kept]).toEqual([]);
  });
});
