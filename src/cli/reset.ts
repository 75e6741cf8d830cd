/** `npm run reset`: removes the local stores and what `npm start` remembers, unless a gateway is using them. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { askYesOrNo } from "./ask-terminal.ts";
import { programArguments } from "./program-arguments.ts";
import { readStateFolder } from "./settings.ts";
import { runningGateway, stateParts } from "./start/local-state.ts";

const usage = `npm run reset -- [--yes]
removes the local storage of \`npm start\`: audit trail, sessions, keys, policies that were pushed
  --yes   does not ask`;

const { yes } = programArguments(usage, { yes: { type: "boolean", default: false } });
const read = readStateFolder(process.env);

if (!read.ok) {
  console.error(read.error);
  process.exitCode = 1;
} else {
  process.exitCode = await reset(read.value);
}

async function reset(stateFolder: string): Promise<number> {
  const running = runningGateway(stateFolder);
  if (running !== undefined) {
    console.error(`a gateway runs on ${stateFolder} (pid ${running}): end it first`);
    return 1;
  }
  const parts = stateParts.map((part) => join(stateFolder, part)).filter((path) => existsSync(path));
  if (parts.length === 0) {
    console.log(`nothing to remove in ${stateFolder}`);
    return 0;
  }
  const agreed = yes || (await askYesOrNo(`remove ${parts.join(" and ")}?`));
  if (agreed === undefined) {
    console.error(
      `nothing was removed: there is no terminal to ask whether to remove ${parts.join(" and ")}; add --yes`,
    );
    return 1;
  }
  if (!agreed) {
    console.log("nothing was removed");
    return 0;
  }
  for (const path of parts) rmSync(path, { recursive: true });
  console.log(`removed ${parts.join(" and ")}`);
  return 0;
}
