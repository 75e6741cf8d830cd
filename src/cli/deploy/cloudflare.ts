/** The requests of a deployment to Cloudflare, through wrangler or its API. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "../settings.ts";
import { placeFlags, type StorePlace } from "./place.ts";

export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a wrangler command. @param input goes to its standard input, so that secrets are in no argument and no file. */
export type Wrangler = (args: readonly string[], input?: string) => Promise<Answer>;

export const wrangler: Wrangler = (args, input = "") =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, "node_modules/wrangler/bin/wrangler.js"), ...args], {
      cwd: root,
      // CI: wrangler asks nothing and prints no advice.
      env: { ...process.env, CI: "1", NO_COLOR: "1", WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, stdout, stderr }));
  });

class WranglerFailed extends Error {}

export interface CloudflareAccount {
  readonly id: string;
  readonly name: string;
}

/** `hidden`: the login may not see it. */
type Subdomain = { readonly kind: "is"; readonly name: string } | { readonly kind: "none" | "hidden" };

export type Cloudflare = ReturnType<typeof cloudflare>;

/** Codes of the API. */
const NO_SUBDOMAIN = 10007;
const UNAVAILABLE = 10031;

/** @param config path of the configuration that is deployed. */
export function cloudflare(run: Wrangler, api: CloudflareApi, config: string) {
  const must = async (args: readonly string[], input?: string): Promise<string> => {
    const answer = await run(args, input);
    if (answer.code === 0) return answer.stdout;
    throw new WranglerFailed(`wrangler ${args.slice(0, 3).join(" ")} failed:\n${answer.stdout}${answer.stderr}`.trim());
  };
  const own = ["--config", config];
  /** Headers; never printed. */
  const credentials = async (): Promise<Record<string, string>> => {
    const token = parseSecret<WranglerToken>(await must(["auth", "token", "--json"]));
    if (token.type === "api_key") return { "x-auth-key": token.key, "x-auth-email": token.email };
    return { authorization: `Bearer ${token.token}` };
  };
  return {
    /** The accounts that the login may use; empty if there is no login. */
    async accounts(): Promise<readonly CloudflareAccount[]> {
      const answer = await run(["whoami", "--json"]);
      if (answer.code !== 0) return [];
      return parseJson<{ accounts?: CloudflareAccount[] }>(answer.stdout).accounts ?? [];
    },
    /** The account's workers.dev subdomain. */
    async subdomain(account: string): Promise<Subdomain> {
      const { status, error, result } = await api("GET", subdomainOf(account), await credentials());
      if (!error) return { kind: "is", name: (result as { subdomain: string }).subdomain };
      if (error.code === NO_SUBDOMAIN) return { kind: "none" };
      if (status === 401 || status === 403) return { kind: "hidden" };
      throw new Error(`Cloudflare does not tell the account's subdomain: ${errorText(status, error)}`);
    },
    /** @returns why not; undefined if it is registered now. */
    async registerSubdomain(account: string, name: string): Promise<string | undefined> {
      const { status, error } = await api("PUT", subdomainOf(account), await credentials(), { subdomain: name });
      if (!error) return undefined;
      return error.code === UNAVAILABLE ? "somebody else has it" : errorText(status, error);
    },
    async kvNamespaces(): Promise<ReadonlyMap<string, string>> {
      const list = parseJson<{ id: string; title: string }[]>(await must(["kv", "namespace", "list"]));
      return new Map(list.map(({ title, id }) => [title, id]));
    },
    async createKv(title: string): Promise<void> {
      await must(["kv", "namespace", "create", title]);
    },
    async databases(): Promise<ReadonlyMap<string, string>> {
      const list = parseJson<{ uuid: string; name: string }[]>(await must(["d1", "list", "--json"]));
      return new Map(list.map(({ name, uuid }) => [name, uuid]));
    },
    async createDatabase(name: string, place: StorePlace): Promise<void> {
      await must(["d1", "create", name, ...placeFlags(place)]);
    },
    /** @returns whether it existed already. */
    async ensureQueue(name: string): Promise<boolean> {
      return ensure(await run(["queues", "create", name]), `queue \`${name}\``);
    },
    async ensureBucket(name: string, place: StorePlace): Promise<boolean> {
      return ensure(await run(["r2", "bucket", "create", name, ...placeFlags(place)]), `bucket \`${name}\``);
    },
    migrate: (database: string) => must(["d1", "migrations", "apply", database, "--remote", ...own]),
    /** Undefined if there is no such Worker yet. */
    async secretNames(): Promise<readonly string[] | undefined> {
      const answer = await run(["secret", "list", "--format", "json", ...own]);
      if (answer.code !== 0) {
        // The only failure that is an answer: all others must not look like a Worker without secrets.
        if (/not found|does not exist|10007/i.test(answer.stdout + answer.stderr)) return undefined;
        throw new WranglerFailed(`wrangler secret list failed:\n${answer.stdout}${answer.stderr}`.trim());
      }
      return parseJson<{ name: string }[]>(answer.stdout).map(({ name }) => name);
    },
    async putSecrets(secrets: Readonly<Record<string, string>>): Promise<void> {
      await must(["secret", "bulk", ...own], JSON.stringify(secrets));
    },
    async hasKeys(namespace: string): Promise<boolean> {
      const text = await must(["kv", "key", "list", "--namespace-id", namespace, "--prefix", "key:", "--remote"]);
      return parseJson<unknown[]>(text).length > 0;
    },
    async putKv(namespace: string, key: string, value: string): Promise<void> {
      await must(["kv", "key", "put", key, value, "--namespace-id", namespace, "--remote"]);
    },
    async deleteKv(namespace: string, key: string): Promise<void> {
      await must(["kv", "key", "delete", key, "--namespace-id", namespace, "--remote"]);
    },
    /** @returns wrangler's output. */
    deploy: (flags: readonly string[] = []) => must(["deploy", ...own, ...flags]),
  };
}

