/** Layers that ask somebody else: an embedding model for `semantic`, the upstream's language model for `model`. */
import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { createDeps } from "../../../src/create-deps.ts";
import type { Deps, Env } from "../../../src/deps.ts";
import type { Detection } from "../../../src/intent/detection.ts";
import { trainingSetOf } from "../../../src/intent/training-set.ts";
import { checkPolicy } from "../../../src/policy/check.ts";
import type { CompiledPolicy } from "../../../src/policy/compile.ts";
import { policyAdmin } from "../admin/policy-admin.ts";
import { gateway } from "../support/gateway.ts";

let made = 0;
beforeEach(() => {
  made += 1;
});

const documentOf = (detection: Record<string, unknown>) => ({
  intents: {
    ORDER_TAXI: {
      description: `of test ${made}`,
      examples: ["call a cab", "a cab to the airport", "cab please", "my cab home", "the cab now"],
    },
    COOK_SOUP: {
      description: "soup",
      examples: ["a soup recipe", "soup with lentils", "salt in the soup", "soup today", "some soup"],
    },
  },
  detection,
});

const remote = documentOf.bind(undefined, { layers: ["semantic"], semantic: { source: "embeddings" } });

function policyOf(document: unknown): CompiledPolicy {
  const checked = checkPolicy(document, crypto.randomUUID());
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  return checked.value.policy;
}

const detect = async (deps: Deps, policy: CompiledPolicy, text: string): Promise<Detection> =>
  deps.detector.detect(policy, { text }, new AbortController().signal);

/** Words are directions: texts that share words are near. */
function vectorOf(text: string): number[] {
  const vector = new Array<number>(32).fill(0.01);
  for (const word of text.toLowerCase().split(/\W+/)) {
    let hash = 7;
    for (const char of word) hash = (hash * 31 + char.charCodeAt(0)) % 32;
    vector[hash] = (vector[hash] ?? 0) + (word === "cab" || word === "soup" ? 4 : 0.5);
  }
  return vector;
}

interface EmbeddingServer {
  readonly fetch: typeof fetch;
  readonly requests: {
    readonly url: string;
    readonly redirect: string;
    readonly headers: Headers;
    readonly body: { input: string[]; model: string };
  }[];
}

function embeddingServer(answer?: (request: Request) => Response | Promise<Response>): EmbeddingServer {
  const requests: EmbeddingServer["requests"] = [];
  return {
    requests,
    fetch: (async (input: RequestInfo, init?: RequestInit) => {
      const request = new Request(input, init);
      const body = (await request.clone().json()) as { input: string[]; model: string };
      requests.push({ url: request.url, redirect: request.redirect, headers: request.headers, body });
      if (answer) return answer(request);
      return Response.json({
        object: "list",
        data: body.input.map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) })),
        usage: { prompt_tokens: 1, total_tokens: 1 },
      });
    }) as typeof fetch,
  };
}

const settings = {
  EMBEDDINGS_BASE_URL: "https://embeddings.test/v1/",
  EMBEDDINGS_API_KEY: "sk-embeddings",
  EMBEDDINGS_MODEL: "small",
};

const depsOf = ({ fetch }: { fetch: typeof globalThis.fetch }, variables: Partial<Env> = settings): Deps =>
  createDeps({ ...env, ...variables } as Env, { fetch });

