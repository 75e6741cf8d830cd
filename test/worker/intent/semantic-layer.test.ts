/** The layer `semantic` in the real runtime: trained by its object when a policy is put, kept in KV, read once an isolate. */
import { env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import builtIn from "../../../policies/default.json" with { type: "json" };
import { createDeps } from "../../../src/create-deps.ts";
import type { Deps, Env } from "../../../src/deps.ts";
import type { Detection } from "../../../src/intent/detection.ts";
import { trainingSetOf } from "../../../src/intent/training-set.ts";
import { once } from "../../../src/lib/once.ts";
import { checkPolicy } from "../../../src/policy/check.ts";
import type { CompiledPolicy } from "../../../src/policy/compile.ts";
import { policyAdmin } from "../admin/policy-admin.ts";
import { givesAssets, trainer, trainsQuickly } from "../support/quick-training.ts";

const examplesOf = {
  ORDER_TAXI: [
    "please call me a cab to the airport",
    "i need a ride home tonight",
    "book a taxi for two people",
    "get me a car to the station",
    "can somebody drive me to the hotel",
  ],
  COOK_SOUP: [
    "how long do lentils simmer in the pot",
    "give me a recipe with carrots and onions",
    "what can i cook with leftover potatoes",
    "how much salt goes into the broth",
    "which herbs taste good in a tomato soup",
  ],
} as const;

let made = 0;

/** New words each time, so that no two tests share what is trained. */
const documentOf = (detection: Record<string, unknown> = {}) => ({
  intents: Object.fromEntries(
    Object.entries(examplesOf).map(([name, examples]) => [
      name,
      { description: `of test ${made}`, examples: [...examples] },
    ]),
  ),
  detection: { layers: ["keywords", "patterns", "semantic"], semanticThreshold: 0.5, ...detection },
});

function policyOf(document: unknown): CompiledPolicy {
  const checked = checkPolicy(document, crypto.randomUUID());
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  return checked.value.policy;
}

/** As a new isolate has them. */
const freshDeps = (settings: Partial<Env> = {}, fetcher?: typeof fetch): Deps =>
  createDeps({ ...env, ...settings } as Env, { fetch: fetcher });

const detect = (deps: Deps, policy: CompiledPolicy, text: string): Promise<Detection> =>
  deps.detector.detect(policy, { text }, new AbortController().signal);

const taxi = "could you book a cab to the airport for me";

async function keysOf(policy: CompiledPolicy): Promise<string[]> {
  const { keys } = await env.KV.list({ prefix: "semantic:" });
  return keys.map(({ name }) => name).filter((name) => name.endsWith(trainingSetOf(policy)?.digest ?? "-"));
}

const healed = (policy: CompiledPolicy) =>
  vi.waitFor(
    async () => {
      expect(await keysOf(policy)).toHaveLength(1);
      const order = await runInDurableObject(trainer(policy), (_, { storage }) => storage.get("order"));
      expect(order).toBeUndefined();
    },
    { timeout: 60_000, interval: 20 },
  );

afterEach(() => {
  made += 1;
});

describe("a policy with the layer `semantic`", () => {
  it("is trained before it comes into force, and any isolate reads what was trained", async () => {
    const document = documentOf();
    await trainsQuickly(policyOf(document));
    const admin = await policyAdmin();
    const put = await admin.put(document);
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ semantic: "stored", warnings: [] });
    const policy = policyOf(document);
    expect(await keysOf(policy)).toHaveLength(1);

    const deps = freshDeps();
    const first = await detect(deps, policy, taxi);
    expect(first.missed).toEqual([]);
    expect(first.intents[0]).toMatchObject({ name: "ORDER_TAXI", layer: "semantic" });
    expect(first.intents[0]?.evidence[0]?.layer).toBe("semantic");

    expect(await detect(deps, policy, taxi)).toEqual(first);
  });

  it("is told to be possible in a dry run, which trains and stores nothing", async () => {
    const document = documentOf();
    const admin = await policyAdmin();
    const dry = await admin.ask("PUT", "?dry_run=true", { json: document });
    expect(dry.body).toMatchObject({ semantic: "possible", warnings: [] });
    expect(await keysOf(policyOf(document))).toEqual([]);
  });

  it("is trained when it is rolled back to", async () => {
    const document = documentOf();
    await trainsQuickly(policyOf(document));
    const admin = await policyAdmin();
    const put = await admin.put(document);
    await admin.put({ name: "another" });
    const [key = ""] = await keysOf(policyOf(document));
    await env.KV.delete(key);
    const back = await admin.ask("POST", "/rollback", { json: { version: put.body.version } });
    expect(back.body).toMatchObject({ semantic: "stored" });
    expect(await keysOf(policyOf(document))).toEqual([key]);
  });

  it("says nothing of the layer where the policy does not have it", async () => {
    const admin = await policyAdmin();
    expect((await admin.put({ name: "plain" })).body).not.toHaveProperty("semantic");
  });

  it("shares what was trained with a policy that differs in tools alone", () => {
    const document = documentOf();
    const [one, other] = [policyOf(document), policyOf({ ...document, tools: { x: { category: "read_only" } } })];
    expect(trainingSetOf(one)?.digest).toBe(trainingSetOf(other)?.digest);
  });
});

