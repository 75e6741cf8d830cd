/** A cache of built files: they are built anew only if one of their sources has changed. Other starts take half the time. */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "../settings.ts";

const kept = join(root, "node_modules/.cache/toolgate/built");

/** Files are named by their paths, from the project's folder on. */
interface BuildResult<T> {
  /** Kept as JSON. */
  readonly made: T;
  readonly inputs: readonly string[];
  /** Files that were written: without them it is made anew. */
  readonly outputs: readonly string[];
}

/** @param name of the built value, with everything besides the inputs that it depends on. */
export async function unlessBuilt<T>(name: string, build: () => Promise<BuildResult<T>>): Promise<T> {
  const path = join(kept, `${name.replaceAll(/[^\w.-]+/g, "_")}.json`);
  const last = read<T>(path);
  if (last && Object.entries(last.files).every(([file, state]) => stateOf(file) === state)) return last.made;
  const begun = Date.now();
  const { made, inputs, outputs } = await build();
  // An input that was saved meanwhile may have been read before.
  if (inputs.every((file) => (changedAt(file) ?? 0) < begun)) {
    const files = ["package-lock.json", ...inputs, ...outputs];
    write(path, { made, files: Object.fromEntries(files.map((file) => [file, stateOf(file)])) });
  }
  return made;
}

interface CachedBuild<T> {
  readonly made: T;
  readonly files: Readonly<Record<string, string>>;
}

function read<T>(path: string): CachedBuild<T> | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as CachedBuild<T>;
  } catch {
    return undefined;
  }
}

/** A folder that cannot be written to only costs time. */
function write(path: string, content: CachedBuild<unknown>): void {
  try {
    mkdirSync(kept, { recursive: true });
    const fresh = `${path}.${process.pid}.new`;
    writeFileSync(fresh, JSON.stringify(content));
    renameSync(fresh, path);
  } catch {
    // It is built again next time.
  }
}

const statOf = (file: string) => statSync(resolve(root, file), { throwIfNoEntry: false });
const changedAt = (file: string): number | undefined => statOf(file)?.mtimeMs;

function stateOf(file: string): string {
  const stat = statOf(file);
  return stat ? `${stat.mtimeMs} ${stat.size}` : "absent";
}