/** Neither list is printed as JSON. */
function ensure({ code, stdout, stderr }: Answer, what: string): boolean {
  if (code === 0) return false;
  if (/already (exists|taken|own)|11009|10004/i.test(stdout + stderr)) return true;
  throw new WranglerFailed(`wrangler cannot create the ${what}:\n${stdout}${stderr}`.trim());
}

type WranglerToken =
  | { readonly type: "oauth" | "api_token"; readonly token: string }
  | { readonly type: "api_key"; readonly key: string; readonly email: string };

const subdomainOf = (account: string): string => `/accounts/${encodeURIComponent(account)}/workers/subdomain`;

const errorText = (status: number, { code, message }: NonNullable<ApiAnswer["error"]>): string =>
  `${message ?? "no reason is given"} (${code ?? status})`;

function parseJson<T>(text: string): T {
  try {
    return parseSecret(text);
  } catch {
    throw new WranglerFailed(`wrangler's answer is no JSON: ${text.slice(0, 200)}`);
  }
}

/** Wrangler may print a notice before its JSON. No error cites the text. */
function parseSecret<T>(text: string): T {
  const start = text.search(/^[[{]/m);
  try {
    return JSON.parse(text.slice(Math.max(start, 0))) as T;
  } catch {
    throw new WranglerFailed("wrangler's answer is no JSON");
  }
}

interface ApiAnswer {
  readonly status: number;
  readonly result: unknown;
  /** The code of the first error; undefined if there is none. */
  readonly error: { readonly code?: number; readonly message?: string } | undefined;
}

/** @param credentials headers that authenticate the request. */
export type CloudflareApi = (
  method: "GET" | "PUT",
  path: string,
  credentials: Readonly<Record<string, string>>,
  body?: unknown,
) => Promise<ApiAnswer>;

const BASE = "https://api.cloudflare.com/client/v4";
const WITHIN_MS = 30_000;

/** @param base as wrangler takes it from CLOUDFLARE_API_BASE_URL. */
export const cloudflareApi =
  (base = BASE): CloudflareApi =>
  async (method, path, credentials, body) => {
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: { ...credentials, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // The credentials are for this host alone.
        redirect: "error",
        signal: AbortSignal.timeout(WITHIN_MS),
      });
      const { result, errors = [] } = (await response.json()) as {
        readonly result?: unknown;
        readonly errors?: readonly NonNullable<ApiAnswer["error"]>[];
      };
      return { status: response.status, result, error: errors[0] ?? (response.ok ? undefined : {}) };
    } catch (error) {
      const { message, cause } = error as Error & { cause?: { message?: string } };
      throw new Error(`Cloudflare's API cannot be asked (${method} ${path}): ${cause?.message ?? message}`);
    }
  };
