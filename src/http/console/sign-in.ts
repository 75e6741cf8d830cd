/** `POST /console/sign-in` and `/console/token`: the start and the end of a sign-in at the provider that the settings name. */
import type { Context } from "hono";
import * as z from "zod";
import type { Deps } from "../../deps.ts";
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { once } from "../../lib/once.ts";
import { err, ok } from "../../lib/result.ts";
import { takeUse, type Uses } from "../../stores/objects/meter-window.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { networkOf } from "../network.ts";
import { notFound, type Problem, tooManyRequests, unauthorized, unavailable } from "../problem.ts";
import { readJson } from "../read-json.ts";

/** The caller is not authenticated: only a code and its parameters are read. */
const MAX_BYTES = 16_384;

const secret = once(() => z.string().regex(/^[\w\-.~]{22,128}$/));
const beginBody = {
  schema: once(() => z.strictObject({ state: secret(), nonce: secret(), challenge: secret() })),
  example: '`{ "state": "…", "nonce": "…", "challenge": "…" }`',
};
const endBody = {
  schema: once(() =>
    z.strictObject({ query: z.string().max(8192), state: secret(), nonce: secret(), verifier: secret() }),
  ),
  example: '`{ "query": "…", "state": "…", "nonce": "…", "verifier": "…" }`',
};

const noProvider = notFound("sign-in: the settings name no `CONSOLE_OIDC`");
const unreachable = unavailable("sign_in_unavailable", "the sign-in provider cannot be reached; try again later");

export async function beginSignIn(c: Context<AppEnv>, { signIn, now }: Deps): Promise<HandlerResult> {
  if (!signIn) return err(noProvider);
  const body = await readJson(c.req.raw, MAX_BYTES, beginBody);
  if (!body.ok) return body;
  const url = await signIn.authorizationUrl({ ...body.value, redirectUri: redirectUri(c) }, now());
  return url === undefined ? err(unreachable) : ok({ url });
}

export async function endSignIn(c: Context<AppEnv>, { signIn, now }: Deps): Promise<HandlerResult> {
  if (!signIn) return err(noProvider);
  const body = await readJson(c.req.raw, MAX_BYTES, endBody);
  if (!body.ok) return body;
  const signed = await signIn.exchange({ ...body.value, redirectUri: redirectUri(c) }, now());
  if (signed.ok) return ok({ token: signed.value.token, expires_in: signed.value.expiresIn ?? null });
  return err(
    signed.error === "unavailable"
      ? unreachable
      : unauthorized("sign_in_refused", "the provider did not confirm this sign-in; begin again"),
  );
}

/** The provider must know it; it refuses a made-up host. */
const redirectUri = (c: Context<AppEnv>): string => new URL("/console/signed-in", c.req.url).href;

/** A person needs two requests, and may try again. */
const LIMIT = { max: 20, windowMs: 60_000 };
/** Request times per network. */
const USES_BYTES = 100 + 16 * LIMIT.max;

/** Undefined if the request is admitted. */
type SignInLimit = (headers: Headers, now: number) => Problem | undefined;

export function signInLimit(): SignInLimit {
  const windows = boundedCache<Uses>({ maxBytes: CACHE_BYTES.signIns });
  return (headers, now) => {
    const network = networkOf(headers);
    const uses = windows.get(network) ?? [];
    const { allowed, retryMs } = takeUse(uses, LIMIT, now);
    windows.set(network, uses, USES_BYTES);
    if (allowed) return undefined;
    const seconds = Math.max(1, Math.ceil(retryMs / 1000));
    const message = `an address may send ${LIMIT.max} sign-in requests a minute; try again in ${seconds} s`;
    return tooManyRequests("sign_in_rate_limited", message, seconds);
  };
}
