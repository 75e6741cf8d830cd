/**
 * Builds the console's pages into `assets/console`, where the Worker's static assets are: `npm run console`, and whatever
 * starts or deploys the gateway. Files are named by content and written only where they are new, so that several builds
 * at once do no harm.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { programArguments } from "./program-arguments.ts";
import { root } from "./settings.ts";
import { isPublished } from "./source-file.ts";

const source = join(root, "src/console");
const target = join(root, "assets/console");

/** Bytes of all scripts, compressed; a phone on a bad line waits for them. */
const SCRIPT_BUDGET = 60 * 1024;

interface ConsoleBuild {
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly gzipBytes: number }[];
}

/** Throws where it does not compile, or where the scripts are over their budget. */
export async function buildConsole(): Promise<ConsoleBuild> {
  // It was built before it was published.
  if (isPublished) return { files: [] };
  const files = await compile();
  const page: readonly [string, Buffer] = ["index.html", Buffer.from(await indexPage(files))];
  const all = new Map([page, ...files]);
  await writeFiles(all);
  const sizes = [...all].map(([name, bytes]) => ({
    name,
    bytes: bytes.length,
    gzipBytes: gzipSync(bytes, { level: 9 }).length,
  }));
  const scripts = sizes.filter(({ name }) => name.endsWith(".js")).reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
  if (scripts > SCRIPT_BUDGET)
    throw new Error(`the console's scripts take ${scripts} bytes compressed; the budget is ${SCRIPT_BUDGET}`);
  return { files: sizes };
}

async function compile(): Promise<[string, Buffer][]> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { app: join(source, "main.tsx"), style: join(source, "styles/main.css") },
    entryNames: "files/[name]-[hash]",
    outdir: target,
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: ["chrome123", "edge123", "firefox128", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
  });
  return outputFiles.map(({ path, contents }) => [relative(target, path), Buffer.from(contents)]);
}

async function indexPage(files: readonly (readonly [string, Buffer])[]): Promise<string> {
  const named = (kind: string) => {
    const found = files.find(([path]) => path.endsWith(kind));
    if (!found) throw new Error(`the build made no ${kind} file`);
    return `/console/${found[0]}`;
  };
  const page = await readFile(join(source, "index.html"), "utf8");
  return page.replace("{{script}}", named(".js")).replace("{{style}}", named(".css"));
}

/** The page last: it names the others. */
async function writeFiles(files: ReadonlyMap<string, Buffer>): Promise<void> {
  await mkdir(join(target, "files"), { recursive: true });
  for (const [path, bytes] of [...files].reverse()) {
    const file = join(target, path);
    if (existsSync(file) && (await readFile(file)).equals(bytes)) continue;
    const fresh = `${file}.${process.pid}.new`;
    await writeFile(fresh, bytes);
    await rename(fresh, file);
  }
  for (const name of await readdir(join(target, "files"))) {
    if (!files.has(`files/${name}`) && !name.endsWith(".new")) await rm(join(target, "files", name), { force: true });
  }
}

if (basename(process.argv[1] ?? "") === basename(import.meta.filename)) {
  programArguments("npm run console\nbuilds the console's pages into assets/console", {});
  const { files } = await buildConsole();
  for (const { name, bytes, gzipBytes } of files)
    console.log(`${`assets/console/${name}`.padEnd(44)} ${kib(bytes)}   gzip ${kib(gzipBytes)}`);
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`.padStart(10);
}
