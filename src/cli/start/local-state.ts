/** The state of `npm start`, kept beside the local stores so that deleting their folder removes it too. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "../../lib/result.ts";

/** `v3` has the stores. Only these two are ever removed: the folder is a setting, and could be a home folder. */
export const stateParts = ["v3", "toolgate"] as const;

const ownFolder = (stateFolder: string) => join(stateFolder, "toolgate");
const fileOf = (stateFolder: string, name: string) => join(ownFolder(stateFolder), name);

/** The digest of the policy that the last start put into the local stores; undefined if none did. */
export function storedPolicy(stateFolder: string): string | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(stateFolder, "remembered.json"), "utf8")).policy;
  } catch {
    return undefined;
  }
}

export function noteStoredPolicy(stateFolder: string, policy: string | undefined): void {
  writeFileSync(fileOf(stateFolder, "remembered.json"), JSON.stringify({ policy }));
}

/** Made once, so that audit records and links that it signed can be verified after the next start. */
export function developmentKey(stateFolder: string, name: "audit-key" | "signing-key" | "connection-key"): string {
  const path = fileOf(stateFolder, name);
  try {
    return readFileSync(path, "utf8");
  } catch {
    const key = `dev:${randomBytes(32).toString("hex")}`;
    writeFileSync(path, key, { mode: 0o600, flag: "wx" });
    return key;
  }
}

type ClaimFailure =
  | { readonly kind: "runs"; readonly pid: number }
  /** @property reason the system's code. */
  | { readonly kind: "unusable"; readonly reason: string };

/** Two gateways on one state folder would write the same databases. */
export function claim(stateFolder: string): Result<undefined, ClaimFailure> {
  try {
    makeFolder(ownFolder(stateFolder));
    for (;;) {
      if (writePid(stateFolder)) return ok(undefined);
      const pid = runningGateway(stateFolder);
      if (pid !== undefined) return err({ kind: "runs", pid });
      rmSync(fileOf(stateFolder, "gateway.pid"), { force: true });
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return err({ kind: "unusable", reason: code ?? message });
  }
}

/** Folder by folder: if a file system refuses to make any (/proc), node's own `recursive` tries for ever. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another start may have made it meanwhile.
    if (!existsSync(path)) throw error;
  }
}

/** False if there is one. */
function writePid(stateFolder: string): boolean {
  try {
    writeFileSync(fileOf(stateFolder, "gateway.pid"), String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

export function release(stateFolder: string): void {
  rmSync(fileOf(stateFolder, "gateway.pid"), { force: true });
}

/** The pid of the gateway that uses this folder, if one does. A pid file outlives a gateway that was killed. */
export function runningGateway(stateFolder: string): number | undefined {
  try {
    const pid = Number(readFileSync(fileOf(stateFolder, "gateway.pid"), "utf8"));
    return pid > 0 && process.kill(pid, 0) && isGateway(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** The pid may belong to another program by now. Without /proc, it is believed. */
function isGateway(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("start.ts");
  } catch {
    return true;
  }
}
