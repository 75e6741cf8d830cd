import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setLogLevel } from "../../src/lib/log.ts";
import { workBudget } from "../../src/lib/work-budget.ts";
import { plannerModel } from "../../src/model/planner-model.ts";
import { newHealth, realClock, type Upstreams } from "../../src/model/upstream/upstreams.ts";
import { createPlanner } from "../../src/plan/planner.ts";
import { DEFAULT_LIMITS } from "../../src/settings/upstream-target.ts";
import { emailsFromJohn, referenceTools } from "../plan/reference-tools.ts";

beforeAll(() => setLogLevel("off"));
// Files share a process.
afterAll(() => setLogLevel("info"));

interface Sent {
  readonly host: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

const taken = () =>
  Response.json({
    choices: [{ message: { role: "assistant", content: JSON.stringify(emailsFromJohn) }, finish_reason: "stop" }],
  });
const refused = (status: number) => Response.json({ error: { message: "no, sk-gateway" } }, { status });

const SMALL = { baseUrl: "https://one.test/v1", apiKey: "sk-gateway", model: "small" };
const OTHER = { baseUrl: "https://two.test/v1", apiKey: "sk-other", model: "other" };

interface Asking {
  readonly headers?: Record<string, string>;
  readonly model?: string;
}

/** @param answer by the requests so far. */
function planning(
  answer: (sent: Sent, count: number) => Response | Promise<Response>,
  more: Partial<Upstreams> & { readonly chosen?: string } = {},
) {
  const sent: Sent[] = [];
  const { chosen, ...others } = more;
  const upstreams: Upstreams = {
    targets: [SMALL],
    limits: DEFAULT_LIMITS,
    retries: 2,
    fetch: async (input, init) => {
      const body = JSON.parse(String(init?.body)) as Sent["body"];
      const one = { host: new URL(String(input)).host, headers: new Headers(init?.headers), body };
      sent.push(one);
      return answer(one, sent.length);
    },
    clock: { ...realClock, wait: async () => {} },
    health: newHealth(),
    ...others,
  };
  const planner = createPlanner(plannerModel(upstreams, chosen), () => 0);
  const plan = ({ headers = {}, model = "named" }: Asking = {}) =>
    planner({
      input: "emails",
      tools: referenceTools,
      connections: [],
      maxSteps: 9,
      modelRequest: { headers, model },
      work: workBudget(),
      signal: new AbortController().signal,
    });
  return { sent, plan, upstreams };
}

async function planAt(answer: (sent: Sent, count: number) => Response, headers: Record<string, string> = {}) {
  const { sent, plan } = planning(answer);
  return { planned: await plan({ headers }), sent };
}

const formatOf = ({ body }: Sent) => (body.response_format as { type?: string } | undefined)?.type;

test("the schema goes along, not strictly, at a low temperature, with the gateway's key", async () => {
  const { planned, sent } = await planAt(taken);
  expect(planned).toMatchObject({ fault: null, modelCalls: 1 });
  expect(sent).toHaveLength(1);
  expect(sent[0]?.body).toMatchObject({ model: "small", temperature: 0.1, max_tokens: 8192 });
  expect(sent[0]?.body.response_format).toMatchObject({
    type: "json_schema",
    json_schema: { name: "toolgate_plan", strict: false, schema: { required: ["plan"] } },
  });
  expect(sent[0]?.headers.get("authorization")).toBe("Bearer sk-gateway");
});

test("a client's own key goes in its place", async () => {
  const { sent } = await planAt(taken, { authorization: "Bearer sk-client" });
  expect(sent[0]?.headers.get("authorization")).toBe("Bearer sk-client");
});

test("an upstream that takes no schema is asked for JSON, then for anything, then with no temperature", async () => {
  const json = await planAt((sent) => (formatOf(sent) === "json_schema" ? refused(400) : taken()));
  expect(json.planned).toMatchObject({ fault: null, modelCalls: 2 });
  expect(json.sent.map(formatOf)).toEqual(["json_schema", "json_object"]);
  const plain = await planAt((sent) => (formatOf(sent) ? refused(422) : taken()));
  expect(plain.sent.map(formatOf)).toEqual(["json_schema", "json_object", undefined]);
  const reasoning = await planAt(({ body }) =>
    "temperature" in body || "max_tokens" in body ? refused(400) : taken(),
  );
  expect(reasoning.planned.fault).toBeNull();
  expect(reasoning.sent).toHaveLength(4);
});

test("one that refuses them all is asked no more, and what it says is not told", async () => {
  const { planned, sent } = await planAt(() => refused(400));
  expect(sent).toHaveLength(4);
  expect(planned).toMatchObject({ steps: [], modelCalls: 4, fault: { code: "model_failed" } });
  expect(JSON.stringify(planned)).not.toContain("sk-");
});

test.each([
  [401, 1],
  [429, 3],
  [500, 3],
])("%i is no matter of the format: it is asked %i times, as in a chat", async (status, times) => {
  const { planned, sent } = await planAt(() => refused(status));
  expect(sent.map(formatOf)).toEqual(Array(times).fill("json_schema"));
  expect(planned.modelCalls).toBe(times);
  expect(planned.fault?.message).toContain(String(status));
});

test("an answer without an end is not read to it", async () => {
  let read = 0;
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      read += 1;
      // Of a reader that never stops nothing else could be seen.
      if (read > 1_000) controller.close();
      else controller.enqueue(new Uint8Array(64 * 1024).fill(32));
    },
    cancel() {
      cancelled = true;
    },
  });
  const { planned } = await planAt(() => new Response(endless, { headers: { "content-type": "application/json" } }));
  expect(planned.fault).toMatchObject({ code: "model_failed" });
  expect(cancelled).toBe(true);
  expect(read).toBeLessThan(100);
});

