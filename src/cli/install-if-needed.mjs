/**
 * Runs `npm ci` if `node_modules` does not hold the packages of `package-lock.json`. The `pre…` scripts start it, so it must run on the
 * system's own Node and import nothing that is installed. Installed packages are compared by content, not by age: a fresh clone's files
 * are all new, and a branch switch makes nothing newer.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const installed = join(root, "node_modules");
const lock = join(root, ".wrangler", "install.lock");

/** Why an installation is needed, or undefined. */
function reasonToInstall() {
  if (!existsSync(installed)) return "node_modules is missing";
  const want = packagesOf(join(root, "package-lock.json"));
  const have = packagesOf(join(installed, ".package-lock.json"));
  if (want === undefined) return undefined;
  if (have === undefined) return "an earlier installation did not finish";
  if (!existsSync(join(installed, ".bin", "node"))) return "the Node that this project runs on is not installed";
  for (const [path, entry] of Object.entries(want)) {
    const found = have[path];
    // An optional package may be for another platform.
    if (path === "" || (found === undefined && entry.optional)) continue;
    if (found === undefined) return `${path} is missing`;
    if (found.version !== entry.version || found.integrity !== entry.integrity) {
      return `${path} is not the version that package-lock.json names`;
    }
  }
  return undefined;
}

function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/** Returns once this process holds the lock. */
function takeLock() {
  mkdirSync(join(root, ".wrangler"), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (!holderLives()) rmSync(lock, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  }
}

function holderLives() {
  try {
    // Empty for a moment between its making and its writing: then the holder lives.
    const pid = Number(readFileSync(lock, "utf8"));
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** npm's exit code. Its own Node is not one that the installation is about to replace. */
function install() {
  const path = (process.env.PATH ?? "").split(delimiter).filter((entry) => !entry.startsWith(installed));
  const { status, error } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, PATH: path.join(delimiter) },
  });
  if (error) console.error(`npm could not be started: ${error.message}`);
  return status ?? 1;
}

if (reasonToInstall() !== undefined) {
  takeLock();
  try {
    const reason = reasonToInstall();
    if (reason !== undefined) {
      console.log(`installing the packages that package-lock.json names: ${reason}`);
      process.exitCode = install();
    }
  } finally {
    rmSync(lock, { force: true });
  }
}
