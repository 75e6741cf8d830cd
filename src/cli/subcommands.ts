/** Programs of several commands: each command's options and arguments are declared once, and what is wrong with a command line is worded here. */
import { parseArgs } from "node:util";
import { didYouMean } from "../lib/text/nearest-name.ts";
import { DEFAULT_GATEWAY, type GatewayAddress, readGatewayAddress } from "./gateway-client.ts";
import { argumentProblem, asksForHelp, type Options, type Values } from "./program-arguments.ts";

/** The exit code, or that the command line is wrong: then the usage is printed. */
type CommandEnd = number | "usage";

interface Subcommand {
  /** Behind the program's name; more lines may follow. */
  readonly usage: string;
  readonly run: (args: readonly string[]) => Promise<CommandEnd>;
}

interface CommandParts<O extends Options> {
  readonly usage: string;
  readonly options: O;
  /** How many arguments have no name. Absent: none may. */
  readonly positionals?: readonly [least: number, most: number];
  readonly run: (values: Values<O>, positionals: readonly string[]) => CommandEnd | Promise<CommandEnd>;
}

export const command = <const O extends Options>({
  usage,
  options,
  positionals,
  run,
}: CommandParts<O>): Subcommand => ({
  usage,
  run: async (args) => {
    const read = parseArgs({ args: [...args], options, allowPositionals: positionals !== undefined });
    const [least, most] = positionals ?? [0, 0];
    const count = read.positionals.length;
    return count < least || count > most ? "usage" : run(read.values as Values<O>, read.positionals);
  },
});

/** Options of the commands that admins use on a tenant. */
export const adminOptions = {
  gateway: { type: "string", default: DEFAULT_GATEWAY },
  tenant: { type: "string" },
  json: { type: "boolean", default: false },
} as const satisfies Options;

/** @param url as `--gateway` gives it. */
export async function withGateway(
  url: string,
  run: (gateway: GatewayAddress) => number | Promise<number>,
): Promise<number> {
  const gateway = readGatewayAddress(url, process.env);
  return gateway.ok ? run(gateway.value) : fail(gateway.error);
}

/** @returns the exit code. */
export async function runSubcommand(
  program: string,
  commands: Readonly<Record<string, Subcommand>>,
  [name = "", ...args]: readonly string[],
): Promise<number> {
  // `| head` reads no more than it wants.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  const named = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!named) {
    const helps = name === "help" || asksForHelp([name]);
    if (!helps && name !== "") console.error(`unknown command \`${name}\`${didYouMean(name, Object.keys(commands))}`);
    const lines = Object.values(commands).map(({ usage }) => `  ${usage.replaceAll("\n", "\n    ")}`);
    (helps ? console.log : console.error)([`usage: ${program}`, ...lines].join("\n"));
    return helps ? 0 : 2;
  }
  const usage = `usage: ${program} ${named.usage}`;
  if (asksForHelp(args)) {
    console.log(usage);
    return 0;
  }
  const end = await named.run(args).catch((error: unknown): "usage" => {
    const options = [...named.usage.matchAll(/--([\w-]+)/g)].map(([, option = ""]) => option);
    const problem = argumentProblem(error, options);
    if (problem === undefined) throw error;
    console.error(problem);
    return "usage";
  });
  if (end !== "usage") return end;
  console.error(usage);
  return 2;
}

/** @returns the exit code. */
export function fail<const Code extends number = 1>(lines: readonly string[], exitCode = 1 as Code): Code {
  for (const line of lines) console.error(line);
  return exitCode;
}
