/** Signing in at the provider that the gateway's settings name. Only the gateway talks to it; the page goes there and back. */
import { err, type Result } from "../../lib/result.ts";
import { call, type Failure } from "../api/call.ts";
import { inTab } from "../shell/browser-storage.ts";

const NAME = "toolgate.sign-in";

interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly kept: boolean;
}

/** Leaves the page; answers only where that fails. */
export async function startSignIn(kept: boolean): Promise<Failure | undefined> {
  const begun: PendingSignIn = { state: secret(), nonce: secret(), verifier: secret(), kept };
  const { state, nonce, verifier } = begun;
  const body = { state, nonce, challenge: await challengeOf(verifier) };
  const where = await call<{ readonly url: string }>("/console/sign-in", { method: "POST", body });
  if (!where.ok) return where.error;
  inTab.set(NAME, JSON.stringify(begun));
  location.assign(where.value.url);
  return undefined;
}

export interface SignInResult {
  readonly token: string;
  readonly kept: boolean;
}

/** @param query what the provider sent the person back with. The state is of this tab, and counts once. */
export async function finishSignIn(query: string): Promise<Result<SignInResult, Failure>> {
  const text = inTab.get(NAME);
  inTab.remove(NAME);
  const foreign = {
    kind: "refused",
    status: 401,
    code: "sign_in_refused",
    message: "",
    param: null,
    errors: [],
  } as const;
  if (text === null) return err(foreign);
  const { kept, ...begun } = JSON.parse(text) as PendingSignIn;
  if (new URLSearchParams(query).get("state") !== begun.state) return err(foreign);
  const signed = await call<{ readonly token: string }>("/console/token", {
    method: "POST",
    body: { ...begun, query },
  });
  return signed.ok ? { ok: true, value: { token: signed.value.token, kept } } : signed;
}

const secret = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

async function challengeOf(verifier: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
}

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
