import { beforeAll, expect, test } from "vitest";
import { setLogLevel } from "../../src/lib/log.ts";
import { plannerModel } from "../../src/model/planner-model.ts";
import { DEFAULT_LIMITS } from "../../src/model/time-limit.ts";
import { newHealth, realPace, type Upstreams } from "../../src/model/upstreams.ts";
import { createPlanner } from "../../src/plan/planner.ts";
import { emailsFromJohn, referenceTools } from "../plan/reference-tools.ts";

beforeAll(() => setLogLevel("off"));

interface Sent {
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

const taken = () =>
  Response.json({
    choices: [{ message: { role: "assistant", content: JSON.stringify(emailsFromJohn) }, finish_reason: "stop" }],
  });
const refused = (status: number) => Response.json({ error: { message: "no, sk-gateway" } }, { status });

/** @param answer by the requests so far. */
async function planAt(answer: (sent: Sent, count: number) => Response, headers: Record<string, string> = {}) {
  const sent: Sent[] = [];
  const upstreams: Upstreams = {
    targets: [{ baseUrl: "https://upstream.example.com/v1", apiKey: "sk-gateway", model: "small" }],
    limits: DEFAULT_LIMITS,
    retries: 2,
    fetch: async (_, init) => {
      const one = { headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) as Sent["body"] };
      sent.push(one);
      return answer(one, sent.length);
    },
    pace: realPace,
    health: newHealth(),
  };
  const planner = createPlanner(plannerModel(upstreams, undefined), () => 0);
  const signal = new AbortController().signal;
  const asking = { headers, model: "named" };
  const planned = await planner({
    input: "emails",
    tools: referenceTools,
    connections: [],
    maxSteps: 9,
    asking,
    signal,
  });
  return { planned, sent };
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

test.each([401, 429, 500])("%i is no matter of the format", async (status) => {
  const { planned, sent } = await planAt(() => refused(status));
  expect(sent).toHaveLength(1);
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
