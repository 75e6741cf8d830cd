/** `npm run policy -- <command>`: policies as files under version control. */
import { didYouMean } from "../lib/text/nearest-name.ts";
import { checkCommand, checkUsage } from "./policy/check-command.ts";
import { type Output, terminal } from "./policy/command.ts";
import { initCommand, initUsage } from "./policy/init/init-command.ts";
import { diffCommand, diffUsage, pullCommand, pullUsage, pushCommand, pushUsage } from "./policy/remote-commands.ts";
import { testCommand, testUsage } from "./policy/test-command.ts";
import { argumentProblem, asksForHelp } from "./program-arguments.ts";

interface Command {
  readonly usage: string;
  readonly run: (args: readonly string[], out: Output) => number | Promise<number>;
}

const commands = new Map<string, Command>([
  ["test", { usage: testUsage, run: testCommand }],
  ["check", { usage: checkUsage, run: checkCommand }],
  ["init", { usage: initUsage, run: initCommand }],
  ["push", { usage: pushUsage, run: pushCommand }],
  ["pull", { usage: pullUsage, run: pullCommand }],
  ["diff", { usage: diffUsage, run: diffCommand }],
]);

async function run([name = "", ...args]: readonly string[]): Promise<number> {
  const command = commands.get(name);
  if (!command) {
    const helps = name === "help" || asksForHelp([name]);
    if (!helps && name !== "") console.error(`unknown command \`${name}\`${didYouMean(name, commands.keys())}`);
    (helps ? console.log : console.error)(
      ["usage: npm run policy --", ...[...commands.values()].map(({ usage }) => `  ${usage}`)].join("\n"),
    );
    return helps ? 0 : 2;
  }
  if (asksForHelp(args)) {
    console.log(`usage: npm run policy -- ${command.usage}`);
    return 0;
  }
  try {
    return await command.run(args, terminal);
  } catch (error) {
    const problem = argumentProblem(error, optionsIn(command.usage));
    if (problem === undefined) throw error;
    console.error(problem);
    return terminal.usage(command.usage);
  }
}

const optionsIn = (usage: string): string[] => [...usage.matchAll(/--([\w-]+)/g)].map(([, name = ""]) => name);

process.exitCode = await run(process.argv.slice(2));
