/**
 * A small authorization server: OAuth 2.1 with PKCE, registration of clients that it has not heard of (RFC 7591), and tokens for the
 * resource that the client names (RFC 8707). Whoever is sent to it is signed in as Ada.
 */
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

export interface AuthorizationServer {
  readonly issuer: string;
  /** Clients that have registered. */
  readonly clients: Map<string, RegisteredClient>;
  /** What each token was made for. */
  readonly resources: string[];
  stop(): Promise<void>;
}

interface RegisteredClient {
  readonly redirect_uris: readonly string[];
  readonly client_name?: string;
}

interface Grant {
  readonly client: string;
  readonly challenge: string;
  readonly resource: string;
  readonly redirect: string;
}

export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256", use: "sig" };
  const clients = new Map<string, RegisteredClient>();
  const grants = new Map<string, Grant>();
  const resources: string[] = [];

  const routes: Record<string, (url: URL, body: string, response: ServerResponse) => void | Promise<void>> = {
    "GET /.well-known/oauth-authorization-server": (_, __, response) =>
      json(response, 200, {
        issuer: server.issuer,
        authorization_endpoint: `${server.issuer}/authorize`,
        token_endpoint: `${server.issuer}/token`,
        registration_endpoint: `${server.issuer}/register`,
        jwks_uri: `${server.issuer}/jwks`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      }),
    "GET /jwks": (_, __, response) => json(response, 200, { keys: [jwk] }),
    "POST /register": (_, body, response) => {
      const client = JSON.parse(body) as RegisteredClient;
      const id = randomUUID();
      clients.set(id, client);
      json(response, 201, { ...client, client_id: id, client_id_issued_at: 1 });
    },
    "GET /authorize": ({ searchParams: asked }, _, response) => {
      const redirect = asked.get("redirect_uri") ?? "";
      const id = asked.get("client_id") ?? "";
      const challenge = asked.get("code_challenge");
      const isKnown = clients.get(id)?.redirect_uris.includes(redirect);
      if (!isKnown || challenge === null || asked.get("code_challenge_method") !== "S256")
        return json(response, 400, { error: "invalid_request" });
      const code = randomUUID();
      grants.set(code, { client: id, challenge, resource: asked.get("resource") ?? "", redirect });
      const back = new URL(redirect);
      back.searchParams.set("code", code);
      back.searchParams.set("state", asked.get("state") ?? "");
      response.writeHead(302, { location: back.href }).end();
    },
    "POST /token": async (_, body, response) => {
      const asked = new URLSearchParams(body);
      const grant = grants.get(asked.get("code") ?? "");
      grants.delete(asked.get("code") ?? "");
      const proof = createHash("sha256")
        .update(asked.get("code_verifier") ?? "")
        .digest("base64url");
      const isGranted = grant?.client === asked.get("client_id") && grant?.redirect === asked.get("redirect_uri");
      if (!grant || !isGranted || grant.challenge !== proof || grant.resource !== asked.get("resource"))
        return json(response, 400, { error: "invalid_grant" });
      resources.push(grant.resource);
      const token = await new SignJWT({ role: "user" })
        .setProtectedHeader({ alg: "ES256", kid: "k1", typ: "at+jwt" })
        .setIssuer(server.issuer)
        .setAudience(grant.resource)
        .setSubject("ada")
        .setIssuedAt()
        .setExpirationTime("5m")
        .sign(privateKey);
      json(response, 200, { access_token: token, token_type: "Bearer", expires_in: 300 });
    },
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", server.issuer);
    const body = await text(request);
    await (routes[`${request.method} ${url.pathname}`]?.(url, body, response) ??
      json(response, 404, { error: "not_found" }));
  };
  const listener = createServer((request, response) => {
    handle(request, response).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const server: AuthorizationServer = {
    issuer: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    clients,
    resources,
    stop: () => new Promise((resolve) => listener.close(() => resolve())),
  };
  return server;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
