/** `npm run policy -- <command>`: policies as files under version control. */
import { checkCommand, checkUsage } from "./policy/check-command.ts";
import { type Output, terminal } from "./policy/command.ts";
import { diffCommand, diffUsage } from "./policy/diff-command.ts";
import { pullCommand, pullUsage } from "./policy/pull-command.ts";
import { pushCommand, pushUsage } from "./policy/push-command.ts";
import { testCommand, testUsage } from "./policy/test-command.ts";

interface Command {
  readonly usage: string;
  readonly run: (args: readonly string[], out: Output) => number | Promise<number>;
}

const commands = new Map<string, Command>([
  ["test", { usage: testUsage, run: testCommand }],
  ["check", { usage: checkUsage, run: checkCommand }],
  ["push", { usage: pushUsage, run: pushCommand }],
  ["pull", { usage: pullUsage, run: pullCommand }],
  ["diff", { usage: diffUsage, run: diffCommand }],
]);

async function run([name = "", ...args]: readonly string[]): Promise<number> {
  const command = commands.get(name);
  if (!command) {
    const asked = ["help", "--help", "-h"].includes(name);
    (asked ? console.log : console.error)(
      ["usage: npm run policy --", ...[...commands.values()].map(({ usage }) => `  ${usage}`)].join("\n"),
    );
    return asked ? 0 : 2;
  }
  try {
    return await command.run(args, terminal);
  } catch (error) {
    if (!isArgumentError(error)) throw error;
    console.error(error.message);
    return terminal.usage(command.usage);
  }
}

/** What `parseArgs` throws. */
const isArgumentError = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS_");

process.exitCode = await run(process.argv.slice(2));
