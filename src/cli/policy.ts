/** `npm run policy -- <command>`, `toolgate policy <command>`: policies as files under version control. */
import { checkCommand } from "./policy/check-command.ts";
import { initCommand } from "./policy/init/init-command.ts";
import { replayCommand } from "./policy/lab/replay-command.ts";
import { simulateCommand } from "./policy/lab/simulate-command.ts";
import {
  diffCommand,
  pullCommand,
  pushCommand,
  resetCommand,
  rollbackCommand,
  versionsCommand,
} from "./policy/remote-commands.ts";
import { testCommand } from "./policy/test-command.ts";
import { programName } from "./program-arguments.ts";
import { runSubcommand } from "./subcommands.ts";

const commands = {
  test: testCommand,
  check: checkCommand,
  init: initCommand,
  push: pushCommand,
  reset: resetCommand,
  pull: pullCommand,
  versions: versionsCommand,
  rollback: rollbackCommand,
  diff: diffCommand,
  replay: replayCommand,
  simulate: simulateCommand,
};

process.exitCode = await runSubcommand(programName("npm run policy --", "policy"), commands, process.argv.slice(2));
