/** A Cloudflare account as wrangler tells of it: takes its commands, keeps what they make, answers in their formats. */
import type { Answer, CloudflareApi, Wrangler } from "../../../src/cli/deploy/cloudflare.ts";
import type { GatewayAnswer, SmokeOptions } from "../../../src/cli/deploy/smoke.ts";
import { sha256Hex } from "../../../src/lib/digest.ts";

export interface Account {
  readonly wrangler: Wrangler;
  readonly api: CloudflareApi;
  /** Undefined: none is registered. */
  subdomain: string | undefined;
  readonly commands: (readonly string[])[];
  readonly secrets: Record<string, string>;
  /** What deployments from this machine keep. */
  keptKeys: Readonly<Record<string, string>>;
  readonly kv: Map<string, string>;
  /** Commands that fail. */
  failing: RegExp | undefined;
  /** The gateway as it is asked after a deployment. */
  readonly gateway: Pick<SmokeOptions, "get" | "now" | "wait">;
  /** What it answers, path by path, in place of what one that works does; the last answer again and again. */
  readonly answers: Record<string, GatewayAnswer[]>;
  /** What it was asked, and when: the clock goes on while somebody waits. */
  readonly asked: string[];
}

interface Options {
  readonly accounts?: readonly string[];
  readonly failing?: RegExp;
  /** Of workers.dev; null: the account has none yet. */
  readonly subdomain?: string | null;
  /** Of workers.dev, and others'. */
  readonly taken?: readonly string[];
  /** What the API answers every request with. */
  readonly refusal?: { readonly status: number; readonly code: number; readonly message: string };
}

/** What wrangler tells as its own credentials. */
export const TOKEN = "oauth-very-secret";

export function account(options: Options = {}): Account {
  const { accounts = ["me"], failing, subdomain = "me", taken = [], refusal } = options;
  const namespaces: string[] = [];
  const databases: string[] = [];
  /** Queues and buckets. */
  const made = new Set<string>();
  let deployed = false;
  let clock = 0;
  const self: Account = {
    commands: [],
    secrets: {},
    keptKeys: {},
    kv: new Map(),
    failing,
    subdomain: subdomain ?? undefined,
    answers: {},
    asked: [],
    gateway: {
      now: () => clock,
      wait: async (ms) => {
        clock += ms;
      },
      async get(url, token) {
        const { origin, pathname, search } = new URL(url);
        self.asked.push(`${origin}${pathname}${search}${token === undefined ? "" : " with a key"}`);
        const scripted = self.answers[pathname];
        const answer = scripted && (scripted.length > 1 ? scripted.shift() : scripted[0]);
        if (answer) return answer;
        if (pathname === "/health") return { status: 200, text: '{"status":"ok","audit":"ok"}' };
        const known = token !== undefined && self.kv.has(`key:${sha256Hex(token)}`);
        return known ? { status: 200, text: "{}" } : { status: 401, text: "no such key" };
      },
    },
    async api(method, path, credentials, body) {
      self.commands.push(["api", method, path]);
      const refuse = (status: number, code: number, message: string) => ({
        status,
        result: null,
        error: { code, message },
      });
      if (refusal) return refuse(refusal.status, refusal.code, refusal.message);
      if (credentials.authorization !== `Bearer ${TOKEN}`) return refuse(403, 10000, "Authentication error");
      if (path !== `/accounts/${accounts[0]}/workers/subdomain`) return refuse(404, 7003, "no route");
      const { subdomain: wanted = "" } = (body ?? {}) as { subdomain?: string };
      if (method === "PUT" && taken.includes(wanted)) return refuse(409, 10031, "Subdomain is unavailable");
      if (method === "PUT") self.subdomain = wanted;
      if (self.subdomain === undefined) return refuse(404, 10007, "no subdomain");
      return { status: 200, result: { subdomain: self.subdomain }, error: undefined };
    },
    async wrangler(args, input = "") {
      self.commands.push(args);
      const command = args.join(" ");
      if (self.failing?.test(command)) return { code: 1, stdout: "", stderr: "no such luck" };
      return answer(args, command, input);
    },
  };

  function answer(args: readonly string[], command: string, input: string): Answer {
    const ok = (value: unknown = ""): Answer => ({
      code: 0,
      stdout: typeof value === "string" ? value : JSON.stringify(value),
      stderr: "",
    });
    if (command === "whoami --json")
      return accounts.length === 0
        ? { ...ok({ loggedIn: false }), code: 1 }
        : ok({ loggedIn: true, accounts: accounts.map((name) => ({ name, id: name })) });
    if (command === "auth token --json") return ok({ type: "oauth", token: TOKEN });
    if (command === "kv namespace list") return ok(namespaces.map((title) => ({ title, id: `id-of-${title}` })));
    if (command.startsWith("kv namespace create")) namespaces.push(args[3] ?? "");
    if (command === "d1 list --json") return ok(databases.map((name) => ({ name, uuid: `id-of-${name}` })));
    if (command.startsWith("d1 create")) databases.push(args[2] ?? "");
    const [, create] = /^(queues|r2 bucket) create/.exec(command) ?? [];
    if (create !== undefined) {
      const name = `${create} ${args[create === "queues" ? 2 : 3]}`;
      if (made.has(name)) return { code: 1, stdout: "", stderr: `${name} already exists. [code: 11009]` };
      made.add(name);
    }
    if (command.startsWith("secret list")) {
      const names = Object.keys(self.secrets).map((name) => ({ name, type: "secret_text" }));
      if (deployed || names.length > 0) return ok(names);
      return { code: 1, stdout: "", stderr: 'Worker "toolgate" not found. [code: 10007]' };
    }
    if (command.startsWith("secret bulk")) Object.assign(self.secrets, JSON.parse(input));
    if (command.startsWith("kv key list")) return ok([...self.kv.keys()].map((name) => ({ name })));
    if (command.startsWith("kv key put")) self.kv.set(args[3] ?? "", args[4] ?? "");
    if (command.startsWith("kv key delete")) self.kv.delete(args[3] ?? "");
    if (command.startsWith("deploy")) {
      deployed = true;
      return ok("Uploaded toolgate (3.1 sec)\nDeployed toolgate triggers\n  https://toolgate.me.workers.dev\n");
    }
    return ok();
  }
  return self;
}
