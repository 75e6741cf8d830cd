/** What is signed here is verified with the stock library of the specification. */
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { parseKeyRing } from "../../src/lib/key-ring.ts";
import { webhookHeaders, webhookSecrets } from "../../src/lib/standard-webhook.ts";

const ring = (text: string) => {
  const parsed = parseKeyRing(text, "signing key");
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
};
const url = "https://hooks.example/a";
const [old, young] = [`k1:${"a1".repeat(16)}`, `k2:${"b2".repeat(16)}`];
const message = { id: "msg_1", body: '{"type":"approval.asked","data":{"tool":"Ünïcode 日本"}}' };
const stock = (setting: string, at = url) => new Webhook(webhookSecrets(ring(setting), at)[0]?.secret ?? "");

it("a stock receiver accepts what is signed for it, and nothing else", () => {
  const headers = webhookHeaders(ring(old), url, message, Date.now());
  expect(headers).toMatchObject({ "webhook-id": "msg_1", "x-toolgate-key-id": "k1" });
  expect(headers["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  expect(stock(old).verify(message.body, headers)).toEqual(JSON.parse(message.body));
  expect(() => stock(old).verify(`${message.body} `, headers)).toThrow();
  expect(() => stock(old).verify(message.body, { ...headers, "webhook-id": "msg_2" })).toThrow();
  expect(() => stock(young).verify(message.body, headers)).toThrow();
  // Another receiver's secret is another.
  expect(() => stock(old, "https://hooks.example/b").verify(message.body, headers)).toThrow();
  const late = webhookHeaders(ring(old), url, message, Date.now() - 3600_000);
  expect(() => stock(old).verify(message.body, late)).toThrow();
});

it("while keys overlap, receivers with the old secret and with the new one accept it", () => {
  const headers = webhookHeaders(ring(`${young},${old}`), url, message, Date.now());
  expect(headers["x-toolgate-key-id"]).toBe("k2 k1");
  for (const setting of [old, young]) expect(stock(setting).verify(message.body, headers)).toBeTruthy();
});