describe("what an upstream refused", () => {
  const HOUR = 3600_000;

  test("it is not asked again for an hour, the model that refused it", async () => {
    let now = 0;
    const refuses = ({ body }: Sent) => body.model === "small" && "temperature" in body;
    const { plan, sent } = planning((one) => (refuses(one) ? refused(400) : taken()), {
      targets: [{ baseUrl: SMALL.baseUrl }],
      clock: { ...realClock, now: () => now },
    });
    const calls = async (model: string) => (await plan({ model })).modelCalls;
    expect([await calls("small"), await calls("small"), await calls("large")]).toEqual([4, 1, 1]);
    expect(sent.at(-2)?.body).not.toHaveProperty("temperature");
    now = HOUR + 1;
    expect([await calls("small"), await calls("small")]).toEqual([4, 1]);
  });

  test("that it took less before does not keep it from being asked for more, where it takes less no longer", async () => {
    const only = { type: "json_object" };
    const { plan, sent } = planning((one) => (formatOf(one) === only.type ? taken() : refused(400)));
    expect((await plan()).modelCalls).toBe(2);
    only.type = "json_schema";
    expect([(await plan()).fault, sent.slice(2).map(formatOf)]).toEqual([null, ["json_object", "json_schema"]]);
    expect((await plan()).modelCalls).toBe(1);
  });
});

