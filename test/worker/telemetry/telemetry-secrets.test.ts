/**
 * What clients, models and upstreams say stays out of log, metrics and traces: whatever it is, and wherever it stands.
 * @module-tag attack/secrets
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { type GatewayOptions, gateway, tool } from "../support/gateway.ts";
import { ask, call, type ScriptedStep, says, user } from "../support/script.ts";
import { captureLog } from "./capture-log.ts";

interface Place {
  readonly step?: ScriptedStep;
  readonly upstream?: () => Response;
  readonly body?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  readonly path?: string;
  readonly variables?: GatewayOptions["variables"];
}

const error = (fields: object, status: number) => () =>
  Response.json({ error: { message: "no", ...fields } }, { status });
const sse = (text: string) => () => new Response(text, { headers: { "content-type": "text/event-stream" } });

/** Where a secret may stand, by name. */
const places: Readonly<Record<string, (secret: string) => Place>> = {
  "a message": (secret) => ({ body: { messages: [user(secret)] } }),
  "the system's text": (secret) => ({ body: { messages: [{ role: "system", content: secret }, user("go")] } }),
  "an answer": (secret) => ({ step: { text: secret } }),
  "arguments marked redact": (secret) => ({ step: { calls: [call("c", "save", { password: secret })] } }),
  "arguments that are released": (secret) => ({ step: { calls: [call("c", "save", { note: secret })] } }),
  "arguments of a refused call": (secret) => ({ step: { calls: [call("c", "rm", { path: secret })] } }),
  "arguments that break the schema": (secret) => ({ step: { calls: [call("c", "save", { note: { secret } })] } }),
  "broken arguments": (secret) => ({ step: { calls: [call("c", "save", `{"note": ${secret}`)] } }),
  "an argument's key": (secret) => ({ step: { calls: [call("c", "save", { [secret]: 1 })] } }),
  "a call's id": (secret) => ({ step: { calls: [call(secret, "save", {})] } }),
  "a tool that the model made up": (secret) => ({ step: { calls: [call("c", secret)] } }),
  "a tool's description": (secret) => ({
    body: { tools: [{ type: "function", function: { name: "save", description: secret, parameters: {} } }] },
  }),
  metadata: (secret) => ({ body: { metadata: { secret } } }),
  "the usage": (secret) => ({ step: { text: "ok", usage: { prompt_tokens: secret, [secret]: 1 } } }),
  "the upstream's headers": (secret) => ({ step: { text: "ok", headers: { "x-request-id": secret } } }),
  "the upstream's error": (secret) => ({ upstream: error({ message: secret, code: `${secret} 1` }, 400) }),
  "the upstream's error of another form": (secret) => ({ upstream: () => new Response(secret, { status: 500 }) }),
  "a broken stream": (secret) => ({ upstream: sse(`data: {"choices": ${secret}\n\n`), body: { stream: true } }),
  "a broken body": (secret) => ({ upstream: () => new Response(`{${secret}`) }),
  "an event of error": (secret) => ({
    upstream: sse(`data: {"error":{"message":"${secret}"}}\n\n`),
    body: { stream: true },
  }),
  "a body that is no request": (secret) => ({ body: { messages: secret } }),
  "a header": (secret) => ({ headers: { "x-vendor": secret, cookie: secret, "x-upstream-authorization": secret } }),
  "the key": (secret) => ({ headers: { authorization: `Bearer tg_${secret}` } }),
  "another scheme": (secret) => ({ headers: { authorization: `Basic ${secret}` } }),
  "the mode": (secret) => ({ headers: { "x-toolgate-mode": secret } }),
  "the trace's parent": (secret) => ({ headers: { traceparent: secret, baggage: `a=${secret}` } }),
  "the path": (secret) => ({ path: `/v1/sessions/${secret}?q=${secret}` }),
  "no route": (secret) => ({ path: `/${secret}` }),
  "the upstream's key": (secret) => ({ variables: { UPSTREAM_MODEL: "m", OTEL_EXPORTER_OTLP_HEADERS: `k=${secret}` } }),
};

const policy = {
  handshake: { select: "off" },
  tools: { save: { category: "read_only", redact: ["password"] }, rm: { roles: ["admin"] } },
  execution: { maxSteps: 2 },
};
const schema = { type: "object", properties: { note: { type: "string" }, password: { type: "string" } } };
const collector = "https://collector.test";

it("nothing_that_was_said_is_told", async () => {
  const log = captureLog();
  const secret = fc.stringMatching(/^[a-z]{6}[0-9]{6}$/).map((text) => `s3cret${text}`);
  let told = 0;
  for (const [name, place] of Object.entries(places)) {
    await fc.assert(
      fc.asyncProperty(secret, async (text) => {
        const { step = { text: "ok" }, upstream, body, headers, path, variables } = place(text);
        const telemetry = {
          LOG_LEVEL: "debug",
          METRICS: "1",
          METRICS_INTERVAL: "0s",
          OTEL_EXPORTER_OTLP_ENDPOINT: collector,
        };
        const spans: string[] = [];
        const points: string[] = [];
        const ANALYTICS = { writeDataPoint: (point?: object) => void points.push(JSON.stringify(point)) };
        const gate = await gateway({
          policy,
          variables: { ...telemetry, ANALYTICS, ...variables },
          upstream: (sent, request) => {
            if (!request.url.startsWith(collector)) return (upstream ?? says(step))(sent, request);
            spans.push(JSON.stringify(sent));
            return new Response(text, { status: 500 });
          },
        });
        if (path !== undefined) await gate.fetch(path, { headers });
        else await ask(gate, { messages: [user("go")], tools: [tool("save", schema), tool("rm")], ...body }, headers);
        await gate.settle();
        const metrics = await (await gate.fetch("/metrics", { key: await gate.keyFor("op", "admin") })).text();
        await gate.settle();
        const outputs = { log: log.text(), metrics, spans: spans.join(), points: points.join() };
        for (const [where, output] of Object.entries(outputs)) {
          expect(output, `${name} is in ${where}`).not.toContain(text);
          expect(output, `a key is in ${where}`).not.toMatch(new RegExp(`${gate.key}|sk-upstream`));
        }
        told += spans.length;
      }),
      { numRuns: 2 },
    );
  }
  // Each request was traced, and its failed export told.
  expect(told).toBeGreaterThanOrEqual(Object.keys(places).length * 2);
  expect(log.lines("trace_export_failed").length).toBe(told);
});
