import { expect, test } from "vitest";
import { readPassHeaders } from "../../src/settings/pass-headers.ts";
import { kindOfSetting } from "../../src/settings/settings-table.ts";

const read = (text?: string) => readPassHeaders(text === undefined ? {} : { UPSTREAM_PASS_HEADERS: text });

test("UPSTREAM_PASS_HEADERS is a comma list of names in any case, none unless set", () => {
  expect(read()).toEqual({ ok: true, value: new Set() });
  expect(read(" X-Vendor,x-portkey-config ,")).toEqual({ ok: true, value: new Set(["x-vendor", "x-portkey-config"]) });
  expect(kindOfSetting("UPSTREAM_PASS_HEADERS")).toBe("plain");
});

test.each([
  ...["authorization", "Cookie", "x-api-key", "x-toolgate-user", "x-forwarded-for", "forwarded", "x-real-ip"],
  ...["x-remote-user", "x-user-email", "x-ms-client-principal", "x-client-cert", "cf-connecting-ip", "x-session-id"],
  ...["x-credentials", "x-bearer", "x-signature", "x-account-id", "x-tenant", "accept-encoding"],
  ...["host", "content-length", "connection", "idempotency-key", "x-stainless-retry-count", "not a name", "a:b"],
])("UPSTREAM_PASS_HEADERS cannot hold `%s`", (name) => {
  expect(read(`x-vendor, ${name}`)).toMatchObject({
    ok: false,
    error: [expect.stringContaining(`UPSTREAM_PASS_HEADERS: \`${name.toLowerCase()}\``)],
  });
});
