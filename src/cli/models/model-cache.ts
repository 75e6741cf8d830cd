/**
 * Trained models on this machine's disk: a policy of 20 intents takes 3.5 s to train and 10 ms to read from here. What a model is
 * trained from names its file: the policy's words, the vectors, and the code that trains.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "../../lib/once.ts";
import { TALK_ASSET } from "../../stores/semantic/assets.ts";
import { root } from "../settings.ts";

const kept = join(root, "node_modules/.cache/toolgate/models");
/** The oldest of more are removed. */
const KEPT = 24;

/** @param key of the model, as the gateway's stores have it. */
export function readCachedModel(key: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(readFileSync(fileOf(key)));
  } catch {
    return undefined;
  }
}

/** A folder that cannot be written to only costs time. */
export function cacheModel(key: string, value: Uint8Array): void {
  try {
    mkdirSync(kept, { recursive: true });
    const fresh = `${fileOf(key)}.${process.pid}.new`;
    writeFileSync(fresh, value);
    renameSync(fresh, fileOf(key));
    const byAge = readdirSync(kept)
      .map((name) => ({ path: join(kept, name), at: statSync(join(kept, name)).mtimeMs }))
      .sort((one, other) => other.at - one.at);
    for (const { path } of byAge.slice(KEPT)) rmSync(path, { force: true });
  } catch {
    // Trained again next time.
  }
}

const fileOf = (key: string): string =>
  join(kept, `${createHash("sha256").update(`${key}\n${codeDigest()}`).digest("hex").slice(0, 40)}.model`);

/** Folders whose code decides what a model becomes. */
const TRAINERS = ["src/intent", "src/lib", "src/stores/semantic"];

/** A published package has no sources: there the version decides. */
const codeDigest = once((): string => {
  const hash = createHash("sha256").update(readFileSync(join(root, "assets", TALK_ASSET)));
  for (const folder of TRAINERS.map((name) => join(root, name)).filter((name) => existsSync(name)))
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort())
      if (file.endsWith(".ts")) hash.update(readFileSync(join(folder, file)));
  return hash.update(readFileSync(join(root, "package.json"))).digest("hex");
});
