/** Bundles a Worker as wrangler does for a deployment. */
import { mkdir, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { readConfig } from "./deploy/config.ts";
import { root } from "./settings.ts";
import { sourceFile } from "./source-file.ts";

const outdir = join(root, ".wrangler/bundles");

export interface Bundle {
  readonly name: string;
  readonly path: string;
  readonly code: string;
  readonly bytes: number;
  readonly gzipBytes: number;
}

/** As wrangler reads `alias`: the whole of a name, where esbuild's own option takes its beginning too. */
const standIns: Plugin = {
  name: "stand-ins",
  setup({ onResolve }) {
    const alias = readConfig().alias ?? {};
    onResolve({ filter: /./ }, ({ path }) => {
      const file = Object.hasOwn(alias, path) ? alias[path] : undefined;
      return file === undefined ? undefined : { path: join(root, sourceFile(file)) };
    });
  },
};

/** Throws an error that lists esbuild's messages where the entry does not bundle. */
export async function bundle(name: string, entry: string, plugins: readonly Plugin[] = []): Promise<Bundle> {
  const path = join(outdir, `${name}.js`);
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
    plugins: [standIns, ...plugins],
  });
  const output = result.outputFiles[0];
  if (!output) throw new Error(`esbuild wrote nothing for \`${entry}\``);
  await mkdir(outdir, { recursive: true });
  await writeFile(path, output.contents);
  return {
    name,
    path,
    code: output.text,
    bytes: output.contents.length,
    gzipBytes: gzipSync(output.contents, { level: 9 }).length,
  };
}
