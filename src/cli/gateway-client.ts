/** A client of a gateway. Every failure comes back as lines for the person at the terminal. */
import { isLoopbackHost } from "../lib/host.ts";
import { isObject } from "../lib/json/json-value.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { visible } from "../lib/text/visible-text.ts";
import type { PolicyIssue } from "../policy/document/policy-issue.ts";

export type GatewayAnswer<T> = Promise<Result<T, readonly string[]>>;

interface GatewayRequest extends RequestInit {
  /** The object that a 400 refuses, in words. */
  readonly refused?: string;
}

interface ErrorBody {
  readonly message?: string;
  readonly code?: string | null;
  readonly errors?: readonly PolicyIssue[];
}

const TIMEOUT_MS = 30_000;

/** One request with the gateway's key; an answer that is no object of JSON is a failure. */
export async function requestGateway<T>(
  gateway: GatewayAddress,
  path: string,
  { refused = "the request", ...init }: GatewayRequest = {},
): GatewayAnswer<T> {
  try {
    const response = await fetch(`${gateway.url}${path}`, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${gateway.key}` },
      // The key is for this gateway alone.
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body: unknown = await response.json().catch(notJson);
    if (!response.ok)
      return err(
        refusalLines(response.status, isObject(body) && isObject(body.error) ? body.error : {}, {
          ...gateway,
          refused,
        }),
      );
    return isObject(body)
      ? ok(body as T)
      : err([`${gateway.url}${path} answers ${response.status}, but not with an object of JSON`]);
  } catch (error) {
    return err(connectionLines(gateway, error));
  }
}

interface ListPage<Entry> {
  readonly data: readonly Entry[];
  readonly last_id: string | null;
  readonly has_more: boolean;
}

const PAGE = 100;

/** Reads a list page by page. @param take gets the entries of each page as it comes. @param most entries. */
export async function readPages<Entry>(
  gateway: GatewayAddress,
  path: string,
  query: Readonly<Record<string, string>>,
  take: (entries: readonly Entry[]) => void,
  { most = Number.POSITIVE_INFINITY, ...request }: GatewayRequest & { readonly most?: number } = {},
): GatewayAnswer<undefined> {
  let after: string | undefined;
  for (let left = most; left > 0; ) {
    const limit = String(Math.min(PAGE, left));
    const params = new URLSearchParams({ ...query, limit, ...(after === undefined ? {} : { after }) });
    const page = await requestGateway<ListPage<Entry>>(gateway, `${path}?${params}`, request);
    if (!page.ok) return page;
    const { data, has_more: hasMore, last_id: last } = page.value;
    take(data);
    left -= data.length;
    if (!hasMore || last === null) break;
    after = last;
  }
  return ok(undefined);
}

function notJson(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error;
}

function refusalLines(
  status: number,
  { message, code, errors }: ErrorBody,
  { url, keyFrom, refused }: GatewayAddress & { readonly refused: string },
): readonly string[] {
  // It may quote untrusted text.
  const reason = visible(message ?? "no reason is given");
  switch (status) {
    case 400:
      return [
        `the gateway refuses ${refused}: ${reason}`,
        ...(errors ?? []).map((issue) => visible(`  ${issue.path || "/"}: ${issue.message}`)),
      ];
    case 401:
      return [`the gateway does not accept the key (${keyFrom}): ${reason}`, "set TOOLGATE_KEY to a key that it knows"];
    case 403:
      return [`the key (${keyFrom}) may not do this: ${reason}`];
    case 404:
      return [`${url} does not know this: ${reason}`];
    case 412:
      return [`the policy has changed in the meantime: ${reason}`, "look with `diff`, then `push` again"];
    default:
      return [`the gateway answers ${status}${code ? ` (${code})` : ""}: ${reason}`];
  }
}

export function connectionLines({ url }: GatewayAddress, error: unknown): readonly string[] {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === "TimeoutError") return [`${url} did not answer within ${TIMEOUT_MS / 1000} seconds`];
  if (cause?.code === "ECONNREFUSED")
    return [`nothing listens at ${url}: \`npm start\` starts a gateway on this machine`];
  if (cause?.code === "ENOTFOUND") return [`there is no host \`${hostOf(url)}\`: check --gateway`];
  return [`${url} cannot be reached: ${cause?.message ?? message}`];
}

export interface GatewayAddress {
  /** Without a slash at its end. */
  readonly url: string;
  /** Never printed. */
  readonly key: string;
  /** Where the key comes from, in words. */
  readonly keyFrom: string;
}

export const DEFAULT_GATEWAY = "http://localhost:8787";

/**
 * The key comes from the environment alone: a process list shows arguments to every user of the machine.
 * @param developmentKey used on this machine if the environment has no key.
 */
export function readGatewayAddress(
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
  developmentKey: "tg-dev-admin" | "tg-dev-user" = "tg-dev-admin",
): Result<GatewayAddress, readonly string[]> {
  const parsed = URL.parse(url);
  if (!parsed || !["http:", "https:"].includes(parsed.protocol)) {
    return err([`--gateway is \`${url}\`: it must be an http or https URL, such as ${DEFAULT_GATEWAY}`]);
  }
  if (parsed.username !== "" || parsed.password !== "")
    return err(["--gateway must hold no user name and no password"]);
  const address = `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, "").replace(/\/v1$/, "");
  const key = environment.TOOLGATE_KEY?.trim();
  if (key) {
    if (!/^[\x21-\x7e]+$/.test(key))
      return err(["TOOLGATE_KEY is not a key: it holds a space or a character that no key has"]);
    if (parsed.protocol === "http:" && !isLoopbackHost(parsed.hostname)) {
      return err([`${address} is not encrypted: the key would go over the network for all to read; use https`]);
    }
    return ok({ url: address, key, keyFrom: "TOOLGATE_KEY" });
  }
  if (!isLoopbackHost(parsed.hostname))
    return err([
      `TOOLGATE_KEY is not set: ${address} needs ${developmentKey === "tg-dev-admin" ? "an operator's key" : "a key"}`,
    ]);
  return ok({ url: address, key: developmentKey, keyFrom: "the development key, since TOOLGATE_KEY is not set" });
}

export const hostOf = (url: string): string => new URL(url).hostname;
