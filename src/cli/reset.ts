/** `npm run reset`: forgets the local stores and what `npm start` remembers, unless a gateway is using them. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runningGateway, stateParts } from "./local-state.ts";
import { readSettings } from "./settings.ts";

// Of the settings only the folder matters here.
const read = readSettings({ TOOLGATE_STATE: process.env.TOOLGATE_STATE, PORT: "", UPSTREAM_BASE_URL: "" });

if (!read.ok) {
  console.error(read.error.join("\n"));
  process.exitCode = 1;
} else {
  process.exitCode = reset(read.value.stateFolder);
}

function reset(stateFolder: string): number {
  const running = runningGateway(stateFolder);
  if (running !== undefined) {
    console.error(`a gateway runs on ${stateFolder} (pid ${running}): end it first`);
    return 1;
  }
  const parts = stateParts.map((part) => join(stateFolder, part)).filter((path) => existsSync(path));
  for (const path of parts) rmSync(path, { recursive: true });
  console.log(parts.length === 0 ? `nothing to remove in ${stateFolder}` : `removed ${parts.join(" and ")}`);
  return 0;
}
