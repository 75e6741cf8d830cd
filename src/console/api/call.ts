/** Sends one request to the gateway's API, with the signed-in user's key. */

import { isObject, objectsIn } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { correctClock } from "../inbox/clock.ts";
import { credential, signOut } from "../sign-in/credential.ts";
import { language } from "../texts/texts.ts";

interface CallOptions {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly body?: unknown;
  /** Digest of the version that the page has read: a newer version is not overwritten. Null: there was none. */
  readonly ifVersion?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Replaces the signed-in user's key. */
  readonly token?: string | undefined;
}

/** The body is not checked against its type. The page draws it as text, so a wrong body shows nonsense at worst. */
export async function call<T>(path: string, options: CallOptions = {}): Promise<Result<T, Failure>> {
  const response = await send(path, options);
  if (!response) return err({ kind: "unreachable" });
  const body: unknown = await response.json().catch(() => undefined);
  // Success without a JSON body is not from the gateway: a network with a sign-in page of its own answers like this.
  if (response.ok && (typeof body !== "object" || body === null)) return err({ kind: "unreachable" });
  return response.ok ? ok(body as T) : err(readFailure(response.status, body));
}

/** Undefined if there was no response. A key that the gateway no longer accepts signs the user out. */
export async function send(
  path: string,
  { method = "GET", body, ifVersion, headers: more = {}, signal, token: other }: CallOptions,
): Promise<Response | undefined> {
  const token = other ?? credential.peek()?.token;
  const headers = new Headers({ "accept-language": language, ...more });
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("content-type", "application/json");
  if (ifVersion === null) headers.set("if-none-match", "*");
  else if (ifVersion !== undefined) headers.set("if-match", `"${ifVersion}"`);
  try {
    const response = await fetch(path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
      cache: "no-store",
      credentials: "omit",
    });
    correctClock(response.headers.get("date"));
    if (response.status === 401 && token !== undefined && credential.peek()?.token === token) signOut("refused");
    return response;
  } catch {
    return undefined;
  }
}

export type Failure =
  /** No response: no network, or no gateway. */
  | { readonly kind: "unreachable" }
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly code: string;
      /** The gateway's message. */
      readonly message: string;
      readonly param: string | null;
      readonly errors: readonly { readonly path: string; readonly message: string }[];
    };

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** @param body untrusted: a proxy may have answered. */
export function readFailure(status: number, body: unknown): Failure {
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  const errors = objectsIn(error.errors);
  return {
    kind: "refused",
    status,
    code: textOf(error.code),
    message: textOf(error.message),
    param: textOf(error.param) || null,
    errors: errors.map((one) => ({ path: textOf(one.path), message: textOf(one.message) })),
  };
}
