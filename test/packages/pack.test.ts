/** What npm would publish, used in an empty project: its entries are type-checked and run, and its program answers. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../bench/run/free-port.ts";

const root = join(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  exports: Record<string, unknown>;
};
const declared = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];

let project: string;
const installed = (file = ""): string => join(project, "node_modules/toolgate", file);

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "toolgate-pack-"));
  const packed = execFileSync("npm", ["pack", "--json", "--silent", "--pack-destination", project], {
    cwd: root,
    encoding: "utf8",
  });
  const [{ filename }] = JSON.parse(packed.slice(packed.lastIndexOf("\n["))) as [{ filename: string }];
  mkdirSync(installed(), { recursive: true });
  execFileSync("tar", ["-xzf", join(project, filename), "--strip-components=1", "-C", installed()]);
  // As an installation would have them, without a registry.
  for (const name of [...declared, "typescript", "@types/node", "@types/react"]) {
    const path = join(project, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(root, "node_modules", name), path);
  }
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "empty", type: "module", private: true }));
}, 300_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

const run = (file: string, code: string): { readonly status: number | null; readonly output: string } => {
  writeFileSync(join(project, file), code);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: project, encoding: "utf8" });
  return { status, output: stdout + stderr };
};

describe("the package", () => {
  it("names a file for each of its entries", () => {
    const files = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === "string" ? entry : Object.values(entry as object),
    );
    expect(files.filter((file) => !existsSync(installed(String(file))))).toEqual([]);
  });

  it("declares all that its modules import, but for those of programs that need the repository", () => {
    const used = new Map<string, string>();
    for (const file of globSync("dist/**/*.js", { cwd: installed() })) {
      const code = readFileSync(installed(file), "utf8");
      for (const [, atOnce, name = atOnce ?? ""] of code.matchAll(
        /^(?:import|export)\b[^"'\n]*["']([^."'][^"']*)["']|\bimport\(["']([^."'][^"']*)["']\)/gm,
      )) {
        if (/^(node|cloudflare):/.test(name) || name === "") continue;
        used.set(
          name
            .split("/")
            .slice(0, name.startsWith("@") ? 2 : 1)
            .join("/"),
          file,
        );
      }
    }
    const undeclared = [...used.keys()].filter((name) => !declared.includes(name)).sort();
    expect(undeclared).toEqual(["esbuild", "miniflare", "wrangler"]);
  });

  it("type-checks a program that uses each entry", () => {
    writeFileSync(
      join(project, "uses.ts"),
      `import { generateText, tool, type LanguageModel } from "ai";
import { createAgent } from "langchain";
import { Agent, type Model } from "@openai/agents";
import { Hono } from "hono";
import { createToolgate, memoryStores, ToolgateError } from "toolgate/ai-sdk";
import { createToolgate as forLangChain } from "toolgate/langchain";
import { createToolgate as forAgents } from "toolgate/openai-agents";
import { toolgateHandler } from "toolgate/hono";
import { ToolApproval, useToolApproval } from "toolgate/react";
import * as z from "zod";

declare const given: Exclude<LanguageModel, string> & { specificationVersion: "v4" };
declare const model: Model;
const options = { policy: {}, principal: { user: "anna" }, stores: memoryStores() };
const toolgate = createToolgate(options);
const tools = toolgate.tools({ look: tool({ inputSchema: z.object({ path: z.string() }), execute: async ({ path }) => path.length }) });
export const answer = generateText({ model: toolgate.model(given), tools, toolApproval: toolgate.toolApproval, prompt: "Hi" });
export const agent = createAgent({ model: "openai:gpt", tools: [], middleware: [forLangChain(options).middleware] });
export const other = new Agent({ name: "a", model: forAgents(options).model(model) });
export const app = new Hono().mount("/ai", toolgateHandler());
export const page = [ToolApproval, useToolApproval] as const;
// @ts-expect-error a principal has a user
createToolgate({ policy: {}, principal: {} });
export const failed = (error: unknown): string => (error instanceof ToolgateError ? error.code : "other");
`,
    );
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: "es2024",
      lib: ["es2024", "dom", "dom.iterable"],
      module: "nodenext",
      types: ["node"],
      skipLibCheck: true,
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["uses.ts"] }));
    const tsc = join(project, "node_modules/typescript/bin/tsc");
    const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", ".", "--checkers", "1"], {
      cwd: project,
      encoding: "utf8",
    });
    expect([stdout, status]).toEqual(["", 0]);
  }, 120_000);

  it("governs a model of the AI SDK", () => {
    const { status, output } = run(
      "governs.js",
      `import { generateText, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { createToolgate } from "toolgate/ai-sdk";
import * as z from "zod";
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const offered = [];
const model = new MockLanguageModelV4({
  doGenerate: async ({ tools = [] }) => {
    offered.push(tools.map(({ name }) => name));
    return { content: [{ type: "text", text: "Hello." }], finishReason: { unified: "stop" }, usage, warnings: [] };
  },
});
const policy = { tools: { look: { category: "read_only" }, wipe: { category: "external" } }, intents: { WIPE: { description: "wipe", keywords: ["wipe"] } } };
const toolgate = createToolgate({ policy, principal: { user: "anna" } });
const execute = async () => "done";
const inputSchema = z.object({});
const tools = toolgate.tools({ look: tool({ inputSchema, execute }), wipe: tool({ inputSchema, execute }) });
const { text } = await generateText({ model: toolgate.model(model), tools, prompt: "Good morning" });
console.log(JSON.stringify({ text, offered, records: (await toolgate.audit()).map(({ kind }) => kind) }));
`,
    );
    expect([status, output.trim()]).toEqual([
      0,
      JSON.stringify({ text: "Hello.", offered: [["look", "select_intent"]], records: ["turn"] }),
    ]);
  });

  it.each(["langchain", "openai-agents"])("loads `toolgate/%s`", (name) => {
    const code = `import { createToolgate } from "toolgate/${name}"; console.log(typeof createToolgate({ policy: {}, principal: { user: "a" } }).with)`;
    expect(run("loads.js", code)).toEqual({ status: 0, output: "function\n" });
  });

  it("has a program that checks a policy", () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [installed("dist/cli/toolgate.js"), "policy", "check", installed("policies/default.json")],
      { cwd: project, encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("intent");
    expect(
      spawnSync(process.execPath, [installed("dist/cli/toolgate.js"), "chat", "--help"], { encoding: "utf8" }).status,
    ).toBe(0);
  });

  it("has a program that serves a gateway, once what runs it is installed, and chats with it", async () => {
    const PORT = String(await freePort());
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, PORT };
    const start = () => spawn(process.execPath, [installed("dist/cli/toolgate.js"), "start"], { cwd: project, env });
    const early = start();
    expect(await textOf(early.stderr)).toMatch(
      /^this needs esbuild, miniflare, wrangler.*\n {2}npm install .*wrangler@\d/,
    );
    expect(early.exitCode ?? (await once(early, "exit"))[0]).toBe(1);
    for (const name of ["esbuild", "miniflare", "wrangler"])
      symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
    const gateway = start();
    let printed = "";
    gateway.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    try {
      await expect.poll(() => printed, { timeout: 60_000 }).toContain("Toolgate is ready");
      const args = ["chat", "--gateway", `http://127.0.0.1:${PORT}`, "--message", "hi"];
      const chat = spawn(process.execPath, [installed("dist/cli/toolgate.js"), ...args], {
        cwd: project,
        env,
        stdio: "pipe",
      });
      expect(await textOf(chat.stdout)).toContain("demo model");
      // A person's own folder, and not what npm has installed.
      expect([existsSync(join(project, ".wrangler/state")), existsSync(installed(".wrangler/state"))]).toEqual([
        true,
        false,
      ]);
    } finally {
      gateway.kill();
      await once(gateway, "exit");
    }
  }, 120_000);

  it("says what is wrong with a policy", () => {
    const code = `import { createToolgate } from "toolgate/ai-sdk"; try { createToolgate({ policy: { tools: { a: { category: "odd" } } }, principal: { user: "a" } }) } catch (error) { console.log(error.code, error.message) }`;
    expect(run("wrong.js", code).output).toMatch(/^policy_invalid .*\n? +\/tools\/a\/category/);
  });
});
