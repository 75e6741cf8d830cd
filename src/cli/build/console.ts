/**
 * Builds the console's pages into `assets/console`, where the Worker's static assets are: `npm run console`, and whatever
 * starts or deploys the gateway. Files are named by content and written only if they are new, so that several builds at once do no
 * harm.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import type { Metafile } from "esbuild";
import { programArguments } from "../program-arguments.ts";
import { root } from "../settings.ts";
import { isPublished } from "../source-file.ts";
import { unlessBuilt } from "./unless-built.ts";

const source = join(root, "src/console");
const target = join(root, "assets/console");

/** Bytes of all scripts that one page loads, compressed; a phone on a bad line waits for them. */
const SCRIPT_BUDGET = 120 * 1024;

interface ConsoleBuild {
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly gzipBytes: number }[];
  /** The scripts of each page: its own, the shell's, and those that they share. */
  readonly pages: readonly { readonly name: string; readonly gzipBytes: number }[];
}

/** Throws if it does not compile, or if the scripts of a page are over their budget. */
export async function buildConsole(): Promise<ConsoleBuild> {
  // It was built before it was published.
  if (isPublished) return { files: [], pages: [] };
  return await unlessBuilt("console", write);
}

async function write() {
  const { files, scripts, inputs } = await compile();
  const page: readonly [string, Buffer] = ["index.html", Buffer.from(await indexPage(files, scripts))];
  const all = new Map([page, ...files]);
  await writeFiles(all);
  const sizes = [...all].map(([name, bytes]) => ({
    name,
    bytes: bytes.length,
    gzipBytes: gzipSync(bytes, { level: 9 }).length,
  }));
  const gzipOf = new Map(sizes.map(({ name, gzipBytes }) => [name, gzipBytes]));
  const pages = [...scripts].map(([name, loaded]) => ({
    name,
    gzipBytes: [...loaded].reduce((sum, file) => sum + (gzipOf.get(file) ?? 0), 0),
  }));
  for (const { name, gzipBytes } of pages)
    if (gzipBytes > SCRIPT_BUDGET)
      throw new Error(`the scripts of ${name} take ${gzipBytes} bytes compressed; the budget is ${SCRIPT_BUDGET}`);
  const template = relative(root, join(source, "index.html"));
  return {
    made: { files: sizes, pages },
    inputs: [...inputs, template, relative(root, import.meta.filename)],
    outputs: [...all.keys()].map((name) => relative(root, join(target, name))),
  };
}

/** The shell's module, which every page loads. */
const SHELL = "main.tsx";

async function compile() {
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      app: join(source, "main.tsx"),
      style: join(source, "styles/main.css"),
      "push-worker": join(source, "inbox/push-worker.ts"),
    },
    entryNames: "files/[name]-[hash]",
    chunkNames: "files/[name]-[hash]",
    assetNames: "files/[name]-[hash]",
    loader: { ".woff2": "file" },
    outdir: target,
    bundle: true,
    splitting: true,
    metafile: true,
    minify: true,
    write: false,
    format: "esm",
    target: ["chrome123", "edge123", "firefox128", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
  });
  const files = outputFiles.map(({ path, contents }) => [relative(target, path), Buffer.from(contents)] as const);
  return { files, scripts: scriptsOfPages(metafile), inputs: Object.keys(metafile.inputs) };
}

/** The module that imports the pages. Modules that a page imports later (an editor) appear after the page, and are in no budget. */
const PAGES = "src/console/pages.ts";

/** By the module that a page begins with: the names of all scripts that it loads, the shell's among them. */
function scriptsOfPages({ inputs, outputs }: Metafile): ReadonlyMap<string, ReadonlySet<string>> {
  const begin = new Set(inputs[PAGES]?.imports.filter(({ kind }) => kind === "dynamic-import").map(({ path }) => path));
  const nameOf = (path: string) => relative(target, join(root, path));
  const loads = (path: string, into: Set<string>): Set<string> => {
    into.add(nameOf(path));
    for (const { path: imported, kind } of outputs[path]?.imports ?? [])
      if (kind === "import-statement" && !into.has(nameOf(imported))) loads(imported, into);
    return into;
  };
  const entries = Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint !== undefined && (begin.has(entryPoint) || basename(entryPoint) === SHELL)
      ? [[basename(entryPoint), path] as const]
      : [],
  );
  const shell = entries.find(([name]) => name === SHELL)?.[1];
  if (shell === undefined) throw new Error(`the build made nothing of ${SHELL}`);
  return new Map(entries.map(([name, path]) => [name, loads(path, loads(shell, new Set()))]));
}

async function indexPage(
  files: readonly (readonly [string, Buffer])[],
  scripts: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<string> {
  const named = (kind: RegExp) => {
    const found = files.find(([path]) => kind.test(path));
    if (!found) throw new Error(`the build made no file like ${kind}`);
    return `/console/${found[0]}`;
  };
  const script = named(/\/app-.*\.js$/);
  const shared = [...(scripts.get(SHELL) ?? [])].map((path) => `/console/${path}`).filter((path) => path !== script);
  const preloads = [
    `<link rel="preload" as="font" type="font/woff2" crossorigin href="${named(/\/inter-.*\.woff2$/)}" />`,
    ...shared.map((path) => `<link rel="modulepreload" href="${path}" />`),
  ];
  const page = await readFile(join(source, "index.html"), "utf8");
  return page
    .replace("{{script}}", script)
    .replace("{{style}}", named(/\.css$/))
    .replace("{{pushWorker}}", named(/\/push-worker-.*\.js$/))
    .replace("{{preloads}}", preloads.join("\n    "));
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
  const { files, pages } = await buildConsole();
  for (const { name, bytes, gzipBytes } of files)
    console.log(`${`assets/console/${name}`.padEnd(52)} ${kib(bytes)}   gzip ${kib(gzipBytes)}`);
  for (const { name, gzipBytes } of pages) console.log(`all scripts of ${name.padEnd(48)}gzip ${kib(gzipBytes)}`);
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`.padStart(10);
}
