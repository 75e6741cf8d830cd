/**
 * What of a message must not be told on, and what a message must not do to a reply, a record or the detect endpoint.
 * @module-tag attack/injection
 */
import { describe, expect, it } from "vitest";
import { gateway } from "../support/gateway.ts";
import { ask, says, user } from "../support/script.ts";

const SECRETS = ["bob@example.com", "https://hidden.example/path", "a very private phrase"];

describe("what a message names", () => {
  it("is in no record where it is redacted, not even as a detector's model retells it", async () => {
    const verdict = { label: "NOTE", confidence: 0.95, reason: `wants a note for ${SECRETS.join(", ")}` };
    const gate = await gateway({
      policy: {
        intents: { NOTE: { description: "notes" }, OTHER: { description: "all else" } },
        detection: { layers: ["keywords", "model"] },
        entities: { topic: { pattern: "about (.+)" } },
      },
      variables: { DETECTOR_MODEL: "detector" },
      upstream: (body, request) =>
        says({ text: body.model === "detector" ? JSON.stringify(verdict) : "ok" })(body, request),
    });
    const text = `Write to ${SECRETS[0]} about ${SECRETS[1]} and "${SECRETS[2]}"`;
    const { note, headers } = await ask(gate, { messages: [user(text)] });
    expect(note).toMatchObject({ intent: "NOTE" });
    const [turn] = await gate.turns();
    expect(turn).toMatchObject({ detection: { intents: [{ name: "NOTE", layer: "model" }] } });
    const names = (turn as { detection: { entities: { name: string }[] } }).detection.entities.map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(["topic", "email", "url", "quoted"]));
    const told = JSON.stringify([turn, note, [...headers]]);
    for (const secret of SECRETS) expect(told).not.toContain(secret);
  });
});

describe("a message that asks for everything", () => {
  const names = Array.from({ length: 300 }, (_, index) => `INTENT_日本語_${index}`);
  const intents = Object.fromEntries(names.map((name, index) => [name, { keywords: [`word${index}`] }]));

  it("is answered with headers that clients take", async () => {
    const gate = await gateway({ policy: { intents }, upstream: says({ text: "ok" }) });
    const { note, headers } = await ask(gate, { messages: [user(names.map((_, index) => `word${index}`).join(". "))] });
    const { intents: held } = note as unknown as { intents: string[] };
    expect(held.length).toBeGreaterThan(200);
    const told = headers.get("x-toolgate-intent") ?? "";
    expect(told.split(", ").map(decodeURIComponent)).toEqual(held.slice(0, told.split(", ").length));
    expect(told.length).toBeLessThanOrEqual(1_024);
  });
});

describe("`POST /v1/intents/detect`", () => {
  it("has the client's own key pay, also where the gateway names the model", async () => {
    const gate = await gateway({
      policy: { intents: { A: {}, B: {} }, detection: { layers: ["model"] } },
      variables: { DETECTOR_MODEL: "detector", CLIENT_UPSTREAM_KEYS: "1" },
      upstream: says({ text: '{"label":"A","confidence":1}' }),
    });
    const headers = { "x-upstream-authorization": "Bearer sk-own" };
    const response = await gate.fetch("/v1/intents/detect", { json: { text: "hello there" }, headers });
    expect(await response.json()).toMatchObject({ intent: "A" });
    expect(gate.requests.map((request) => request.headers.get("authorization"))).toEqual(["Bearer sk-own"]);
  });

  it("refuses a tool whose schema is nested without end", async () => {
    const gate = await gateway({ policy: {} });
    const depth = 100_000;
    const parameters = `${'{"properties":'.repeat(depth)}{}${"}".repeat(depth)}`;
    const body = `{"text":"write to a@example.com","tool":{"type":"function","function":{"name":"t","parameters":${parameters}}}}`;
    const response = await gate.fetch("/v1/intents/detect", { method: "POST", body });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: "invalid_json" } }]);
  });
});
