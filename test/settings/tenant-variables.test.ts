import { describe, expect, it } from "vitest";
import { HIDDEN, layTenantOver, readTenantVariables, shownVariables } from "../../src/settings/tenant-variables.ts";

const gateway = {
  UPSTREAM_BASE_URL: "https://shared.example/v1",
  UPSTREAM_API_KEY: "sk-shared",
  UPSTREAM_2_BASE_URL: "https://spare.example/v1",
  UPSTREAM_RETRIES: "1",
  EMBEDDINGS_BASE_URL: "https://vectors.example/v1",
  EMBEDDINGS_API_KEY: "sk-vectors",
  EMBEDDINGS_MODEL: "small",
  TOOL_SECRETS: '{"CRM":{"tenants":["*"],"hosts":["crm.example"]}}',
  SECRET_CRM: "shared-secret",
  SIGNING_KEYS: `a:${"s".repeat(32)}`,
  WEBHOOKS: '[{"url":"https://all.example/hook"}]',
};

const read = (given: Record<string, unknown>, stored = {}) =>
  readTenantVariables({ tenant: "acme", given, stored, gateway });
const values = (given: Record<string, unknown>, stored = {}) => {
  const found = read(given, stored);
  if (!found.ok) throw new Error(found.error.join("; "));
  return found.value;
};
const errors = (given: Record<string, unknown>) => {
  const found = read(given);
  return found.ok ? [] : found.error;
};

describe("the settings of a tenant", () => {
  it("never bring the gateway's key to another address", () => {
    const over: Record<string, unknown> = layTenantOver(
      gateway,
      "acme",
      values({ UPSTREAM_BASE_URL: "https://own.example/v1" }),
    );
    expect(over).toMatchObject({ UPSTREAM_BASE_URL: "https://own.example/v1", UPSTREAM_RETRIES: "1" });
    expect(over.UPSTREAM_API_KEY).toBeUndefined();
    expect(over.UPSTREAM_2_BASE_URL).toBeUndefined();
    expect(over.EMBEDDINGS_API_KEY).toBe("sk-vectors");
    const vectors = values({ EMBEDDINGS_BASE_URL: "https://own.example/v1", EMBEDDINGS_MODEL: "m" });
    expect(layTenantOver<Record<string, unknown>>(gateway, "acme", vectors).EMBEDDINGS_API_KEY).toBeUndefined();
    expect(errors({ TOOL_SECRETS: { CRM: { hosts: ["own.example"] } } })).toEqual([
      "SECRET_CRM is not set, but TOOL_SECRETS names it: write its value",
    ]);
  });

  it("leave what they do not name as it is for all", () => {
    expect(layTenantOver(gateway, "acme", {})).toEqual(gateway);
  });

  it("add to lists, and bind what they add to the tenant", () => {
    const own = values({
      WEBHOOKS: [{ url: "https://own.example/hook", tenant: "other" }],
      JWT_ISSUERS: [{ issuer: "https://id.example", audience: "a", jwks: "https://id.example/keys" }],
      TOOL_SECRETS: { OWN: { hosts: ["own.example"], tenants: ["*"] } },
      SECRET_OWN: "own-secret",
    });
    const over = layTenantOver<Record<string, string>>(gateway, "acme", own);
    expect(JSON.parse(over.WEBHOOKS ?? "")).toEqual([
      { url: "https://all.example/hook" },
      { url: "https://own.example/hook", tenant: "acme" },
    ]);
    expect(JSON.parse(over.JWT_ISSUERS ?? "")).toMatchObject([{ tenant: "acme" }]);
    expect(JSON.parse(over.TOOL_SECRETS ?? "")).toEqual({
      CRM: { tenants: ["*"], hosts: ["crm.example"] },
      OWN: { tenants: ["acme"], hosts: ["own.example"] },
    });
  });

  it("hide secrets where they are shown, and keep them where they come back hidden", () => {
    const own = values({
      UPSTREAM_BASE_URL: "https://own.example/v1",
      UPSTREAM_API_KEY: "sk-own",
      KEY_RATE_LIMIT: "5/1m",
    });
    const shown = shownVariables(own);
    expect(shown).toEqual({
      UPSTREAM_BASE_URL: "https://own.example/v1",
      UPSTREAM_API_KEY: HIDDEN,
      KEY_RATE_LIMIT: "5/1m",
    });
    expect(values(shown, own)).toEqual(own);
    expect(errors(shown)).toEqual(["UPSTREAM_API_KEY is `***`, but no secret of this name is stored: write its value"]);
  });

  it("are refused with every error, each naming its variable", () => {
    expect(errors({ AUDIT_KEY: "x", UPSTREAM_BASEURL: "y", WIDGETS: "z" })).toEqual([
      "AUDIT_KEY is a setting of the whole deployment: no tenant has one of its own",
      "UPSTREAM_BASEURL is no setting: did you mean `UPSTREAM_BASE_URL`?",
      "WIDGETS is no setting: remove it",
    ]);
    expect(
      errors({ UPSTREAM_BASE_URL: "ftp://x", KEY_RATE_LIMIT: "often", MAX_USER_TURNS: 0 }).map(
        (one) => one.split(/[ :]/)[0],
      ),
    ).toEqual(["UPSTREAM_BASE_URL", "KEY_RATE_LIMIT", "MAX_USER_TURNS"]);
    expect(errors({ SECRET_LOST: "x" })).toEqual([
      "SECRET_LOST is named by no entry of TOOL_SECRETS: add one, or remove it",
    ]);
  });
});
