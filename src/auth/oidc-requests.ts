/** The requests of a sign-in to the provider. Load it with `import()`: the bundle then has no more of the library than is named here. */
import * as oauth from "oauth4webapi";
import type { OidcClient } from "../settings/console.ts";

const ANSWER_MS = 10_000;

const signal = (): AbortSignal => AbortSignal.timeout(ANSWER_MS);

/** The settings take an issuer without TLS only on this machine, under `npm start`. */
const insecure = (issuer: URL) => ({ [oauth.allowInsecureRequests]: issuer.protocol === "http:" });

/** Throws if the provider's metadata cannot be read, or is another's. */
export async function discover(issuer: URL, fetcher: typeof fetch): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(issuer, { [oauth.customFetch]: fetcher, signal, ...insecure(issuer) });
  return oauth.processDiscoveryResponse(issuer, response);
}

interface RedeemRequest {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly settings: OidcClient;
  readonly answer: SignInAnswer;
  readonly fetcher: typeof fetch;
}

/** Throws if state, issuer, nonce or the code are not those of this sign-in. */
export async function redeem({ server, client, settings, answer, fetcher }: RedeemRequest) {
  const { query, redirectUri, state, nonce, verifier } = answer;
  const parameters = oauth.validateAuthResponse(server, client, new URLSearchParams(query), state);
  const authentication: oauth.ClientAuth = settings.secret ? oauth.ClientSecretPost(settings.secret) : oauth.None();
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    parameters,
    redirectUri,
    verifier,
    { [oauth.customFetch]: fetcher, signal, ...insecure(new URL(settings.issuer)) },
  );
  const checks = { expectedNonce: nonce, requireIdToken: true };
  return oauth.processAuthorizationCodeResponse(server, client, response, checks);
}

export interface SignInAnswer {
  /** The query that the provider sent the person back with. */
  readonly query: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}
