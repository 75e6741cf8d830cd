/**
 * Builds the published package (`npm pack` runs it): each module of `src` as JavaScript in `dist`, in the same place, so that relative
 * paths hold in both; and the declarations of the package's entries.
 */
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transform } from "esbuild";
import { programArguments } from "../program-arguments.ts";
import { root } from "../settings.ts";

const dist = join(root, "dist");

/** Left out: pages, which have a build of their own, and programs that make or seed data. */
const LEFT_OUT =
  /^src\/(console\/(.*\.tsx|(policies|overview)\/.*)|cli\/(wishes|vectors|dictionaries|seed)\/.*|cli\/(build-package|seed)\.ts)$/;

const STYLE = "src/packages/react/tool-approval.css";
/** The program that the package's `bin` names. */
const PROGRAM = "src/cli/toolgate.ts";

/** A relative import of a module: its name ends otherwise in `dist`. */
const MODULE = /(\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)(["'])(\.{1,2}\/[^"']*|[\w-]+)\.tsx?\2/g;

const withJs = (code: string): string => code.replace(MODULE, "$1$2$3.js$2");

async function buildPackage(): Promise<void> {
  rmSync(dist, { recursive: true, force: true });
  const files = globSync("src/**/*.{ts,tsx}", { cwd: root }).filter((file) => !LEFT_OUT.test(file));
  await Promise.all(files.filter((file) => !file.endsWith(".d.ts")).map(writeModule));
  cpSync(join(root, "src/stores/migrations"), join(dist, "stores/migrations"), { recursive: true });
  cpSync(join(root, STYLE), join(dist, STYLE.replace(/^src\//, "")));
  // Pages have other types than programs.
  for (const config of ["src/packages/tsconfig.build.json", "src/packages/react/tsconfig.build.json"]) compile(config);
  for (const file of globSync("dist/types/**/*.d.ts", { cwd: root })) {
    const path = join(root, file);
    writeFileSync(path, withJs(readFileSync(path, "utf8")));
  }
}

async function writeModule(file: string): Promise<void> {
  // Not `transformSync`, which starts a process for each module.
  const { code } = await transform(readFileSync(join(root, file), "utf8"), {
    loader: file.endsWith("x") ? "tsx" : "ts",
    jsx: "automatic",
    format: "esm",
    target: "node22",
  });
  const head = file === PROGRAM ? "#!/usr/bin/env node\n" : "";
  write(file.replace(/^src\//, "").replace(/\.tsx?$/, ".js"), head + withJs(code));
}

function write(file: string, text: string): void {
  const path = join(dist, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Writes declarations. Throws if the compiler finds an error. */
function compile(config: string): void {
  const tsc = join(root, "node_modules/.bin/tsc");
  // As in `npm run check`: one checker, and less frequent garbage collection.
  const args = [tsc, "-p", config, "--checkers", "1"];
  const env = { GOGC: "300", ...process.env };
  const ran = spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
  if (ran.status !== 0) throw new Error(`the declarations were not made:\n${ran.stdout}${ran.stderr}`);
}

if (import.meta.main) {
  programArguments("node src/cli/build/package.ts", {});
  await buildPackage();
}
