/** Web Push: a browser that subscribed is told which tool waits, encrypted for it alone. */
import { env, runInDurableObject } from "cloudflare:test";
import { decodeJwt } from "jose";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { UserGuard } from "../../../src/stores/objects/user-guard.ts";
import { askFor } from "../approvals/asking.ts";
import { type Gateway, gateway } from "../support/gateway.ts";

const ENDPOINT = "https://fcm.googleapis.com/fcm/send/abc";
/** Far enough ahead that no alarm rings by itself. */
const start = Date.now() + 60 * 24 * 3600_000;
const text = (bytes: ArrayBuffer | Uint8Array): string => Buffer.from(bytes as Uint8Array).toString("base64url");

async function keyPair(name: "ECDH" | "ECDSA") {
  const usages = name === "ECDH" ? (["deriveBits"] as const) : (["sign", "verify"] as const);
  const pair = (await crypto.subtle.generateKey({ name, namedCurve: "P-256" }, true, [...usages])) as CryptoKeyPair;
  const point = (await crypto.subtle.exportKey("raw", pair.publicKey)) as ArrayBuffer;
  const { d = "" } = (await crypto.subtle.exportKey("jwk", pair.privateKey)) as JsonWebKey;
  return { pair, point: text(new Uint8Array(point)), d };
}

const vapid = await keyPair("ECDSA");
const browser = await keyPair("ECDH");
const auth = text(crypto.getRandomValues(new Uint8Array(16)));
const variables = {
  VAPID_PUBLIC_KEY: vapid.point,
  VAPID_PRIVATE_KEY: vapid.d,
  VAPID_SUBJECT: "mailto:ops@example.com",
};
const subscription = { endpoint: ENDPOINT, expirationTime: null, keys: { p256dh: browser.point, auth } };

interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

let sent: Sent[];
let status: number;
beforeEach(() => {
  sent = [];
  status = 201;
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init = {}) => {
    const headers = Object.fromEntries(new Headers(init.headers as HeadersInit));
    sent.push({ url: String(input), headers, body: init.body as Uint8Array });
    return new Response(null, { status });
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** As a browser decrypts it (RFC 8291). */
async function decrypted(body: Uint8Array): Promise<unknown> {
  const [salt, length] = [body.slice(0, 16), body[20] ?? 0];
  const [sender, sealed] = [body.slice(21, 21 + length), body.slice(21 + length)];
  const curve = { name: "ECDH", namedCurve: "P-256" };
  const from = await crypto.subtle.importKey("raw", sender, curve, false, []);
  const shared = await crypto.subtle.deriveBits({ name: "ECDH", public: from } as never, browser.pair.privateKey, 256);
  const derive = async (key: ArrayBuffer, by: Uint8Array, info: Uint8Array, bytes: number) => {
    const imported = await crypto.subtle.importKey("raw", key, "HKDF", false, ["deriveBits"]);
    return crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt: by, info }, imported, bytes * 8);
  };
  const utf8 = (one: string) => new TextEncoder().encode(one);
  const points = Buffer.concat([utf8("WebPush: info\0"), Buffer.from(browser.point, "base64url"), sender]);
  const input = await derive(shared, Buffer.from(auth, "base64url"), points, 32);
  const key = await derive(input, salt, utf8("Content-Encoding: aes128gcm\0"), 16);
  const iv = await derive(input, salt, utf8("Content-Encoding: nonce\0"), 12);
  const aes = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
  const plain = new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, aes, sealed));
  expect(plain.at(-1)).toBe(2);
  return JSON.parse(new TextDecoder().decode(plain.slice(0, -1)));
}

/** Has calls wait, and rings the object's alarm. */
const asking = (gate: Gateway, calls: number): Promise<void> =>
  runInDurableObject(gate.stub, async (_, state) => {
    const guard = new UserGuard(state, { ...env, ...variables });
    const { context } = guard as unknown as { context: { alarm: { webhooks: { idle(): Promise<void> } } } };
    for (let at = 0; at < calls; at++) await askFor(guard.apis, gate, { arguments: { path: "secret.txt" } });
    await guard.alarm();
    await context.alarm.webhooks.idle();
  });

it("a subscribed browser is told of each call, and of nothing in it; one that is gone is forgotten", async () => {
  const gate = await gateway({ variables });
  const put = await gate.fetch("/v1/push", { method: "PUT", json: subscription });
  expect(put.status).toBe(200);
  await asking(gate, 1);
  const [first] = sent;
  if (!first) throw new Error("nothing was sent");
  expect(first.url).toBe(ENDPOINT);
  expect(first.headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high" });
  expect(Number(first.headers.ttl)).toBeGreaterThan(0);
  expect(await decrypted(first.body)).toEqual({ id: expect.stringMatching(/^appr_/), tool: "write_file" });
  const [, token = "", key] = /^vapid t=(\S+), k=(\S+)$/.exec(first.headers.authorization ?? "") ?? [];
  expect(key).toBe(vapid.point);
  expect(decodeJwt(token)).toMatchObject({ aud: "https://fcm.googleapis.com", sub: variables.VAPID_SUBJECT });
  const [head, claims, signature = ""] = token.split(".");
  const signed = new TextEncoder().encode(`${head}.${claims}`);
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  const bytes = Buffer.from(signature, "base64url");
  expect(await crypto.subtle.verify(algorithm, vapid.pair.publicKey, bytes, signed)).toBe(true);

  status = 410;
  await asking(gate, 1);
  sent = [];
  await asking(gate, 1);
  expect(sent).toEqual([]);
});

it("a browser that unsubscribed is not told", async () => {
  const gate = await gateway({ variables });
  await gate.fetch("/v1/push", { method: "PUT", json: subscription });
  const ended = () => gate.fetch("/v1/push", { method: "DELETE", json: { endpoint: ENDPOINT } });
  expect([(await ended()).status, (await ended()).status]).toEqual([200, 404]);
  await asking(gate, 1);
  expect(sent).toEqual([]);
});

it("only browsers' push services are asked, and only where there are keys", async () => {
  const gate = await gateway({ variables });
  const put = (json: unknown, of = gate) => of.fetch("/v1/push", { method: "PUT", json });
  expect((await put({ ...subscription, endpoint: "https://10.0.0.1/x" })).status).toBe(400);
  expect((await put({ ...subscription, keys: { p256dh: "AAAA", auth } })).status).toBe(400);
  expect((await put(subscription, await gateway())).status).toBe(404);
  const config = (await (await gate.fetch("/console/config.json")).json()) as { push: unknown };
  expect(config.push).toEqual({ key: vapid.point });
});
