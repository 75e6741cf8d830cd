/** `npm run policy -- <command>`, `toolgate policy <command>`: policies as files under version control. */
import { checkCommand, checkUsage } from "./policy/check-command.ts";
import { type Output, terminal } from "./policy/command.ts";
import { initCommand, initUsage } from "./policy/init/init-command.ts";
import { replayCommand, replayUsage } from "./policy/lab/replay-command.ts";
import { simulateCommand, simulateUsage } from "./policy/lab/simulate-command.ts";
import {
  diffCommand,
  diffUsage,
  pullCommand,
  pullUsage,
  pushCommand,
  pushUsage,
  resetCommand,
  resetUsage,
} from "./policy/remote-commands.ts";
import { testCommand, testUsage } from "./policy/test-command.ts";
import { rollbackCommand, rollbackUsage, versionsCommand, versionsUsage } from "./policy/version-commands.ts";
import { programName } from "./program-name.ts";
import { runSubcommand, type Subcommand } from "./subcommands.ts";

type Run = (args: readonly string[], out: Output) => number | Promise<number>;

const command = (usage: string, run: Run): Subcommand => ({ usage, run: async (args) => run(args, terminal) });

const commands = new Map([
  ["test", command(testUsage, testCommand)],
  ["check", command(checkUsage, checkCommand)],
  ["init", command(initUsage, initCommand)],
  ["push", command(pushUsage, pushCommand)],
  ["reset", command(resetUsage, resetCommand)],
  ["pull", command(pullUsage, pullCommand)],
  ["versions", command(versionsUsage, versionsCommand)],
  ["rollback", command(rollbackUsage, rollbackCommand)],
  ["diff", command(diffUsage, diffCommand)],
  ["replay", command(replayUsage, replayCommand)],
  ["simulate", command(simulateUsage, simulateCommand)],
]);

process.exitCode = await runSubcommand(programName("npm run policy --", "policy"), commands, process.argv.slice(2));
