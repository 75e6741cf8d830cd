/** Packages of Debian that hold dictionaries: fetched with `apt-get download`, checked, unpacked, never installed. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Name → version and SHA-256 of the package's file. */
export type DebianPackages = Readonly<Record<string, readonly [version: string, sha256: string]>>;

/** @returns a folder with a folder for each package. Throws if a package is not the pinned one. */
export function unpackDebian(packages: DebianPackages, cache: string): string {
  mkdirSync(cache, { recursive: true });
  for (const [name, [version, sha256]] of Object.entries(packages)) {
    const target = join(cache, "unpacked", name);
    if (existsSync(target)) continue;
    const fileOf = () => readdirSync(cache).find((file) => file.startsWith(`${name}_`) && file.endsWith(".deb"));
    if (fileOf() === undefined)
      execFileSync("apt-get", ["download", `${name}=${version}`], { cwd: cache, stdio: "inherit" });
    const path = join(cache, fileOf() ?? "");
    const found = createHash("sha256").update(readFileSync(path)).digest("hex");
    if (found !== sha256) throw new Error(`${path} has the digest ${found} where ${sha256} is due`);
    mkdirSync(target, { recursive: true });
    execFileSync("dpkg-deb", ["-x", path, target]);
  }
  return join(cache, "unpacked");
}
