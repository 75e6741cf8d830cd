/** Sign-in at the identity provider of the gateway's settings. The browser is redirected there and back; only the gateway talks to the provider. */
import { err, ok, type Result } from "../../lib/result.ts";
import { call, type Failure } from "../api/call.ts";
import { inTab } from "../shell/browser-storage.ts";
import type { Credential } from "./credential.ts";

const NAME = "toolgate.sign-in";

interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly persistent: boolean;
}

/** Leaves the page; returns only if that fails. */
export async function startSignIn(persistent: boolean): Promise<Failure | undefined> {
  const pending: PendingSignIn = { state: secret(), nonce: secret(), verifier: secret(), persistent };
  const { state, nonce, verifier } = pending;
  const body = { state, nonce, challenge: await challengeOf(verifier) };
  const where = await call<{ readonly url: string }>("/console/sign-in", { method: "POST", body });
  if (!where.ok) return where.error;
  inTab.setItem(NAME, JSON.stringify(pending));
  location.assign(where.value.url);
  return undefined;
}

const FOREIGN: Failure = {
  kind: "refused",
  status: 401,
  code: "sign_in_refused",
  message: "",
  param: null,
  errors: [],
};

/** @param query the query with which the provider sent the browser back. Its state must belong to this tab, and is accepted once. */
export async function finishSignIn(query: string): Promise<Result<Credential, Failure>> {
  const text = inTab.getItem(NAME);
  inTab.removeItem(NAME);
  if (text === null) return err(FOREIGN);
  const { persistent, ...pending } = JSON.parse(text) as PendingSignIn;
  if (new URLSearchParams(query).get("state") !== pending.state) return err(FOREIGN);
  const body = { ...pending, query };
  const signed = await call<{ readonly token: string }>("/console/token", { method: "POST", body });
  return signed.ok ? ok({ token: signed.value.token, persistent }) : signed;
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
