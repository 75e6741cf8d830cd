/** `npm run policy -- init` as a person runs it: from a file, from a real MCP server, and from what a gateway has seen. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../src/cli/settings.ts";
import { shellEnvironment } from "../../support/shell-environment.ts";
import { type EverythingServer, startEverything } from "../support/everything-server.ts";
import { type ScriptedUpstream, says, startUpstream } from "../support/upstream.ts";
import { type Gateway, startGateway } from "../support/worker.ts";

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function policy(args: readonly string[], key = "") {
  return new Promise<Ran>((resolve) => {
    const options = { cwd: root, env: { ...shellEnvironment(), TOOLGATE_KEY: key } };
    execFile(process.execPath, ["src/cli/policy.ts", ...args], options, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
  });
}

let folder: string;
let upstream: ScriptedUpstream;
let everything: EverythingServer;
let gateway: Gateway;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-init-"));
  [upstream, everything] = await Promise.all([startUpstream(), startEverything()]);
  gateway = await startGateway({ upstream: upstream.url });
});

afterAll(async () => {
  await gateway?.stop();
  await Promise.all([upstream?.stop(), everything?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const inFolder = (name: string): string => join(folder, name);

async function checksWithoutWarnings(file: string) {
  const { code, out } = await policy(["check", file]);
  expect(code, out).toBe(0);
  expect(out).not.toContain("warning");
}

const properties = { to: { type: "string" }, text: { type: "string" } };
const mail = { name: "send_mail", description: "Send a mail.", parameters: { type: "object", properties } };
const orders = { name: "get_orders", description: "Get the orders of the user." };

describe("init", () => {
  it("says how it is called where no source, or more than one, is named", async () => {
    for (const args of [[], ["--from", "a.json", "--from-gateway"]]) {
      const { code, err } = await policy(["init", ...args]);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("init (--from TOOLS.json") });
    }
  });

  it("drafts from a file, with a reason for each guess, and the draft can be put in force", async () => {
    const tools = inFolder("tools.json");
    writeFileSync(tools, JSON.stringify([{ type: "function", function: mail }, orders, { name: "no good" }]));
    const printed = await policy(["init", "--from", tools]);
    expect(printed.code).toBe(0);
    expect(printed.err).toContain('left out: "no good"');
    expect(printed.out).toMatch(
      /\/\/ because its name says `send` \(send\).*\n *"send_mail": \{\s+"category": "external"/,
    );
    expect(printed.out).toMatch(/"get_orders": \{\s+"category": "read_only"/);

    const file = inFolder("drafted.json");
    expect((await policy(["init", "--from", tools, "--out", file])).code).toBe(0);
    expect(readFileSync(file, "utf8").trimEnd()).toBe(printed.out.trimEnd());
    await checksWithoutWarnings(file);
    const { operator, tenant } = await operatorOf(await gateway.key());
    const pushed = await policy(["push", file, "--gateway", gateway.baseURL, "--tenant", tenant], operator);
    expect(pushed.out).toContain("is in force for tenant");
  });

  it("says what is wrong with a file", async () => {
    const empty = inFolder("empty.json");
    writeFileSync(empty, "[]");
    expect(await policy(["init", "--from", empty])).toMatchObject({ code: 1, err: `${empty} holds no tool\n` });
    expect(await policy(["init", "--from", inFolder("nowhere.json")])).toMatchObject({ code: 1 });
  });

  it("drafts from a real MCP server", async () => {
    const file = inFolder("every.json");
    const { code, err } = await policy(["init", "--mcp", everything.url, "--out", file]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const text = readFileSync(file, "utf8");
    expect(text).toContain('"echo": {');
    expect(text).toContain('"get-sum": {');
    await checksWithoutWarnings(file);
    const lost = await policy(["init", "--mcp", "http://127.0.0.1:9/mcp"]);
    expect(lost.code).toBe(1);
    expect(lost.err).toContain("http://127.0.0.1:9/mcp gives no list of tools");
  });

  it("drafts from the tools that a gateway has seen and no policy lists", async () => {
    const apiKey = await gateway.key({ policy: { handshake: { select: "off" }, tools: { get_orders: {} } } });
    const client = new OpenAI({ baseURL: gateway.baseURL, apiKey, maxRetries: 0 });
    const { operator, tenant } = await operatorOf(apiKey);
    const args = ["init", "--from-gateway", "--gateway", gateway.baseURL, "--tenant", tenant];
    const before = await policy(args, operator);
    expect(before.err).toContain("has seen no tool");

    upstream.script(says("Hello"));
    const tools = [mail, orders].map((one) => ({ type: "function" as const, function: one }));
    await client.chat.completions.create({ model: "gpt", messages: [{ role: "user", content: "hi" }], tools });
    const file = inFolder("seen.json");
    // Records reach the index a moment after the reply.
    await expect.poll(async () => (await policy([...args, "--out", file], operator)).code, { timeout: 30_000 }).toBe(0);
    const text = readFileSync(file, "utf8");
    expect(text).toContain('"send_mail": {');
    expect(text).not.toContain("get_orders");
    await checksWithoutWarnings(file);
    expect(await policy(args, apiKey)).toMatchObject({ code: 1, err: expect.stringContaining("may not do this") });
  });
});

async function operatorOf(apiKey: string) {
  const operator = await gateway.key({ tenantOf: apiKey, role: "admin" });
  const me = await fetch(`${gateway.baseURL}/me`, { headers: { authorization: `Bearer ${operator}` } });
  const { tenant } = (await me.json()) as { tenant: string };
  return { operator, tenant };
}
