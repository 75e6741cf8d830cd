/** A Cloudflare account as wrangler tells of it: takes its commands, keeps what they make, answers in their formats. */
import type { Answer, Wrangler } from "../../src/cli/deploy/cloudflare.ts";

export interface Account {
  readonly wrangler: Wrangler;
  readonly commands: (readonly string[])[];
  readonly secrets: Record<string, string>;
  readonly kv: Map<string, string>;
  /** Commands that fail. */
  failing: RegExp | undefined;
}

interface Options {
  readonly accounts?: readonly string[];
  readonly failing?: RegExp;
}

export function account({ accounts = ["me"], failing }: Options = {}): Account {
  const namespaces: string[] = [];
  const databases: string[] = [];
  let deployed = false;
  const self: Account = {
    commands: [],
    secrets: {},
    kv: new Map(),
    failing,
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
    if (command === "kv namespace list") return ok(namespaces.map((title) => ({ title, id: `id-of-${title}` })));
    if (command.startsWith("kv namespace create")) namespaces.push(args[3] ?? "");
    if (command === "d1 list --json") return ok(databases.map((name) => ({ name, uuid: `id-of-${name}` })));
    if (command.startsWith("d1 create")) databases.push(args[2] ?? "");
    if (command.startsWith("secret list")) {
      const names = Object.keys(self.secrets).map((name) => ({ name, type: "secret_text" }));
      if (deployed || names.length > 0) return ok(names);
      return { code: 1, stdout: "", stderr: 'Worker "toolgate" not found. [code: 10007]' };
    }
    if (command.startsWith("secret bulk")) Object.assign(self.secrets, JSON.parse(input));
    if (command.startsWith("kv key list")) return ok([...self.kv.keys()].map((name) => ({ name })));
    if (command.startsWith("kv key put")) self.kv.set(args[3] ?? "", args[4] ?? "");
    if (command.startsWith("deploy")) {
      deployed = true;
      return ok("Uploaded toolgate (3.1 sec)\nDeployed toolgate triggers\n  https://toolgate.me.workers.dev\n");
    }
    return ok();
  }
  return self;
}