it("the built-in policy understands its first message: its model ships", async () => {
  const policy = policyOf(builtIn);
  const detection = await detect(freshDeps(), policy, "pls jot down that the kiln is booked on friday");
  expect(detection.missed).toEqual([]);
  expect(detection.intents[0]?.name).toBe("TAKE_NOTE");
  expect(await keysOf(policy)).toEqual([]);
});

describe("a message in another language, or misspelt", () => {
  const trained = async (detection: Record<string, unknown>): Promise<CompiledPolicy> => {
    const policy = policyOf(documentOf(detection));
    const set = trainingSetOf(policy);
    await trainsQuickly(policy);
    if (set) await trainer(policy).train(set);
    return policy;
  };
  const best = async (deps: Deps, policy: CompiledPolicy, text: string) =>
    (await detect(deps, policy, text)).intents[0]?.name;

  const english = once(() => trained({ semanticThreshold: 0.3 }));
  it.each([
    ["German", "bestell mir bitte ein Taxi zum Bahnhof"],
    ["Spanish", "necesito un taxi para ir al aeropuerto"],
    ["Chinese", "请帮我预订去机场的出租车"],
    ["Japanese", "空港までタクシーを予約してください"],
    ["English", "coudl you book a taix to the ariport"],
  ])("is understood by a policy with English examples: %s", async (_, text) => {
    expect(await best(freshDeps(), await english(), text)).toBe("ORDER_TAXI");
  });

  it("is read by pieces of its words where the policy leaves the language out, in the same isolate", async () => {
    const deps = freshDeps();
    const [all, some] = [
      await trained({ semanticThreshold: 0.3 }),
      await trained({ semanticThreshold: 0.3, languages: ["en"] }),
    ];
    const text = "请帮我预订去机场的出租车";
    expect(await best(deps, some, text)).toBeUndefined();
    expect(await best(deps, all, text)).toBe("ORDER_TAXI");
    expect(await best(deps, some, text)).toBeUndefined();
    expect(await keysOf(all)).toHaveLength(2);
  });

  it("is read by pieces of its words where the dictionary is not deployed", async () => {
    const policy = await trained({ languages: ["en"] });
    const withoutDictionaries = {
      fetch: async (url: string) =>
        url.includes("words.") && !url.includes("words.en")
          ? new Response("gone", { status: 404 })
          : env.ASSETS?.fetch(url),
    };
    const all = policyOf(documentOf());
    const deps = freshDeps({ ASSETS: withoutDictionaries as never });
    expect(await best(deps, all, taxi)).toBe("ORDER_TAXI");
    expect(await keysOf(policy)).toHaveLength(1);
  });
});

describe("a model that is not there", () => {
  it("is missed, and trained in the background for the isolates to come", async () => {
    const policy = policyOf(documentOf());
    await trainsQuickly(policy);
    const found = await detect(freshDeps(), policy, taxi);
    expect(found.missed).toEqual(["semantic"]);
    await healed(policy);
    const after = await detect(freshDeps(), policy, taxi);
    expect(after.missed).toEqual([]);
    expect(after.intents[0]?.name).toBe("ORDER_TAXI");
  });

  it("is not asked for again at each message", async () => {
    const policy = policyOf(documentOf());
    let trainings = 0;
    const get = () => {
      trainings += 1;
      return {};
    };
    const deps = freshDeps({ SEMANTIC_TRAINER: { idFromName: () => "", get } as never });
    expect((await detect(deps, policy, taxi)).missed).toEqual(["semantic"]);
    expect((await detect(deps, policy, taxi)).missed).toEqual(["semantic"]);
    expect(trainings).toBe(1);
  });

  const stored = once(async () => {
    const policy = policyOf(documentOf());
    const set = trainingSetOf(policy);
    await trainsQuickly(policy);
    if (set) await trainer(policy).train(set);
    const [key = ""] = await keysOf(policy);
    return { policy, key, whole: new Uint8Array((await env.KV.get(key, "arrayBuffer")) as ArrayBuffer) };
  });
  it.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ["cut off", (bytes) => bytes.slice(0, bytes.length - 1)],
    ["changed in one bit", (bytes) => bytes.with(bytes.length - 1, (bytes.at(-1) ?? 0) ^ 1)],
    ["empty", () => new Uint8Array()],
    ["something else", () => new TextEncoder().encode("x".repeat(1_000))],
  ])("is trained again where KV holds one that is %s", async (_, damage) => {
    const { policy, key, whole } = await stored();
    await env.KV.put(key, damage(whole));
    expect((await detect(freshDeps(), policy, taxi)).missed).toEqual(["semantic"]);
    await vi.waitFor(
      async () => expect(new Uint8Array((await env.KV.get(key, "arrayBuffer")) as ArrayBuffer)).toEqual(whole),
      { timeout: 60_000, interval: 20 },
    );
    expect((await detect(freshDeps(), policy, taxi)).intents[0]?.name).toBe("ORDER_TAXI");
  });
});

