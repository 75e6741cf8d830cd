import { describe, expect, test } from "vitest";
import { type Gateway, gateway } from "../support/gateway.ts";
import { AUDIENCE, believing, type Claims, type Issuer, issuer } from "./issuer.ts";

const ORIGIN = "https://gateway.test";
const REDIRECT = `${ORIGIN}/console/signed-in`;

interface Provider {
  readonly gateway: Gateway;
  readonly issuer: Issuer;
  /** Bodies of token requests. */
  readonly asked: URLSearchParams[];
  readonly begin: (body?: Record<string, unknown>) => Promise<Response>;
  readonly end: (body?: Record<string, unknown>) => Promise<Response>;
}

const state = "state-aaaaaaaaaaaaaaaaaaaaaaaa";
const nonce = "nonce-aaaaaaaaaaaaaaaaaaaaaaaa";
const verifier = "verifier-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

interface ProviderOptions {
  readonly claims?: Claims;
  readonly oidc?: Record<string, unknown>;
  readonly secret?: string;
  readonly tokenStatus?: number;
}

async function provider(options: ProviderOptions = {}): Promise<Provider> {
  const login = await issuer("RS256", "https://login.example.com/");
  const asked: URLSearchParams[] = [];
  const metadata = {
    issuer: login.url,
    authorization_endpoint: "https://login.example.com/authorize?prompt=login",
    token_endpoint: "https://login.example.com/token",
    jwks_uri: login.jwks,
  };
  async function serve(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/.well-known/openid-configuration") return Response.json(metadata);
    if (pathname !== "/token") return login.serve(request);
    asked.push(new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer())));
    if (options.tokenStatus) return Response.json({ error: "invalid_grant" }, { status: options.tokenStatus });
    const id_token = await login.token({ nonce, ...options.claims });
    return Response.json({ access_token: "opaque", token_type: "bearer", expires_in: 600, id_token });
  }
  const made = await gateway({
    elsewhere: serve,
    variables: (tenant) => ({
      ...believing(login)(tenant),
      CONSOLE_OIDC: JSON.stringify({ issuer: login.url, client_id: AUDIENCE, ...options.oidc }),
      ...(options.secret ? { CONSOLE_OIDC_SECRET: options.secret } : {}),
    }),
  });
  const post = (path: string, json: unknown) =>
    made.fetch(path, { json, headers: { authorization: "" }, origin: ORIGIN });
  return {
    gateway: made,
    issuer: login,
    asked,
    begin: (body = {}) => post("/console/sign-in", { state, nonce, challenge: "c".repeat(43), ...body }),
    end: (body = {}) => post("/console/token", { state, nonce, verifier, query: `code=abc&state=${state}`, ...body }),
  };
}

const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;

