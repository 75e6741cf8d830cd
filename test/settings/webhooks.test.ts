import { expect, test } from "vitest";
import { NO_WEBHOOKS, readWebhooks } from "../../src/settings/webhooks.ts";

const SIGNING_KEYS = `k2:${"b2".repeat(16)},k1:${"a1".repeat(16)}`;
const url = "https://hooks.example/a?token=xyz";

test("nothing set is nothing sent", () => {
  expect(readWebhooks({})).toEqual({ ok: true, value: NO_WEBHOOKS });
  expect(readWebhooks({ WEBHOOKS: "", SIGNING_KEYS: " ", PUBLIC_URL: "" })).toEqual({ ok: true, value: NO_WEBHOOKS });
  expect(readWebhooks({ WEBHOOKS: "[]" })).toEqual({ ok: true, value: NO_WEBHOOKS });
});

test("webhooks, keys and the base of links are read", () => {
  const siem = { url: "https://siem.example/", records: ["decision"] };
  const WEBHOOKS = JSON.stringify([{ url }, { url, tenant: "acme", events: ["approval.answered"] }, siem]);
  expect(readWebhooks({ WEBHOOKS, SIGNING_KEYS, PUBLIC_URL: "https://gate.example/tools/" })).toEqual({
    ok: true,
    value: {
      webhooks: [
        { url, events: ["approval.asked", "approval.answered", "approval.ended"], records: [] },
        { url, tenant: "acme", events: ["approval.answered"], records: [] },
        { ...siem, events: [] },
      ],
      keys: {
        signing: "k2",
        secrets: new Map([
          ["k2", "b2".repeat(16)],
          ["k1", "a1".repeat(16)],
        ]),
      },
      publicUrl: "https://gate.example/tools",
    },
  });
});

test.each([
  ["WEBHOOKS", "hooks.example", "not JSON"],
  ["WEBHOOKS", `{ "url": "${url}" }`, "WEBHOOKS must be a list, not an object: write `[{"],
  ["WEBHOOKS", '["https://hooks.example/"]', "WEBHOOKS: 0: must be an object, not a text"],
  ["WEBHOOKS", "[{}]", "WEBHOOKS: 0.url: is missing"],
  ["WEBHOOKS", `[{ "url": "${url}", "event": [] }]`, "WEBHOOKS: 0: has no `event`: did you mean `events`?"],
  ["WEBHOOKS", `[{ "url": "${url}", "events": ["approval.lost"] }]`, "0.events.0"],
  ["WEBHOOKS", `[{ "url": "${url}", "records": ["erased"] }]`, "0.records.0"],
  ["WEBHOOKS", `[{ "url": "${url}", "events": [] }]`, "0.events"],
  ["WEBHOOKS", `[{ "url": "${url}", "tenant": " x" }]`, "0.tenant"],
  ["WEBHOOKS", `[{ "url": "${url}" }, { "url": "http://hooks.example/?token=xyz" }]`, "1.url is no https URL"],
  ["WEBHOOKS", '[{ "url": "http://localhost:1/?token=xyz" }]', "0.url is no https URL"],
  ["WEBHOOKS", '[{ "url": "https://me:xyz@hooks.example/" }]', "holds a user or password"],
  ["WEBHOOKS", '[{ "url": "file:///xyz" }]', "0.url is no https URL"],
  ["WEBHOOKS", '[{ "url": "xyz" }]', "0.url is no URL"],
  ["WEBHOOKS", `[{ "url": "${url}" }, { "url": "${url}" }]`, "1 has the `url`"],
  ["SIGNING_KEYS", "xyz", "signing key 1 is not of the form"],
  ["SIGNING_KEYS", "k1:xyz", "shorter than 32"],
  ["PUBLIC_URL", "gate.example", "PUBLIC_URL is no URL"],
  ["PUBLIC_URL", "http://gate.example", "PUBLIC_URL is no https URL"],
  ["PUBLIC_URL", "https://gate.example/?a=xyz", "PUBLIC_URL holds a query"],
])("%s cannot be %s", (name, value, message) => {
  const read = readWebhooks({ SIGNING_KEYS, [name]: value });
  expect(read).toEqual({ ok: false, error: [expect.stringContaining(message)] });
  // What may be a receiver's secret is not told.
  expect(JSON.stringify(read)).not.toContain("xyz");
});

test("every error is told at once, and what must be signed needs a key", () => {
  const WEBHOOKS = `[{ "url": "${url}" }]`;
  expect(readWebhooks({ WEBHOOKS })).toEqual({
    ok: false,
    error: [expect.stringContaining("SIGNING_KEYS is not set")],
  });
  expect(readWebhooks({ WEBHOOKS: "x", SIGNING_KEYS: "x", PUBLIC_URL: "x" })).toMatchObject({ error: { length: 3 } });
});

test("http is for loopback in development alone", () => {
  const settings = {
    SIGNING_KEYS,
    WEBHOOKS: '[{ "url": "http://127.0.0.1:9/" }]',
    PUBLIC_URL: "http://localhost:8787",
  };
  expect(readWebhooks({ ...settings, TOOLGATE_DEV: "1" })).toMatchObject({ ok: true });
  expect(readWebhooks(settings)).toMatchObject({ error: { length: 2 } });
  for (const host of ["127.0.0.1.example", "hooks.example", "localhost.example"])
    expect(readWebhooks({ PUBLIC_URL: `http://${host}`, TOOLGATE_DEV: "1" })).toMatchObject({ ok: false });
});
