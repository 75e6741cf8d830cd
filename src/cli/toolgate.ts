/** `toolgate <command>`: all programs for operators and users as one. Each is loaded only where it is asked for. */
import { didYouMean } from "../lib/text/nearest-name.ts";
import { asksForHelp } from "./program-arguments.ts";

interface Command {
  readonly does: string;
  /** @returns the exit code; undefined where the program ends by itself. */
  readonly run: (args: readonly string[]) => Promise<number | undefined>;
}

const commands = new Map<string, Command>([
  ["start", { does: "serves a gateway on this machine", run: start }],
  [
    "chat",
    {
      does: "a conversation with a gateway",
      run: async (args) => (await import("./chat/chat-command.ts")).chatCommand(args),
    },
  ],
  [
    "policy",
    {
      does: "check, test, init, push, pull and diff of policies",
      run: (args) => runProgram(args, () => import("./policy.ts")),
    },
  ],
  [
    "audit",
    {
      does: "tail, query and verify of the audit trail",
      run: async (args) => (await import("./audit/audit-command.ts")).auditCommand(args),
    },
  ],
  [
    "keys",
    {
      does: "list, create, show, rotate and revoke of keys",
      run: async (args) => (await import("./keys/keys-command.ts")).keysCommand(args),
    },
  ],
]);

const usage = [
  "usage: toolgate <command>",
  ...[...commands].map(([name, { does }]) => `  ${name.padEnd(8)} ${does}`),
  "toolgate <command> --help says more",
].join("\n");

/** A program that reads the command line itself, and sets the exit code. */
async function runProgram(args: readonly string[], load: () => Promise<unknown>): Promise<undefined> {
  process.argv = [...process.argv.slice(0, 2), ...args];
  await load();
}

/** What runs the Worker on this machine. The package leaves it out: most who install it have no use for it. */
const RUNTIME = ["wrangler", "miniflare", "esbuild"];

/** Serves, where what it takes is installed. */
async function start(args: readonly string[]): Promise<number | undefined> {
  if (RUNTIME.every(isInstalled)) return runProgram(args, () => import("./start.ts"));
  console.error(`\`toolgate start\` runs the gateway in workerd: npm install ${RUNTIME.join(" ")}`);
  return 1;
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

async function main([name = "", ...args]: readonly string[]): Promise<number | undefined> {
  const command = commands.get(name);
  if (command) return command.run(args);
  const helps = name === "help" || asksForHelp([name]);
  if (!helps && name !== "") console.error(`unknown command \`${name}\`${didYouMean(name, commands.keys())}`);
  (helps ? console.log : console.error)(usage);
  return helps ? 0 : 2;
}

const exitCode = await main(process.argv.slice(2));
if (exitCode !== undefined) process.exitCode = exitCode;
