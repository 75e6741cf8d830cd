/** A program of several commands: finds the one that is named, and words what is wrong with a command line. */
import { didYouMean } from "../lib/text/nearest-name.ts";
import { argumentProblem, asksForHelp } from "./program-arguments.ts";

export interface Subcommand {
  /** Behind the program's name; more lines may follow. */
  readonly usage: string;
  /** @returns the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>;
}

export async function runSubcommand(
  program: string,
  commands: ReadonlyMap<string, Subcommand>,
  [name = "", ...args]: readonly string[],
): Promise<number> {
  // `| head` reads no more than it wants.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  const command = commands.get(name);
  if (!command) {
    const helps = name === "help" || asksForHelp([name]);
    if (!helps && name !== "") console.error(`unknown command \`${name}\`${didYouMean(name, commands.keys())}`);
    const lines = [...commands.values()].map(({ usage }) => `  ${usage.replaceAll("\n", "\n    ")}`);
    (helps ? console.log : console.error)([`usage: ${program}`, ...lines].join("\n"));
    return helps ? 0 : 2;
  }
  if (asksForHelp(args)) {
    console.log(`usage: ${program} ${command.usage}`);
    return 0;
  }
  try {
    return await command.run(args);
  } catch (error) {
    const options = [...command.usage.matchAll(/--([\w-]+)/g)].map(([, option = ""]) => option);
    const problem = argumentProblem(error, options);
    if (problem === undefined) throw error;
    console.error(problem);
    return printUsage(program, command);
  }
}

/** @returns the exit code of a wrong command line. */
export function printUsage(program: string, { usage }: Pick<Subcommand, "usage">): 2 {
  console.error(`usage: ${program} ${usage}`);
  return 2;
}

export function fail(lines: readonly string[]): 1 {
  for (const line of lines) console.error(line);
  return 1;
}
