/**
 * MCP's own conformance suite against the gateway, which relays the server that the suite describes. The suite is no package of the
 * project: without it this is left out; CONTRIBUTING.md tells how to install it.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProgram } from "../support/agent-clis.ts";
import { type Gateway, startGateway } from "../support/worker.ts";
import { type PlainNames, plainNames } from "./support/plain-names.ts";
import { type ReferenceServer, startReferenceServer } from "./support/reference-server.ts";

const suite = findProgram("conformance");
let reference: ReferenceServer;
let gateway: Gateway;
let proxy: PlainNames;
let folder: string;

beforeAll(async () => {
  if (suite === undefined) return;
  folder = mkdtempSync(join(tmpdir(), "toolgate-conformance-"));
  reference = await startReferenceServer();
  gateway = await startGateway();
  const relay = ["resources", "prompts", "elicitation", "sampling"];
  const policy = {
    handshake: { select: "off" },
    mcpServers: { ref: { url: reference.url, allowPrivate: true, relay } },
    tools: Object.fromEntries(
      [...reference.tools, "resources_read", "prompts_get"].map((name) => [
        `mcp__ref__${name}`,
        { category: "read_only", trusted: true },
      ]),
    ),
  };
  proxy = await plainNames("ref", gateway.baseURL.replace(/v1$/, "mcp"), await gateway.key({ policy }));
});
afterAll(async () => {
  await proxy?.stop();
  await gateway?.stop();
  await reference?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const run = (...args: readonly string[]): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(process.execPath, [suite ?? "", ...args], { cwd: folder }, (_, out, aside) => resolve(out + aside));
  return promise;
};

describe.skipIf(suite === undefined)("the conformance suite", () => {
  it.each(["2025-11-25", "2026-07-28"])(
    "passes every scenario of a server of %s",
    async (version) => {
      // Released versions of the suite know the older protocol alone.
      const knows = (await run("list")).includes(`[${version}]`);
      if (!knows) return;
      const output = await run("server", "--url", proxy.url, "--spec-version", version);
      const failed = output.split("\n").filter((line) => line.startsWith("✗"));
      expect([failed, /Total: \d+ passed, \d+ failed/.exec(output)?.[0]]).toEqual([
        [],
        expect.stringMatching(/^Total: [1-9]\d+ passed, 0 failed$/),
      ]);
    },
    300_000,
  );
});
