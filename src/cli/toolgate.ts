/** `toolgate <command>`: all programs for operators and users as one. Each is loaded only when it is needed. */
import { didYouMean } from "../lib/text/nearest-name.ts";
import { isMissingRuntime, missingRuntime } from "./local/runtime-packages.ts";
import { asksForHelp } from "./program-arguments.ts";

interface Command {
  readonly does: string;
  /** @returns the exit code; undefined if the program sets it itself. */
  readonly run: (args: readonly string[]) => Promise<number | undefined>;
}

const commands = new Map<string, Command>([
  ["start", { does: "serves a gateway on this machine", run: startGateway }],
  [
    "chat",
    {
      does: "a conversation with a gateway",
      run: async (args) => (await import("./chat/chat-command.ts")).chatCommand(args),
    },
  ],
  [
    "mcp",
    {
      does: "serves a gateway's tools to a local MCP client",
      run: async (args) => (await import("./mcp-stdio.ts")).mcpCommand(args),
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

async function startGateway(args: readonly string[]): Promise<number | undefined> {
  const missing = asksForHelp(args) ? [] : missingRuntime();
  for (const line of missing) console.error(line);
  return missing.length > 0 ? 1 : runProgram(args, () => import("./start.ts"));
}

/** A program that reads the command line itself, and sets the exit code. */
async function runProgram(args: readonly string[], load: () => Promise<unknown>): Promise<undefined> {
  process.argv = [...process.argv.slice(0, 2), ...args];
  await load();
}

async function runCommand({ run }: Command, args: readonly string[]): Promise<number | undefined> {
  try {
    return await run(args);
  } catch (error) {
    if (!isMissingRuntime(error)) throw error;
    for (const line of missingRuntime()) console.error(line);
    return 1;
  }
}

async function main([name = "", ...args]: readonly string[]): Promise<number | undefined> {
  const command = commands.get(name);
  if (command) return runCommand(command, args);
  const helps = name === "help" || asksForHelp([name]);
  if (!helps && name !== "") console.error(`unknown command \`${name}\`${didYouMean(name, commands.keys())}`);
  (helps ? console.log : console.error)(usage);
  return helps ? 0 : 2;
}

const exitCode = await main(process.argv.slice(2));
if (exitCode !== undefined) process.exitCode = exitCode;