describe("the layer `semantic` with a remote embedding model", () => {
  it("embeds the examples when the policy is put, and each message once", async () => {
    const server = embeddingServer();
    const document = remote();
    const admin = await policyAdmin({ variables: settings, elsewhere: (request) => server.fetch(request) });
    expect((await admin.put(document)).body).toMatchObject({ semantic: "stored" });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.url).toBe("https://embeddings.test/v1/embeddings");
    expect(server.requests[0]?.headers.get("authorization")).toBe("Bearer sk-embeddings");
    expect(server.requests[0]?.redirect, "the key goes nowhere else").toBe("manual");
    expect(server.requests[0]?.body).toMatchObject({ model: "small", input: expect.arrayContaining(["call a cab"]) });

    const policy = policyOf(document);
    const deps = depsOf(server);
    const found = await detect(deps, policy, "where is my cab");
    expect(found.intents[0]).toMatchObject({ name: "ORDER_TAXI", layer: "semantic" });
    expect(server.requests[1]?.body.input).toEqual(["where is my cab"]);
    await detect(deps, policy, "where is my cab");
    expect(server.requests, "its vector is cached").toHaveLength(2);
  });

  it("does not take one model's vectors for another's", async () => {
    const server = embeddingServer();
    const document = remote();
    const admin = await policyAdmin({ variables: settings, elsewhere: (request) => server.fetch(request) });
    await admin.put(document);
    const other = depsOf(server, { ...settings, EMBEDDINGS_MODEL: "large" });
    expect((await detect(other, policyOf(document), "where is my cab")).missed).toEqual(["semantic"]);
  });

  it.each<[string, (request: Request) => Response | Promise<Response>]>([
    ["refuses", () => Response.json({ error: { message: "no" } }, { status: 500 })],
    ["answers with something else", () => new Response("<html>")],
    ["answers with fewer vectors", () => Response.json({ data: [], usage: { prompt_tokens: 1 } })],
    ["cannot be reached", () => Promise.reject(new TypeError("no"))],
    ["sends elsewhere", () => new Response(null, { status: 307, headers: { location: "https://evil.test/" } })],
    ["answers with other dimensions", () => Response.json({ data: [{ embedding: [1, 2, 3] }] })],
    ["answers with nothing but zeros", () => Response.json({ data: [{ embedding: new Array(32).fill(0) }] })],
    ["answers with numbers beyond all", () => new Response(`{"data":[{"embedding":[${"1e999,".repeat(31)}1]}]}`)],
  ])("is missed where the server %s", async (_, answer) => {
    const policy = policyOf(remote());
    const set = trainingSetOf(policy);
    const working = depsOf(embeddingServer());
    await working.semantic.prepare(policy);
    expect(set).toBeDefined();
    const found = await detect(depsOf(embeddingServer(answer)), policy, "where is my cab");
    expect(found.missed).toEqual(["semantic"]);
  });

  it("is missed where the server takes longer than the policy waits", async () => {
    const policy = policyOf(documentOf({ layers: ["semantic"], semantic: { source: "embeddings", timeoutMs: 50 } }));
    await depsOf(embeddingServer()).semantic.prepare(policy);
    const silent = embeddingServer(() => new Promise(() => {}));
    expect((await detect(depsOf(silent), policy, "where is my cab")).missed).toEqual(["semantic"]);
    expect(silent.requests).toHaveLength(1);
  });

  it("comes into force without where the server fails, and the answer warns", async () => {
    const down = embeddingServer(() => new Response("down", { status: 503 }));
    const admin = await policyAdmin({ variables: settings, elsewhere: (request) => down.fetch(request) });
    const put = await admin.put(remote());
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ semantic: "unavailable" });
    expect((await admin.current()).version).toBe(put.body.version);
  });

  it("warns where the gateway has no embedding model", async () => {
    const admin = await policyAdmin();
    const put = await admin.put(remote());
    expect(put.body.warnings.map(({ message }) => message).join()).toContain("set EMBEDDINGS_BASE_URL");
  });

  it("asks Workers AI where the settings name one of its models", async () => {
    const asked: string[] = [];
    const AI = {
      run: async (model: string, { text }: { text: readonly string[] }) => {
        asked.push(model);
        return { data: text.map(vectorOf) };
      },
    };
    const policy = policyOf(remote());
    const deps = depsOf(embeddingServer(), { AI, EMBEDDINGS_MODEL: "@cf/baai/bge-m3" });
    expect(await deps.semantic.prepare(policy)).toEqual({ kind: "stored" });
    expect((await detect(deps, policy, "where is my cab")).intents[0]?.name).toBe("ORDER_TAXI");
    expect(asked).toEqual(["@cf/baai/bge-m3", "@cf/baai/bge-m3"]);
    const unbound = createDeps({ ...env, EMBEDDINGS_MODEL: "@cf/baai/bge-m3" } as Env);
    expect(unbound.misconfigured).toContain("bind it as AI");
  });
});

