/** Files that somebody names and that are not there. */
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { nearestName } from "../lib/text/nearest-name.ts";

/** What is wrong with the path of a file that is to be read, and what may be meant; undefined where it is a file. */
export function missingFile(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) return found.isDirectory() ? `${path} is a folder: name a file in it` : undefined;
  const folder = dirname(path);
  const near = nearestName(basename(path), namesIn(folder));
  return `there is no file ${path}${near === undefined ? "" : `: did you mean ${join(folder, near)}?`}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
