/** Files that a program makes from the code. With `--check` it writes nothing, and exits with 1 if a file is out of date. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programArguments } from "../program-arguments.ts";
import { root } from "../settings.ts";

/** @param texts the files' contents, by their paths in the project. */
export function writeGenerated(command: string, about: string, texts: () => Readonly<Record<string, string>>): void {
  const usage = `${command} -- [--check]\nwrites ${about}; with --check only says whether they are current`;
  const { check } = programArguments(usage, { check: { type: "boolean", default: false } });
  for (const [name, text] of Object.entries(texts())) {
    const path = join(root, name);
    if (!check) {
      writeFileSync(path, text);
    } else if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
      console.error(`${name} is out of date, run \`${command}\``);
      process.exitCode = 1;
    }
  }
}