const verdict = (content: unknown) =>
  Response.json({
    id: "1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: JSON.stringify(content) } }],
    usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
  });

describe("the layer `model`", () => {
  const policy = () => policyOf(documentOf({ layers: ["keywords", "model"], modelTimeoutMs: 2_000 }));
  const upstream = { UPSTREAM_BASE_URL: "https://upstream.test/v1", UPSTREAM_API_KEY: "sk-upstream" };

  function asking(answer: (request: Request) => Response | Promise<Response>, variables: Partial<Env> = upstream) {
    const requests: { redirect: string; headers: Headers; body: Record<string, unknown> }[] = [];
    const fetcher = (async (input: RequestInfo, init?: RequestInit) => {
      const request = new Request(input, init);
      requests.push({ redirect: request.redirect, headers: request.headers, body: await request.clone().json() });
      return answer(request);
    }) as typeof fetch;
    return { requests, deps: depsOf({ fetch: fetcher }, variables) };
  }

  it("asks the upstream for the model that the client named, with the user's words alone", async () => {
    const { deps, requests } = asking(() => verdict({ label: "COOK_SOUP", confidence: 0.95, reason: "food" }));
    const { signal } = new AbortController();
    const found = await deps.detector.detect(policy(), { text: "I am hungry" }, signal, {
      model: "gpt-x",
      headers: {},
    });
    expect(found.intents[0]).toMatchObject({ name: "COOK_SOUP", layer: "model", confidence: 0.95 });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers.get("authorization")).toBe("Bearer sk-upstream");
    expect(requests[0]?.redirect, "the key goes nowhere else").toBe("manual");
    expect(requests[0]?.body).toMatchObject({ model: "gpt-x" });
    expect(requests[0]?.body).not.toHaveProperty("tools");
    expect(JSON.stringify(requests[0]?.body.messages)).toContain("I am hungry");
  });

  it("asks for the model of the settings, and with the client's own key where the client brings one", async () => {
    const { deps, requests } = asking(() => verdict({ label: "none", confidence: 1 }), {
      ...upstream,
      DETECTOR_MODEL: "tiny",
    });
    const own = { model: "gpt-x", headers: { authorization: "Bearer own" } };
    const { signal } = new AbortController();
    const found = await deps.detector.detect(policy(), { text: "I am hungry" }, signal, own);
    expect(found.missed).toEqual([]);
    expect(requests[0]?.body).toMatchObject({ model: "tiny" });
    expect(requests[0]?.headers.get("authorization")).toBe("Bearer own");
  });

  it.each<[string, (request: Request) => Response | Promise<Response>]>([
    ["refuses", () => Response.json({ error: { message: "no" } }, { status: 429 })],
    ["answers with a label of its own", () => verdict({ label: "RM_RF", confidence: 1 })],
    ["answers with words", () => verdict("soup")],
    ["answers with no JSON at all", () => new Response("<html>")],
    ["is silent", () => new Promise(() => {})],
    ["sends elsewhere", () => new Response(null, { status: 307, headers: { location: "https://evil.test/" } })],
  ])("is missed where the upstream %s", async (_, answer) => {
    const { deps, requests } = asking(answer, { ...upstream, DETECTOR_MODEL: "tiny" });
    expect(await detect(deps, policy(), "I am hungry")).toMatchObject({ missed: ["model"] });
    expect(requests, "it is not tried again").toHaveLength(1);
  });

  it("is missed where no model is named", async () => {
    expect(await detect(depsOf(embeddingServer(), {}), policy(), "I am hungry")).toMatchObject({ missed: ["model"] });
  });
});

describe("the assets", () => {
  it("are served to nobody", async () => {
    const gate = await gateway();
    const { status } = await (env.ASSETS as { fetch(url: string): Promise<Response> }).fetch(
      "https://a.test/vectors.bin",
    );
    expect(status, "the asset is there").toBe(200);
    for (const path of ["/vectors.bin", "//vectors.bin", "/assets/vectors.bin", "/"]) {
      expect((await gate.fetch(path)).status).toBe(404);
      expect((await gate.fetch(path, { key: "nobody" })).status).toBe(401);
    }
  });
});