describe("signing in at the provider", () => {
  test("begins where its metadata say, with everything that binds the answer to the page", async () => {
    const { begin } = await provider({ oidc: { scope: "openid email" } });
    const { url } = (await (await begin()).json()) as { url: string };
    const { origin, pathname, searchParams } = new URL(url);
    expect(`${origin}${pathname}`).toBe("https://login.example.com/authorize");
    expect(Object.fromEntries(searchParams)).toEqual({
      prompt: "login",
      response_type: "code",
      client_id: AUDIENCE,
      scope: "openid email",
      redirect_uri: REDIRECT,
      state,
      nonce,
      code_challenge: "c".repeat(43),
      code_challenge_method: "S256",
    });
  });

  test("ends with a token that the API takes", async () => {
    const { end, asked, gateway: made } = await provider();
    const signed = await end();
    expect(signed.status).toBe(200);
    const { token, expires_in } = (await signed.json()) as { token: string; expires_in: number };
    expect(expires_in).toBe(600);
    const me = await made.fetch("/v1/me", { key: token });
    expect(await me.json()).toMatchObject({ user: "jwt:ada", role: "user" });
    expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
      grant_type: "authorization_code",
      code: "abc",
      code_verifier: verifier,
      redirect_uri: REDIRECT,
      client_id: AUDIENCE,
    });
    expect(asked[0]?.has("client_secret")).toBe(false);
  });

  test("a confidential client's secret goes to the provider alone", async () => {
    const { end, begin, asked } = await provider({ secret: "s3cret-of-the-client" });
    const signed = await end();
    expect(asked[0]?.get("client_secret")).toBe("s3cret-of-the-client");
    expect(await signed.text()).not.toContain("s3cret");
    expect(await (await begin()).text()).not.toContain("s3cret");
  });

  test("the access token is used where the settings say so", async () => {
    const { end } = await provider({ oidc: { token: "access_token" } });
    expect(await (await end()).json()).toMatchObject({ token: "opaque" });
  });

  test.each([
    ["another state", { query: "code=abc&state=of-somebody-else" }, {}],
    ["no state", { query: "code=abc" }, {}],
    ["an error of the provider", { query: `error=access_denied&state=${state}` }, {}],
    ["another issuer's answer", { query: `code=abc&state=${state}&iss=https://evil.example` }, {}],
    ["another nonce", {}, { claims: { nonce: "nonce-of-another-sign-in-aaaaaa" } }],
    ["no nonce", {}, { claims: { nonce: undefined } }],
    ["a token for another client", {}, { claims: { aud: "another" } }],
    ["a token of another issuer", {}, { claims: { iss: "https://evil.example/" } }],
    ["an expired token", {}, { claims: { exp: 1_000 } }],
    ["a code that the provider does not take", {}, { tokenStatus: 400 }],
  ])("refuses %s", async (_what, body, options) => {
    const { end } = await provider(options as ProviderOptions);
    const refused = await end(body);
    expect(refused.status).toBe(401);
    expect(await codeOf(refused)).toBe("sign_in_refused");
  });

  test.each([
    [{ state: "short" }],
    [{ verifier: undefined }],
    [{ nonce: 7 }],
    [{ extra: "x" }],
    [{ query: "x".repeat(10_000) }],
  ])("asks nobody for a body such as %j", async (body) => {
    const { end, asked } = await provider();
    expect((await end(body)).status).toBe(400);
    expect(asked).toHaveLength(0);
  });

  test("a provider out of reach is said to be", async () => {
    const made = await gateway({
      elsewhere: () => new Response("down", { status: 503 }),
      variables: { CONSOLE_OIDC: JSON.stringify({ issuer: "https://login.example.com", client_id: "x" }) },
    });
    const begun = await made.fetch("/console/sign-in", { json: { state, nonce, challenge: "c".repeat(43) } });
    expect(begun.status).toBe(503);
    expect(await codeOf(begun)).toBe("sign_in_unavailable");
  });

  test("is not there where no provider is named", async () => {
    const made = await gateway();
    const begun = await made.fetch("/console/sign-in", { json: { state, nonce, challenge: "c".repeat(43) } });
    expect(begun.status).toBe(404);
  });
});

describe("an address that signs in very often", () => {
  test("is told to wait, and the provider is not asked; others are served", async () => {
    const { gateway: gate, asked } = await provider();
    const json = { state, nonce, verifier, query: `code=abc&state=${state}` };
    const from = (address: string) =>
      gate.fetch("/console/token", {
        json,
        headers: { authorization: "", "cf-connecting-ip": address },
        origin: ORIGIN,
      });
    for (let n = 0; n < 20; n++) expect((await from(`2001:db8::${n.toString(16)}`)).status).toBe(200);
    const late = await from("2001:db8::ffff:1");
    expect([late.status, await codeOf(late)]).toEqual([429, "sign_in_rate_limited"]);
    expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(asked.length).toBe(20);
    expect((await from("2001:db8:0:1::1")).status).toBe(200);
    expect((await from("192.0.2.1")).status).toBe(200);
  });
});