describe("the object that trains", () => {
  it("tries again after a failure, and keeps nothing once it is done", async () => {
    const policy = policyOf(documentOf());
    const set = trainingSetOf(policy);
    if (!set) throw new Error("the policy has nothing to train");
    const order = () => runInDurableObject(trainer(policy), (_, { storage }) => storage.get("order"));
    await givesAssets(policy, { fetch: async () => new Response("gone", { status: 404 }) });
    await trainer(policy).trainSoon(set);
    await vi.waitFor(async () => expect(await order()).toMatchObject({ attempts: 1 }), {
      timeout: 10_000,
      interval: 10,
    });
    expect(await keysOf(policy)).toEqual([]);
    await trainsQuickly(policy);
    expect(await runDurableObjectAlarm(trainer(policy)), "another attempt is set").toBe(true);
    expect(await keysOf(policy)).toHaveLength(1);
    expect(await order()).toBeUndefined();
  });

  it("takes up an order that the runtime has given up on", async () => {
    const policy = policyOf(documentOf());
    const set = trainingSetOf(policy);
    if (set === undefined) throw new Error("the policy has nothing to learn from");
    await runInDurableObject(trainer(policy), async (instance, { storage }) => {
      const object = instance as unknown as { trainSoon(order: typeof set): Promise<void>; alarm(): Promise<void> };
      // Cut off in the middle of training, as often as the runtime rings again.
      await storage.put("order", { set, attempts: 6 });
      await object.trainSoon(set);
      expect(await storage.getAlarm()).not.toBeNull();
      await storage.deleteAlarm();
      await object.alarm();
      expect(await storage.get("order"), "it is not trained for ever").toBeUndefined();
    });
    expect(await keysOf(policy)).toEqual([]);
  });

  it("gives up after a while, until somebody asks again", async () => {
    const policy = policyOf(documentOf());
    const set = trainingSetOf(policy);
    await runInDurableObject(trainer(policy), async (instance, { storage }) => {
      const object = instance as unknown as { env: Record<string, unknown> };
      object.env = { ...object.env, ASSETS: undefined };
      await storage.put("order", { set, attempts: 5 });
      await instance.alarm();
      expect(await storage.get("order")).toBeUndefined();
      expect(await storage.getAlarm()).toBeNull();
    });
  });
});

describe("stores that fail", () => {
  const gone = { fetch: async () => new Response("not found", { status: 404 }) };

  it("cost the layer where the vectors are not there or are something else, and nothing more", async () => {
    const policy = policyOf(documentOf());
    const other = { fetch: async () => new Response("") };
    for (const ASSETS of [gone, other, { fetch: () => Promise.reject(new Error("no")) }]) {
      const found = await detect(freshDeps({ ASSETS }), policy, taxi);
      expect(found.missed).toEqual(["semantic"]);
    }
    expect(await detect(freshDeps({ ASSETS: undefined }), policy, taxi)).toMatchObject({ missed: ["semantic"] });
  });

  it("cost the layer where KV fails", async () => {
    const policy = policyOf(documentOf());
    const KV = { get: () => Promise.reject(new Error("KV is away")) } as unknown as KVNamespace;
    expect((await detect(freshDeps({ KV }), policy, taxi)).missed).toEqual(["semantic"]);
  });

  it("cost the layer where KV is silent for longer than the policy waits", async () => {
    const policy = policyOf(documentOf({ semantic: { timeoutMs: 50 } }));
    const KV = { get: () => new Promise(() => {}) } as unknown as KVNamespace;
    expect((await detect(freshDeps({ KV }), policy, taxi)).missed).toEqual(["semantic"]);
  });

  it("do not keep a policy from coming into force: the answer warns", async () => {
    const document = documentOf();
    const admin = await policyAdmin({ variables: { ASSETS: undefined } });
    const put = await admin.put(document);
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({
      semantic: "unavailable",
      warnings: [{ path: "/detection/layers", message: expect.stringContaining("no binding `ASSETS`") }],
    });
    expect((await admin.current()).version).toBe(put.body.version);
  });

  it("do not keep a policy from coming into force where training fails", async () => {
    const away = { train: () => Promise.reject(new Error("the object is away")) };
    const SEMANTIC_TRAINER = { idFromName: () => "", get: () => away } as never;
    const admin = await policyAdmin({ variables: { SEMANTIC_TRAINER } });
    const put = await admin.put(documentOf());
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ semantic: "unavailable" });
  });
});