describe("where an upstream fails", () => {
  const both = { targets: [SMALL, OTHER], retries: 0 };
  const hosts = (sent: readonly Sent[]) => sent.map(({ host }) => host.split(".")[0]);

  test.each([
    ["answers 500", () => refused(500)],
    ["does not take the gateway's key", () => refused(401)],
    ["cannot be reached", () => Promise.reject(new TypeError("Network connection lost."))],
    ["says nothing for too long", () => new Promise<Response>(() => {})],
    [
      "breaks off",
      () => new Response(new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) })),
    ],
  ])("which %s, the next is asked, with its own key and model, and first from then on", async (_, fails) => {
    const { plan, sent, upstreams } = planning(({ host }) => (host === "one.test" ? fails() : taken()), {
      ...both,
      limits: { ...DEFAULT_LIMITS, firstByteMs: 20 },
    });
    expect(await plan()).toMatchObject({ fault: null, modelCalls: 2 });
    expect([sent[1]?.headers.get("authorization"), sent[1]?.body.model]).toEqual(["Bearer sk-other", "other"]);
    expect((await plan()).modelCalls).toBe(1);
    expect(hosts(sent)).toEqual(["one", "two", "two"]);
    // Chats find it so, and their failures are found here.
    expect(upstreams.health.circuit.has(0)).toBe(true);
  });

  test("for a fault of the request's own no other is asked", async () => {
    for (const [status, times] of [
      [400, 4],
      [404, 1],
    ] as const) {
      const { plan, sent } = planning(() => refused(status), both);
      expect((await plan()).fault?.message).toContain(String(status));
      expect(hosts(sent)).toEqual(Array(times).fill("one"));
    }
  });

  test("another may take another format, and a plan is corrected where it was made", async () => {
    const useless = Response.json({ choices: [{ message: { content: "{}" }, finish_reason: "stop" }] });
    const { plan, sent } = planning((one, count) => {
      if (one.host === "one.test") return refused(503);
      if (formatOf(one) === "json_schema") return refused(400);
      return count === 3 ? useless : taken();
    }, both);
    expect((await plan()).fault).toBeNull();
    expect(hosts(sent)).toEqual(["one", "two", "two", "two"]);
    expect(sent.map(formatOf)).toEqual(["json_schema", "json_schema", "json_object", "json_object"]);
  });

  test("the client's own key goes to no other", async () => {
    const { plan, sent } = planning(() => refused(500), both);
    expect((await plan({ headers: { authorization: "Bearer sk-client" } })).fault?.code).toBe("model_failed");
    expect(hosts(sent)).toEqual(["one"]);
  });
});

describe("a provider that has a protocol of its own", () => {
  const providers = [
    SMALL,
    {
      baseUrl: "https://claude.test/v1",
      apiKey: "sk-ant",
      provider: { name: "anthropic", kind: "anthropic" as const },
    },
  ];
  const routes = new Map([["planner", ["anthropic/claude", "backup"]]]);
  const message = ({ body }: Sent) => {
    const text = JSON.stringify(emailsFromJohn);
    const content = body.tools
      ? { type: "tool_use", id: "t", name: "json", input: emailsFromJohn }
      : { type: "text", text };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const head = { id: "m", type: "message", role: "assistant", model: "claude", stop_sequence: null };
    return Response.json({ ...head, content: [content], stop_reason: body.tools ? "tool_use" : "end_turn", usage });
  };

  test("makes plans where the settings' model, or the client's, has its prefix", async () => {
    for (const chosen of ["anthropic/claude", undefined]) {
      const { sent, plan } = planning(message, { targets: providers, ...(chosen ? { chosen } : {}) });
      expect(await plan({ model: "anthropic/claude" })).toMatchObject({ fault: null });
      expect(sent.map(({ host, body }) => [host, body.model])).toEqual([["claude.test", "claude"]]);
      expect([sent[0]?.headers.get("x-api-key"), sent[0]?.headers.get("authorization")]).toEqual(["sk-ant", null]);
    }
  });

  test("is followed along its route where it fails", async () => {
    const answer = (one: Sent) => (one.host === "claude.test" ? refused(503) : taken());
    const targets = [{ ...SMALL, model: undefined }, ...providers.slice(1)];
    const { sent, plan } = planning(answer, { targets, routes, retries: 0, chosen: "planner" });
    expect(await plan()).toMatchObject({ fault: null });
    expect(sent.map(({ host, body }) => [host, body.model])).toEqual([
      ["claude.test", "claude"],
      ["one.test", "backup"],
    ]);
  });

  test("never sees a client's own key", async () => {
    const { sent, plan } = planning(taken, { targets: providers });
    await plan({ model: "anthropic/claude", headers: { authorization: "Bearer sk-client" } });
    expect(sent.map(({ host }) => host)).toEqual(["one.test"]);
  });
});
