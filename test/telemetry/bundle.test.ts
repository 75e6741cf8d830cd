import { build, type Metafile } from "esbuild";
import { expect, it } from "vitest";
import { root } from "../../src/cli/settings.ts";

/** The outputs that are evaluated when the Worker starts. */
function atStart({ outputs }: Metafile, name: string, seen = new Set<string>()): Set<string> {
  seen.add(name);
  for (const { path, kind } of outputs[name]?.imports ?? [])
    if (kind === "import-statement" && path in outputs && !seen.has(path)) atStart({ outputs, inputs: {} }, path, seen);
  return seen;
}

it("traces are loaded by nothing but the call that asks for them", async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["src/index.ts"],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: "unwritten",
    format: "esm",
    platform: "node",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*"],
  });
  const entry = Object.keys(metafile.outputs).find((name) => metafile.outputs[name]?.entryPoint === "src/index.ts");
  const started = atStart(metafile, entry ?? "");
  const holders = Object.entries(metafile.outputs).filter(([, { inputs }]) =>
    Object.keys(inputs).some((path) => path.includes("node_modules/@opentelemetry/sdk-trace")),
  );
  expect(holders.length).toBeGreaterThan(0);
  expect(holders.filter(([name]) => started.has(name))).toEqual([]);
});
