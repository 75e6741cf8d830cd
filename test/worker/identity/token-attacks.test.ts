/**
 * Attacks on JWTs, one a test: each is refused with a code of its own, and nothing of it reaches the model.
 * @module-tag attack/tokens
 */
import { exportJWK, exportSPKI } from "jose";
import { describe, expect, it } from "vitest";
import { type Gateway, gateway } from "../support/gateway.ts";
import { says, user } from "../support/script.ts";
import { AUDIENCE, believing, type Issuer, issuer, signWith } from "./issuer.ts";

const elsewhere: string[] = [];

async function open(alg = "RS256", more = {}): Promise<{ gate: Gateway; from: Issuer }> {
  elsewhere.length = 0;
  const from = await issuer(alg);
  const serve = (request: Request) => {
    elsewhere.push(request.url);
    return from.serve(request);
  };
  const gate = await gateway({ upstream: says({ text: "ok" }), elsewhere: serve, variables: believing(from, more) });
  return { gate, from };
}

/** The code with which the token is refused; the model is not reached. */
async function refusal(gate: Gateway, key: string): Promise<[number, string]> {
  const json = { model: "m", messages: [user("hi")] };
  const response = await gate.fetch("/v1/chat/completions", { json, key });
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  expect(gate.sent).toEqual([]);
  expect(error.message).not.toContain(key);
  if (response.status === 401) expect(response.headers.get("www-authenticate")).toContain("Bearer");
  return [response.status, error.code];
}

const encode = (value: unknown) =>
  btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const seconds = () => Math.floor(Date.now() / 1000);

