/**
 * Every command of the README and of `docs`, run as a reader runs it who goes through the pages in order: in one folder, with the
 * files that the pages say to save, against a gateway as `npm start` serves it. Pages with one policy share a gateway, as a reader's
 * starts share what they store; a page that puts another policy in force has its own.
 */
import { execFile, spawnSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPolicyLines } from "../../src/cli/policy-file.ts";
import { root } from "../../src/cli/settings.ts";
import { shellEnvironment } from "../support/shell-environment.ts";
import { type Page, readPage, type Step, showsOf } from "./support/page-commands.ts";
import { type Gateway, startGateway } from "./support/worker.ts";

/** Lines that are not run here, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "npm test": "runs this test",
  "npm run attacks": "is run with the other tests",
  "npx wrangler login": "opens a browser",
  "npm run deploy": "changes an account; `deploy.test.ts` plays one",
};

/** In the order of the index, so that a page may use what an earlier one saved. */
const names = [
  "README.md",
  ...["quickstart", "concepts", "policy", "testing-policies"].map((name) => `docs/${name}.md`),
  ...globSync("docs/**/*.md", { cwd: root }).sort(),
];
const pages = [...new Set(names)]
  .map((name) => readPage(name, readFileSync(join(root, name), "utf8")))
  .filter(({ start, steps }) => start !== undefined || steps.length > 0);

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) console.warn("commands of the documentation are skipped: there is no curl");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-reader-"));
  for (const name of readdirSync(root)) if (name !== "policies") symlinkSync(join(root, name), join(folder, name));
  cpSync(join(root, "policies"), join(folder, "policies"), { recursive: true });
  mkdirSync(join(folder, "home"));
});
/** By the policy that they serve. */
const shared = new Map<string, Promise<Gateway>>();
afterAll(async () => {
  for (const served of shared.values()) await (await served.catch(() => undefined))?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** As a start makes them for itself. */
const settings = { CONNECTION_KEY: `k1:${"c0".repeat(32)}`, SIGNING_KEYS: `k1:${"51".repeat(32)}` };

const changesPolicy = ({ steps }: Page): boolean =>
  steps.some(({ commands }) => /^npm run policy -- push (?!.*--dry-run)/m.test(commands));

/** To be stopped with the page, if it is the page's own. */
async function gatewayFor(page: Page): Promise<{ readonly gateway?: Gateway; readonly isOwn: boolean }> {
  if (!page.start) return { isOwn: false };
  const { policy } = page.start;
  if (changesPolicy(page)) return { gateway: await serve(policy), isOwn: true };
  const served = shared.get(policy) ?? serve(policy);
  shared.set(policy, served);
  return { gateway: await served, isOwn: false };
}

async function serve(policy: string): Promise<Gateway> {
  const read = await readPolicyLines(join(folder, policy));
  if (!read.ok) throw new Error(read.error.join("\n"));
  const gateway = await startGateway({ settings, policy: read.value });
  await expect.poll(() => missedLayers(gateway), { timeout: 60_000, interval: 200 }).not.toContain("semantic");
  return gateway;
}

/** The first messages load the trained layer, which takes a busy machine longer than a policy waits. */
async function missedLayers({ baseURL }: Gateway): Promise<readonly string[]> {
  const headers = { authorization: "Bearer tg-dev-user" };
  const response = await fetch(`${baseURL}/intents/detect`, { method: "POST", headers, body: '{"text":"hello"}' });
  return ((await response.json()) as { missed: string[] }).missed;
}

const MARK = "=== end of a step ===";

/** For bash, at the gateway of the test, each step's output behind a mark. */
function script({ steps }: Page, origin: string): string {
  const blocks = steps.map(({ commands }) => `${commands}\necho '${MARK}'`);
  return ["set -euo pipefail", ...blocks]
    .join("\n")
    .split("\n")
    .filter((line) => ELSEWHERE[line.replace(/#.*/, "").trim()] === undefined)
    .join("\n")
    .replaceAll("http://localhost:8787", origin)
    .replaceAll("localhost:8787", new URL(origin).host)
    .replace(
      /(npm run (?:--silent )?policy -- (?:diff|push|pull|replay|simulate|versions|rollback))/g,
      `$1 --gateway ${origin}`,
    );
}

interface Ran {
  readonly code: number;
  readonly outputs: readonly string[];
  readonly all: string;
}

function run(commands: string): Promise<Ran> {
  const shell = shellEnvironment();
  const env = {
    ...shell,
    PATH: [dirname(process.execPath), shell.PATH].join(delimiter),
    HOME: join(folder, "home"),
    NO_COLOR: "1",
    // Of a deployment's dry run.
    UPSTREAM_BASE_URL: "https://api.example.com/v1",
    UPSTREAM_API_KEY: "sk-upstream",
  };
  return new Promise((resolve) => {
    execFile("bash", ["-c", commands], { cwd: folder, env, timeout: 150_000 }, (error, out, err) => {
      const code = error ? Number(error.code ?? 1) : 0;
      resolve({ code, outputs: out.split(`${MARK}\n`), all: `${out}\n${err}` });
    });
  });
}

function isShown({ shown }: Step, output: string): boolean {
  if (!shown) return true;
  if (shown.language === "text") return output.trim() === shown.text.trim();
  return showsOf(JSON.parse(shown.text), JSON.parse(output));
}

describe.skipIf(!hasCurl)("the commands of the documentation", () => {
  it("stand in many pages", () => {
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.flatMap(({ steps }) => steps).length).toBeGreaterThan(20);
  });

  it("that are not run here are npm's scripts, or wrangler's", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
    const lines = pages.flatMap(({ steps }) => steps.flatMap(({ commands }) => commands.split("\n")));
    const written = new Set(lines.map((line) => line.replace(/#.*/, "").trim()));
    for (const line of Object.keys(ELSEWHERE)) {
      expect(written, line).toContain(line);
      const [, name] = /^npm (?:run )?(\S+)$/.exec(line) ?? [];
      if (name !== undefined) expect(scripts).toHaveProperty([name]);
    }
  });

  it.each(pages.map((page) => [page.name, page] as const))("of %s work", async (_, page) => {
    const { gateway, isOwn } = await gatewayFor(page);
    try {
      const origin = (gateway?.baseURL ?? "http://localhost:8787/v1").replace(/\/v1$/, "");
      for (const [name, text] of page.files)
        writeFileSync(join(folder, name), text.replaceAll("http://localhost:8787", origin));
      const { code, outputs, all } = await run(script(page, origin));
      expect(code, all).toBe(0);
      expect(all).not.toMatch(/"error":\s*\{/);
      for (const [at, step] of page.steps.entries())
        expect(isShown(step, outputs[at] ?? ""), `${step.commands}\nprinted ${outputs[at]}`).toBe(true);
    } finally {
      if (isOwn) await gateway?.stop();
    }
  });
});
