/** Bundles a Worker as wrangler does for a deployment. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { join, relative } from "node:path";
import type { Plugin } from "esbuild";
import { root } from "../settings.ts";
import { sourceFile } from "../source-file.ts";
import { unlessBuilt } from "./unless-built.ts";

const outdir = join(root, ".wrangler/bundles");

export interface Bundle {
  readonly name: string;
  readonly path: string;
  readonly code: string;
}

/** As wrangler reads `alias`: the whole of a name, where esbuild's own option takes its beginning too. */
const standIns: Plugin = {
  name: "stand-ins",
  async setup({ onResolve }) {
    const { readConfig } = await import("../deploy/config.ts");
    const alias = readConfig().alias ?? {};
    onResolve({ filter: /./ }, ({ path }) => {
      const file = Object.hasOwn(alias, path) ? alias[path] : undefined;
      return file === undefined ? undefined : { path: join(root, sourceFile(file)) };
    });
  },
};

/** Throws an error that lists esbuild's messages if the entry does not bundle. */
export async function bundle(name: string, entry: string, plugins: readonly Plugin[] = []): Promise<Bundle> {
  const path = join(outdir, `${name}.js`);
  if (plugins.length > 0) await write(path, entry, plugins);
  else await unlessBuilt(`bundle ${name} ${entry}`, () => write(path, entry, plugins));
  return { name, path, code: await readFile(path, "utf8") };
}

async function write(path: string, entry: string, plugins: readonly Plugin[]) {
  const { build } = await import("esbuild");
  const result = await build({
    absWorkingDir: root,
    entryPoints: [sourceFile(entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2024",
    platform: "browser",
    mainFields: ["browser", "module", "main"],
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    alias: Object.fromEntries(builtinModules.filter((id) => /^[a-z]/.test(id)).map((id) => [id, `node:${id}`])),
    define: { "process.env.NODE_ENV": '"production"' },
    loader: { ".txt": "text", ".html": "text", ".sql": "text" },
    outfile: path,
    logLevel: "silent",
    metafile: true,
    plugins: [standIns, ...plugins],
  });
  const output = result.outputFiles[0];
  if (!output) throw new Error(`esbuild wrote nothing for \`${entry}\``);
  await mkdir(outdir, { recursive: true });
  const fresh = `${path}.${process.pid}.new`;
  await writeFile(fresh, output.contents);
  await rename(fresh, path);
  const inputs = [...Object.keys(result.metafile.inputs), "wrangler.toml", relative(root, import.meta.filename)];
  return { made: null, inputs, outputs: [relative(root, path)] };
}
