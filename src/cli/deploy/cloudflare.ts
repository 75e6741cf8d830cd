/** What a deployment asks of Cloudflare, by way of wrangler. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "../settings.ts";

export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a wrangler command. @param input goes to its standard input: secrets stand in no argument and no file. */
export type Wrangler = (args: readonly string[], input?: string) => Promise<Answer>;

export const wrangler: Wrangler = (args, input = "") =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, "node_modules/wrangler/bin/wrangler.js"), ...args], {
      cwd: root,
      // CI: no questions. What a person must know is told by us.
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

export class WranglerFailed extends Error {}

export interface Cloudflare {
  /** Names of the accounts that the login may use; empty where nobody is logged in. */
  accounts(): Promise<readonly string[]>;
  kvNamespaces(): Promise<ReadonlyMap<string, string>>;
  createKv(title: string): Promise<void>;
  databases(): Promise<ReadonlyMap<string, string>>;
  createDatabase(name: string): Promise<void>;
  migrate(database: string): Promise<string>;
  /** Undefined where there is no such Worker yet. */
  secretNames(): Promise<readonly string[] | undefined>;
  putSecrets(secrets: Readonly<Record<string, string>>): Promise<void>;
  hasKeys(namespace: string): Promise<boolean>;
  putKv(namespace: string, key: string, value: string): Promise<void>;
  /** @returns what wrangler said. */
  deploy(flags?: readonly string[]): Promise<string>;
}

/** @param config path of the configuration that is deployed. */
export function cloudflare(run: Wrangler, config: string): Cloudflare {
  const must = async (args: readonly string[], input?: string): Promise<string> => {
    const answer = await run(args, input);
    if (answer.code === 0) return answer.stdout;
    throw new WranglerFailed(`wrangler ${args.slice(0, 3).join(" ")} failed:\n${answer.stdout}${answer.stderr}`.trim());
  };
  const own = ["--config", config];
  return {
    async accounts() {
      const answer = await run(["whoami", "--json"]);
      if (answer.code !== 0) return [];
      const { accounts = [] } = parseJson<{ accounts?: { name: string }[] }>(answer.stdout);
      return accounts.map(({ name }) => name);
    },
    async kvNamespaces() {
      const list = parseJson<{ id: string; title: string }[]>(await must(["kv", "namespace", "list"]));
      return new Map(list.map(({ title, id }) => [title, id]));
    },
    async createKv(title) {
      await must(["kv", "namespace", "create", title]);
    },
    async databases() {
      const list = parseJson<{ uuid: string; name: string }[]>(await must(["d1", "list", "--json"]));
      return new Map(list.map(({ name, uuid }) => [name, uuid]));
    },
    async createDatabase(name) {
      await must(["d1", "create", name]);
    },
    migrate: (database) => must(["d1", "migrations", "apply", database, "--remote", ...own]),
    async secretNames() {
      const answer = await run(["secret", "list", "--format", "json", ...own]);
      if (answer.code !== 0) {
        // The only failure that is an answer: all others must not look like a Worker without secrets.
        if (/not found|does not exist|10007/i.test(answer.stdout + answer.stderr)) return undefined;
        throw new WranglerFailed(`wrangler secret list failed:\n${answer.stdout}${answer.stderr}`.trim());
      }
      return parseJson<{ name: string }[]>(answer.stdout).map(({ name }) => name);
    },
    async putSecrets(secrets) {
      await must(["secret", "bulk", ...own], JSON.stringify(secrets));
    },
    async hasKeys(namespace) {
      const text = await must(["kv", "key", "list", "--namespace-id", namespace, "--prefix", "key:", "--remote"]);
      return parseJson<unknown[]>(text).length > 0;
    },
    async putKv(namespace, key, value) {
      await must(["kv", "key", "put", key, value, "--namespace-id", namespace, "--remote"]);
    },
    deploy: (flags = []) => must(["deploy", ...own, ...flags]),
  };
}

/** Wrangler may print a notice before its JSON. */
function parseJson<T>(text: string): T {
  const start = text.search(/^[[{]/m);
  try {
    return JSON.parse(text.slice(Math.max(start, 0))) as T;
  } catch {
    throw new WranglerFailed(`wrangler's answer is no JSON: ${text.slice(0, 200)}`);
  }
}
