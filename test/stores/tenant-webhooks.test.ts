import { expect, it } from "vitest";
import { parseKeyRing } from "../../src/lib/key-ring.ts";
import { seal } from "../../src/lib/seal.ts";
import { settingsPurpose, tenantKey } from "../../src/stores/tenant/tenant-keys.ts";
import { tenantWebhooks } from "../../src/stores/tenant/tenant-webhooks.ts";
import { failingKv } from "./policies/failing-kv.ts";

const secret = `k:${"c".repeat(32)}`;
const env = { TENANT_SETTINGS: "1", CONNECTION_KEY: secret, SIGNING_KEYS: `s:${"s".repeat(32)}` };
const urls = (found: { readonly webhooks: readonly { readonly url: string }[] } | undefined) =>
  found?.webhooks.map(({ url }) => url);

it("a user's object sends to the receivers of its tenant and of all", async () => {
  const kv = failingKv();
  const keys = parseKeyRing(secret, "key");
  if (!keys.ok) throw new Error(keys.error);
  const own = { WEBHOOKS: '[{"url":"https://own.example/hook","tenant":"acme"}]' };
  const sealed = await seal(keys.value, settingsPurpose("acme"), JSON.stringify(own));
  await kv.put(tenantKey("acme"), JSON.stringify({ at: 1, jurisdiction: null, sealed }));
  const all = { ...env, KV: kv, WEBHOOKS: '[{"url":"https://all.example/hook"}]' };
  const find = tenantWebhooks(all);
  expect(urls(await find?.("acme", 0))).toEqual(["https://all.example/hook", "https://own.example/hook"]);
  expect(urls(await find?.("other", 0))).toEqual(["https://all.example/hook"]);
});

it("sends to nobody while the settings cannot be read, and asks nobody where no tenant has any", async () => {
  const kv = failingKv();
  await kv.put(tenantKey("acme"), JSON.stringify({ at: 1, jurisdiction: null, sealed: "s1.x.y.z" }));
  await expect(tenantWebhooks({ ...env, KV: kv })?.("acme", 0)).rejects.toThrow();
  expect(tenantWebhooks({ ...env, TENANT_SETTINGS: undefined, KV: kv })).toBeUndefined();
});
