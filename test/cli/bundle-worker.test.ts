import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile, Plugin } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import { z } from "../../src/bundle/zod-v4.ts";
import { bundle } from "../../src/cli/build/worker.ts";
import { root } from "../../src/cli/settings.ts";

let inputs: Metafile["inputs"] = {};
let bytesOf: ReadonlyMap<string, number> = new Map();

const lookIn: Plugin = {
  name: "look in",
  setup({ initialOptions, onEnd }) {
    initialOptions.metafile = true;
    onEnd(({ metafile }) => {
      const [output] = Object.values(metafile?.outputs ?? {});
      const held = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
      bytesOf = new Map(held.map(([path, { bytesInOutput }]) => [path, bytesInOutput]));
      inputs = Object.fromEntries(held.map(([path]) => [path, metafile?.inputs[path] ?? { bytes: 0, imports: [] }]));
    });
  },
};

beforeAll(async () => {
  await bundle("looked-in", "src/index.ts", [lookIn]);
});

it("the Worker holds zod's messages in one language", () => {
  const locales = Object.keys(inputs).filter((path) => /zod\/v4\/locales\/(?!index\.js)/.test(path));
  expect(locales).toEqual(["node_modules/zod/v4/locales/en.js"]);
});

/** What is evaluated where `path` is. */
function reachedFrom(path: string, reached = new Set<string>()): Set<string> {
  if (reached.has(path) || !Object.hasOwn(inputs, path)) return reached;
  reached.add(path);
  for (const { path: next, kind } of inputs[path]?.imports ?? [])
    if (kind !== "dynamic-import") reachedFrom(next, reached);
  return reached;
}

const packagesIn = (paths: Iterable<string>): string[] =>
  [...new Set([...paths].flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []))].sort();

it("what only some requests need is not evaluated at each start", () => {
  const atStart = packagesIn(reachedFrom("src/index.ts"));
  const late = packagesIn(Object.keys(inputs)).filter((name) => !atStart.includes(name));
  expect(late).toEqual(
    expect.arrayContaining([
      "@ai-sdk/anthropic",
      "@ai-sdk/google",
      "@ai-sdk/openai",
      "@ai-sdk/openai-compatible",
      "@ai-sdk/provider-utils",
      "@modelcontextprotocol/client",
      "@opentelemetry/api",
      "@opentelemetry/sdk-trace",
      "jose",
      "json-p3",
      "oauth4webapi",
    ]),
  );
});

it("what is loaded late shares next to nothing with what is needed at each start", () => {
  const atStart = reachedFrom("src/index.ts");
  const targets = Object.values(inputs).flatMap(({ imports }) =>
    imports.filter(({ kind }) => kind === "dynamic-import").map(({ path }) => path),
  );
  const late = new Set(targets.flatMap((path) => [...reachedFrom(path)]));
  // In one file what both take stands in a function, which V8 reads once to skip it and once more to run it.
  const twice = [...late].filter((path) => atStart.has(path));
  expect(packagesIn(twice)).toEqual(["@ai-sdk/provider", "zod"]);
  const own = twice.filter((path) => path.startsWith("src/"));
  expect(own.reduce((sum, path) => sum + (bytesOf.get(path) ?? 0), 0)).toBeLessThan(20_000);
});

it("what stands for zod has all that the packages call of it", () => {
  const packages = Object.keys(inputs).filter((path) => path.includes("node_modules"));
  const texts = packages.map((path) => readFileSync(join(root, path), "utf8"));
  // A name of its own that it does not have is an error of the bundling.
  const users = texts.filter((text) => /import \{[^}]*\bz\b[^}]*\} from "zod\/v4"/.test(text));
  const called = users.flatMap((text) => [...text.matchAll(/\bz\.(\w+)/g)].map(([, name]) => name ?? ""));
  expect(called).toContain("object");
  expect(called.filter((name) => !Object.hasOwn(z, name))).toEqual([]);
});
