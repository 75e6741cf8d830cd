import { describe, expect, it } from "vitest";
import { issuerKeys } from "../../../src/auth/issuer-keys.ts";
import { verifyJwt } from "../../../src/http/authenticate/jwt.ts";
import { readAccess } from "../../../src/settings/access.ts";
import { believing, type Claims, type Issuer, issuer } from "../../worker/identity/issuer.ts";

const NOW = Math.floor(Date.now() / 1000);
const DAY = 86_400;
const from = await issuer("ES256");

/** The code of the refusal; `ok` where the token is believed. */
async function verdict(claims: Claims = {}, header: Claims = {}, settings: Claims = {}, by: Issuer = from) {
  const access = readAccess(believing(from, settings)("acme"));
  if (!access.ok) throw new Error(access.error.join());
  const keys = issuerKeys((async (url: string) => from.serve(new Request(url))) as typeof fetch);
  const token = await by.token({ iat: NOW, exp: NOW + 600, ...claims }, header);
  const deps = { access: access.value, tenantIssuers: undefined, issuerKeys: keys };
  const verified = await verifyJwt(token, deps, NOW * 1000);
  return verified.ok ? "ok" : verified.error.code;
}

describe("a token", () => {
  it("is believed from its issuer, for its audience, until it expires", async () => {
    expect(await verdict()).toBe("ok");
    expect(await verdict({ aud: ["other", "toolgate"] })).toBe("ok");
    expect(await verdict({ exp: NOW + 1 })).toBe("ok");
  });

  it("for another audience, or for none, is not", async () => {
    for (const aud of ["other", "Toolgate", "toolgate ", [], ["other"], undefined])
      expect(await verdict({ aud })).toBe("token_audience");
  });

  it("without an end, or past it, is not", async () => {
    expect(await verdict({ exp: undefined })).toBe("token_claims");
    expect(await verdict({ exp: null })).toBe("token_claims");
    expect(await verdict({ exp: NOW - 11 })).toBe("token_expired");
  });

  it("of another issuer, or of another's key, is not", async () => {
    expect(await verdict({ iss: "https://evil.example/" })).toBe("token_issuer");
    const forger = await issuer("ES256", from.url);
    expect(await verdict({}, {}, {}, forger)).toBe("token_key_unknown");
  });
});

describe("the lifetime of a token", () => {
  it("is 30 days at most, from its issue and from now on", async () => {
    expect(await verdict({ exp: NOW + 30 * DAY })).toBe("ok");
    expect(await verdict({ exp: NOW + 30 * DAY + 1 })).toBe("token_lifetime");
    // Issued long ago: it is refused now as it was then.
    expect(await verdict({ iat: NOW - 30 * DAY, exp: NOW + 1 })).toBe("token_lifetime");
    for (const exp of [1e308, Number.MAX_SAFE_INTEGER, NOW * 1000])
      expect(await verdict({ exp })).toBe("token_lifetime");
  });

  it("is counted from now where the token does not say when it was issued, or says a later time", async () => {
    expect(await verdict({ iat: undefined, exp: NOW + 30 * DAY })).toBe("ok");
    expect(await verdict({ iat: undefined, exp: NOW + 30 * DAY + 11 })).toBe("token_lifetime");
    expect(await verdict({ iat: NOW + 5, exp: NOW + 5 + 30 * DAY })).toBe("ok");
    expect(await verdict({ iat: NOW + 400 * DAY, exp: NOW + 401 * DAY })).toBe("token_lifetime");
    expect(await verdict({ iat: "now" })).toBe("token_claims");
  });

  it("is what the settings say", async () => {
    expect(await verdict({ exp: NOW + 365 * DAY }, {}, { maxLifetime: "365d" })).toBe("ok");
    expect(await verdict({ exp: NOW + 600 }, {}, { maxLifetime: "5m" })).toBe("token_lifetime");
  });
});

describe("the type of a token", () => {
  it.each([undefined, "JWT", "jwt", "at+jwt", "application/at+jwt"])("may be %j", async (typ) => {
    expect(await verdict({}, typ === undefined ? {} : { typ })).toBe("ok");
  });

  it.each(["logout+jwt", "dpop+jwt", "secevent+jwt", "JWT ", "at+jwt+x", "", 7, null])("cannot be %j", async (typ) => {
    expect(await verdict({}, { typ })).toBe("token_type");
  });
});
