/**
 * The packages that run the Worker on this machine. The published package does not include them: they are large, and chats, audits and
 * keys do not need them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../source-file.ts";

const names = ["esbuild", "miniflare", "wrangler"] as const;

/** Lines for the person; empty if all are installed. */
export function missingRuntime(): readonly string[] {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return [];
  const { devDependencies = {} } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
    readonly devDependencies?: Readonly<Record<string, string>>;
  };
  const wanted = names.map((name) => (devDependencies[name] ? `${name}@${devDependencies[name]}` : name));
  return [
    `this needs ${missing.join(", ")}, which run the gateway on this machine:`,
    `  npm install --save-dev ${wanted.join(" ")}`,
  ];
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Whether an error says that one of them is not installed. */
export const isMissingRuntime = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  error.code === "ERR_MODULE_NOT_FOUND" &&
  names.some((name) => error.message.includes(`'${name}'`));
