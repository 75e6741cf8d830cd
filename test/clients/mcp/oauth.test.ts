/** The official MCP client without a key: it finds the issuer, registers there, signs the person in, and calls a tool. */
import {
  Client,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type AuthorizationServer, startAuthorizationServer } from "../support/authorization-server.ts";
import { type Gateway, startGateway } from "../support/worker.ts";

/** As clients reach the gateway, and as tokens name it. */
const PUBLIC_URL = "https://gate.test";
const REDIRECT = "http://127.0.0.1:9/callback";

let issuer: AuthorizationServer;
let gateway: Gateway;

beforeAll(async () => {
  issuer = await startAuthorizationServer();
  const trusted = { issuer: issuer.issuer, audience: `${PUBLIC_URL}/mcp`, jwks: `${issuer.issuer}/jwks` };
  gateway = await startGateway({
    settings: {
      JWT_ISSUERS: JSON.stringify([{ ...trusted, tenant: "tenant-1" }]),
      SIGNING_KEYS: `k1:${"51".repeat(32)}`,
      PUBLIC_URL,
    },
  });
  const run = { kind: "http", method: "GET", url: `${issuer.issuer}/jwks`, allowPrivate: true };
  const read = { category: "read_only", description: "Read the keys", parameters: { type: "object" }, run };
  await gateway.key({ policy: { handshake: { select: "off" }, tools: { read_keys: read } } });
});
afterAll(async () => {
  await gateway?.stop();
  await issuer?.stop();
});

interface SignedIn extends OAuthClientProvider {
  /** Where the person is sent. */
  readonly sentTo: URL[];
}

/** A client of a program: what it learns is kept in memory. */
function newClient(): SignedIn {
  const kept: { client?: StoredOAuthClientInformation; tokens?: StoredOAuthTokens; verifier?: string } = {};
  const sentTo: URL[] = [];
  return {
    sentTo,
    redirectUrl: REDIRECT,
    clientMetadata: {
      redirect_uris: [REDIRECT],
      client_name: "a client that nobody has heard of",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code"],
      response_types: ["code"],
    },
    clientInformation: () => kept.client,
    saveClientInformation(client) {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens(tokens) {
      kept.tokens = tokens;
    },
    saveCodeVerifier(verifier) {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? "",
    redirectToAuthorization: (url) => void sentTo.push(url),
  };
}

const transportFor = (authProvider: OAuthClientProvider) => {
  const { origin } = new URL(gateway.baseURL);
  return new StreamableHTTPClientTransport(new URL(`${PUBLIC_URL}/mcp`), {
    authProvider,
    fetch: (url, init) => fetch(String(url).replace(PUBLIC_URL, origin), init),
  });
};

it("registers, signs in, and calls a tool with a token for this gateway alone", async () => {
  // The SDK misses a member that clients of one issuer need not have.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const provider = newClient();
  const first = new Client({ name: "test", version: "1" });
  const transport = transportFor(provider);
  await expect(first.connect(transport)).rejects.toThrow(UnauthorizedError);
  expect([...issuer.clients.values()].map(({ client_name: name }) => name)).toEqual([
    "a client that nobody has heard of",
  ]);
  const [page] = provider.sentTo;
  expect([page?.origin, page?.searchParams.get("resource")]).toEqual([issuer.issuer, `${PUBLIC_URL}/mcp`]);

  const back = await fetch(String(page), { redirect: "manual" });
  await transport.finishAuth(new URL(back.headers.get("location") ?? "").searchParams);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transportFor(provider));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["read_keys"]);
  const result = await client.callTool({ name: "read_keys", arguments: {} });
  expect([result.isError ?? false, JSON.stringify(result.content)]).toEqual([false, expect.stringContaining("ES256")]);
  expect(issuer.resources).toEqual([`${PUBLIC_URL}/mcp`]);
  await client.close();
});
