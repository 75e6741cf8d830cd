/**
 * Sign-in with an OpenID provider: authorization code with PKCE. The gateway makes the requests, so the page sends none to a third
 * party and never holds the client's secret.
 */
import type { AuthorizationServer, Client } from "oauth4webapi";
import { describeError, log } from "../lib/log.ts";
import { err, ok, type Result } from "../lib/result.ts";
import type { OidcClient } from "../settings/console.ts";
import type { SignInAnswer } from "./oidc-requests.ts";

export interface SignInProvider {
  /** The text of the button. */
  readonly name: string;
  /** The URL for the person; undefined if the provider's metadata cannot be read. */
  authorizationUrl(request: SignInRequest, now: number): Promise<string | undefined>;
  /** The token for the gateway's API. `refused`: the provider's answer does not belong to this sign-in. */
  exchange(answer: SignInAnswer, now: number): Promise<Result<SignInResult, "refused" | "unavailable">>;
}

interface SignInRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** S256 of a verifier that the page keeps to itself until the code is back. */
  readonly challenge: string;
}

interface SignInResult {
  readonly token: string;
  /** Seconds; undefined if the provider does not send it. */
  readonly expiresIn: number | undefined;
}

const METADATA_MS = 10 * 60_000;

/** The library is bundled, and evaluated only when a person signs in. */
const requests = () => import("./oidc-requests.ts");

export function oidcProvider(settings: OidcClient, fetcher: typeof fetch): SignInProvider {
  let known: { readonly server: AuthorizationServer; readonly at: number } | undefined;
  const client: Client = { client_id: settings.client_id };

  async function metadata(now: number): Promise<AuthorizationServer> {
    if (known && now < known.at + METADATA_MS) return known.server;
    const { discover } = await requests();
    known = { server: await discover(new URL(settings.issuer), fetcher), at: now };
    return known.server;
  }

  return {
    name: settings.name,
    async authorizationUrl(request, now) {
      try {
        const { authorization_endpoint: endpoint } = await metadata(now);
        return endpoint && authorizationUrl(endpoint, settings, request);
      } catch (error) {
        log("error", "sign_in_unavailable", { issuer: settings.issuer, ...describeError(error) });
        return undefined;
      }
    },
    async exchange(answer, now) {
      let server: AuthorizationServer;
      try {
        server = await metadata(now);
      } catch (error) {
        log("error", "sign_in_unavailable", { issuer: settings.issuer, ...describeError(error) });
        return err("unavailable");
      }
      try {
        const { redeem } = await requests();
        const tokens = await redeem({ server, client, settings, answer, fetcher });
        const token = settings.token === "id_token" ? tokens.id_token : tokens.access_token;
        return token === undefined ? err("refused") : ok({ token, expiresIn: tokens.expires_in });
      } catch (error) {
        log("warn", "sign_in_refused", { issuer: settings.issuer, ...describeError(error) });
        return err("refused");
      }
    },
  };
}

function authorizationUrl(endpoint: string, { client_id, scope }: OidcClient, request: SignInRequest): string {
  const url = new URL(endpoint);
  const parameters = {
    response_type: "code",
    client_id,
    scope,
    redirect_uri: request.redirectUri,
    state: request.state,
    nonce: request.nonce,
    code_challenge: request.challenge,
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
