import { describe, expect, it } from "vitest";
import { kindOfSetting } from "../../src/settings/settings-table.ts";
import { boundSecret, readConnectionKey, readToolDns, readToolSecrets } from "../../src/settings/tool-secrets.ts";

const value = <T>(read: { ok: true; value: T } | { ok: false; error: readonly string[] }): T => {
  if (!read.ok) throw new Error(read.error.join("; "));
  return read.value;
};

describe("TOOL_SECRETS", () => {
  const bindings = {
    CRM: { tenants: ["acme"], hosts: ["CRM.example.com", "crm.example.com:8443", "bücher.example"] },
    ALL: { tenants: ["*"], hosts: ["api.example.com."] },
  };
  const secrets = value(
    readToolSecrets({ TOOL_SECRETS: JSON.stringify(bindings), SECRET_CRM: " crm-value ", SECRET_ALL: "all-value" }),
  );

  it.each([
    ["CRM", "acme", "crm.example.com", "crm-value"],
    ["CRM", "acme", "crm.example.com.", "crm-value"],
    ["CRM", "acme", "crm.example.com:8443", "crm-value"],
    ["CRM", "acme", "xn--bcher-kva.example", "crm-value"],
    ["ALL", "whoever", "api.example.com", "all-value"],
    ["CRM", "evil", "crm.example.com", undefined],
    ["CRM", "ACME", "crm.example.com", undefined],
    ["CRM", "*", "crm.example.com", undefined],
    ["CRM", "acme", "crm.example.com:9443", undefined],
    ["CRM", "acme", "api.example.com", undefined],
    ["CRM", "acme", "evil-crm.example.com", undefined],
    ["CRM", "acme", "crm.example.com.evil.test", undefined],
    ["CRM", "acme", "a.crm.example.com", undefined],
    ["OTHER", "acme", "crm.example.com", undefined],
    ["constructor", "acme", "crm.example.com", undefined],
  ])("%s for %s at %s is %s", (name, tenant, host, expected) => {
    expect(boundSecret(secrets, name, tenant, host)).toBe(expected);
  });

  it("tells every error at once, and no secret", () => {
    const text = JSON.stringify({
      ONE: { tenants: ["acme"], hosts: ["https://x.test", "*.x.test", "x.test/path", "me@x.test", "x y"] },
      TWO: { tenants: ["acme"], hosts: ["x.test"] },
    });
    const read = readToolSecrets({ TOOL_SECRETS: text, SECRET_TWO: "sneaky\r\nx-more: 1" });
    expect(read).toMatchObject({ ok: false });
    const errors = read.ok ? [] : read.error;
    expect(errors.filter((one) => one.startsWith("TOOL_SECRETS: ONE.hosts."))).toHaveLength(5);
    expect(errors).toContainEqual(expect.stringContaining("SECRET_ONE is not set"));
    expect(errors).toContainEqual(expect.stringContaining("SECRET_TWO holds what no header can"));
    expect(errors.join()).not.toContain("sneaky");
  });

  it.each([
    ["no JSON", "TOOL_SECRETS is not JSON"],
    ["[]", "TOOL_SECRETS must be an object, not a list: write `{ "],
    ['{"crm":{"tenants":["*"],"hosts":["x.test"]}}', "capital letters"],
    ['{"CRM":{"tenants":["*","acme"],"hosts":["x.test"]}}', "TOOL_SECRETS: CRM.tenants"],
    ['{"CRM":{"tenants":[],"hosts":["x.test"]}}', "TOOL_SECRETS: CRM.tenants"],
    ['{"CRM":{"hosts":["x.test"]}}', "TOOL_SECRETS: CRM.tenants: must be"],
    ['{"CRM":{"tenants":["a"],"hosts":["x.test"],"value":"v"}}', "TOOL_SECRETS: CRM"],
  ])("%s is refused", (TOOL_SECRETS, message) => {
    expect(readToolSecrets({ TOOL_SECRETS, SECRET_CRM: "v" })).toEqual({
      ok: false,
      error: expect.arrayContaining([expect.stringContaining(message)]),
    });
  });

  it("nothing set is nothing bound", () => {
    expect(readToolSecrets({ SECRET_CRM: "v" })).toEqual({ ok: true, value: new Map() });
  });
});

describe("TOOL_DNS", () => {
  it.each([
    [undefined, "https://cloudflare-dns.com/dns-query"],
    ["off", undefined],
    [" https://dns.example/q ", "https://dns.example/q"],
  ])("%s is %s", (TOOL_DNS, expected) => {
    expect(readToolDns(TOOL_DNS === undefined ? {} : { TOOL_DNS })).toEqual({ ok: true, value: expected });
  });

  it.each(["1.1.1.1", "http://dns.example/q", "https://me:you@dns.example/q", "OFF!"])("%s is refused", (TOOL_DNS) => {
    expect(readToolDns({ TOOL_DNS })).toEqual({ ok: false, error: [expect.stringMatching(/^TOOL_DNS .*or `off`$/)] });
  });
});

it("CONNECTION_KEY is a ring of keys", () => {
  expect(readConnectionKey({})).toEqual({ ok: true, value: undefined });
  expect(value(readConnectionKey({ CONNECTION_KEY: `k2:${"b".repeat(32)},k1:${"a".repeat(32)}` }))?.signing).toBe("k2");
  expect(readConnectionKey({ CONNECTION_KEY: "k1:short" })).toEqual({
    ok: false,
    error: ["CONNECTION_KEY: the secret of connection key `k1` is shorter than 32 characters"],
  });
});

it("each is known by its kind", () => {
  expect(["TOOL_SECRETS", "TOOL_DNS", "CONNECTION_KEY", "SECRET_CRM_2", "SECRET_crm"].map(kindOfSetting)).toEqual([
    "plain",
    "plain",
    "secret",
    "secret",
    undefined,
  ]);
});