describe("a token", () => {
  it("that is in order opens, so that the refusals below are theirs", { tags: ["control"] }, async () => {
    const { gate, from } = await open();
    const json = { model: "m", messages: [user("hi")] };
    expect((await gate.fetch("/v1/chat/completions", { json, key: await from.token() })).status).toBe(200);
  });

  it("forged with a key of the forger's own is refused", async () => {
    const { gate, from } = await open();
    const forger = await issuer("RS256", from.url);
    const header = JSON.parse(atob((await from.token()).split(".")[0] ?? "")) as object;
    expect(await refusal(gate, await forger.token({}, { ...header }))).toEqual([401, "token_signature"]);
  });

  it("changed after it was signed is refused", async () => {
    const { gate, from } = await open();
    const [header, , signature] = (await from.token()).split(".");
    const claims = { iss: from.url, aud: AUDIENCE, sub: "ada", role: "admin", exp: seconds() + 600 };
    expect(await refusal(gate, `${header}.${encode(claims)}.${signature}`)).toEqual([401, "token_signature"]);
  });

  it("that has expired is refused", async () => {
    const { gate, from } = await open();
    expect(await refusal(gate, await from.token({ exp: seconds() - 11 }))).toEqual([401, "token_expired"]);
  });

  it("that is not valid yet is refused", async () => {
    const { gate, from } = await open();
    expect(await refusal(gate, await from.token({ nbf: seconds() + 60 }))).toEqual([401, "token_not_yet_valid"]);
  });

  it.each([
    ["exp", undefined],
    ["exp", "soon"],
    ["sub", undefined],
    ["sub", ""],
    ["sub", 7],
    ["sub", "a\u200b"],
  ])("whose claim `%s` is %j is refused", async (claim, value) => {
    const { gate, from } = await open();
    expect(await refusal(gate, await from.token({ [claim]: value }))).toEqual([401, "token_claims"]);
  });

  it.each(["none", "None", "NONE", "nOnE", ""])("with `alg: %s` is refused", async (alg) => {
    const { gate, from } = await open();
    const claims = encode({ iss: from.url, aud: AUDIENCE, sub: "ada", role: "admin", exp: seconds() + 600 });
    const refused = await refusal(gate, `${encode({ alg, typ: "JWT" })}.${claims}.`);
    expect(refused).toEqual([401, "token_algorithm"]);
    const signed = (await from.token()).split(".")[2];
    expect(await refusal(gate, `${encode({ alg, typ: "JWT" })}.${claims}.${signed}`)).toEqual(refused);
  });

  it.each(["HS256", "HS384", "HS512"])(
    "signed with %s and the RSA public key (key confusion) is refused",
    async (alg) => {
      const { gate, from } = await open();
      const key = await from.publicKey();
      const { kid } = JSON.parse(atob((await from.token()).split(".")[0] ?? "")) as { kid: string };
      const jwk = await exportJWK(key);
      for (const secret of [await exportSPKI(key), JSON.stringify(jwk), jwk.n ?? ""]) {
        const forged = await signWith(new TextEncoder().encode(secret), { iss: from.url }, { alg, kid });
        expect(await refusal(gate, forged)).toEqual([401, "token_algorithm"]);
      }
    },
  );

  it("signed with an algorithm that the settings do not name is refused", async () => {
    const { gate, from } = await open("PS256", { algorithms: ["RS256"] });
    expect(await refusal(gate, await from.token())).toEqual([401, "token_algorithm"]);
  });

  it.each(["https://evil.example/", "https://login.example.com", undefined])(
    "of the issuer %s is refused",
    async (iss) => {
      const { gate, from } = await open();
      expect(await refusal(gate, await from.token({ iss }))).toEqual([401, "token_issuer"]);
      expect(elsewhere).toEqual([]);
    },
  );

  it.each(["another-app", "Toolgate", undefined, ["a", "b"], []])("for the audience %j is refused", async (aud) => {
    const { gate, from } = await open();
    expect(await refusal(gate, await from.token({ aud }))).toEqual([401, "token_audience"]);
  });

  it.each([1e308, seconds() + 31 * 86_400])("that is valid until %d is refused", async (exp) => {
    const { gate, from } = await open();
    expect(await refusal(gate, await from.token({ exp }))).toEqual([401, "token_lifetime"]);
  });

  it.each(["logout+jwt", "dpop+jwt", "JWE", "", 7])("of the type %j is refused", async (typ) => {
    const { gate, from } = await open();
    expect(await refusal(gate, await from.token({}, { typ }))).toEqual([401, "token_type"]);
  });

  it("that demands an extension (`crit`) is refused", async () => {
    const { gate, from } = await open();
    const token = await from.token({}, { crit: ["urn:x"], "urn:x": "y" });
    expect(await refusal(gate, token)).toEqual([401, "token_unsupported"]);
  });

  it("that brings its own key (`jwk`, `jku`, `x5u`, `x5c`) is checked with the issuer's, and no address of it is asked", async () => {
    const { gate, from } = await open();
    const forger = await issuer("RS256", from.url);
    const header = JSON.parse(atob((await from.token()).split(".")[0] ?? "")) as object;
    const own = {
      jwk: await exportJWK(await forger.publicKey()),
      jku: "https://evil.example/jwks",
      x5u: "https://evil.example/x",
    };
    expect(await refusal(gate, await forger.token({}, { ...header, ...own }))).toEqual([401, "token_signature"]);
    expect(elsewhere).toEqual([from.jwks]);
  });

  it("with a key id that the issuer does not have is refused", async () => {
    const { gate, from } = await open();
    expect(await refusal(gate, await from.token({}, { kid: "../../etc/passwd" }))).toEqual([401, "token_key_unknown"]);
  });

  it("of more than 8 KiB is refused unread", async () => {
    const { gate, from } = await open();
    expect(await refusal(gate, await from.token({ padding: "x".repeat(8192) }))).toEqual([431, "token_too_large"]);
  });

  it.each(["a.b.c", "e30.e30.e30", "..", "%.%.%", `${btoa("[]")}.${btoa("[]")}.x`])(
    "that is no JWT is refused: %s",
    async (token) => {
      const { gate } = await open();
      const [status, code] = await refusal(gate, token);
      expect([status, code]).toEqual([401, expect.stringMatching(/^token_(malformed|issuer)$/)]);
    },
  );

  it("whose claims name another tenant stays in its issuer's", async () => {
    const { gate, from } = await open();
    const key = await from.token({ role: "admin", tenant: "other", tid: "other" });
    const response = await gate.fetch("/admin/keys?tenant=other", { key });
    expect([response.status, await response.json()]).toMatchObject([403, { error: { code: "tenant_forbidden" } }]);
  });

  it("of an issuer whose keys cannot be had opens nothing", async () => {
    const { gate, from } = await open();
    from.down = true;
    expect(await refusal(gate, await from.token())).toEqual([503, "keys_unavailable"]);
  });

  it("in another place than the header opens nothing", async () => {
    const { gate, from } = await open();
    const token = await from.token();
    const headers = { authorization: "", cookie: `authorization=Bearer ${token}`, "x-api-key": token };
    expect((await gate.fetch(`/v1/models?access_token=${token}`, { headers })).status).toBe(401);
  });
});
