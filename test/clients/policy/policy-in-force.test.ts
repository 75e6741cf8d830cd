/** The policy commands against a running gateway: what they put in force is what its turns are judged by. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../../src/cli/settings.ts";
import { shellEnvironment } from "../../support/shell-environment.ts";
import { type Gateway, startGateway } from "../support/worker.ts";

const run = promisify(execFile);
let gateway: Gateway;
let folder: string;

beforeAll(async () => {
  gateway = await startGateway();
  folder = mkdtempSync(join(tmpdir(), "toolgate-in-force-"));
});
afterAll(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true });
});

async function policy(...args: string[]): Promise<{ code: number; out: string }> {
  const url = new URL(gateway.baseURL).origin;
  try {
    const done = run(process.execPath, ["src/cli/policy.ts", ...args, "--gateway", url], {
      cwd: root,
      env: shellEnvironment(),
    });
    return { code: 0, out: (await done).stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout + stderr };
  }
}

function written(name: string, document: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(document));
  return path;
}

async function offered(): Promise<string[]> {
  const client = new OpenAI({ baseURL: gateway.baseURL, apiKey: "tg-dev-user" });
  const tools = ["look", "touch"].map((name) => ({ type: "function" as const, function: { name } }));
  const reply = await client.chat.completions.create({
    model: "demo",
    messages: [{ role: "user", content: "hi" }],
    tools,
  });
  return (reply as unknown as { toolgate: { offered: string[] } }).toolgate.offered;
}

it("diff, push, pull, reset and a push that comes too late", async () => {
  const open = { handshake: { select: "off" }, tools: { look: { category: "read_only" } } };
  const closed = { ...open, tools: { look: { category: "read_only", roles: ["admin"] } } };
  const [first, second] = [written("open.json", open), written("closed.json", closed)];

  expect(await policy("push", first)).toMatchObject({ code: 0 });
  expect(await offered()).toEqual(["look", "touch"]);

  const diff = await policy("diff", second);
  expect(diff.code).toBe(1);
  expect(diff.out).toContain(
    'guest, premium, user lose look in 2 situations (role_forbids)\nroles: look - → ["admin"]\n',
  );
  const full = await policy("diff", second, "--full");
  expect(full.out).toContain('tools:\n  look  roles - → ["admin"]\n');
  expect(full.out).toContain(
    "    withheld from guest, premium, user in mode default without an intent (role_forbids)\n",
  );

  const late = await policy("push", second, "--if-match", "0".repeat(64));
  expect(late).toMatchObject({ code: 1, out: expect.stringContaining("the version in force is") });
  expect(await offered()).toEqual(["look", "touch"]);

  expect(await policy("push", second)).toMatchObject({ code: 0 });
  expect(await offered()).toEqual(["touch"]);
  expect((await policy("diff", second)).code).toBe(0);

  const lost = await policy("pull", "--version", "0".repeat(64));
  expect(lost).toMatchObject({
    code: 1,
    out: expect.stringMatching(/no such version of this policy; the newest are `[0-9a-f]{64}`, `/),
  });
  const pulled = join(folder, "pulled.json");
  const pull = await policy("pull", "--out", pulled);
  expect(pull.out).toMatch(/, since 20\d\d-.*Z, by dev-admin/);
  expect(JSON.parse(readFileSync(pulled, "utf8"))).toEqual(closed);

  const reset = await policy("reset");
  expect(reset).toMatchObject({ code: 0, out: expect.stringContaining("the embedded policy is in force") });
  expect((await policy("reset")).out).toContain("already");
});

it("what a command prints of a version, the others take", async () => {
  const open = { handshake: { select: "off" }, tools: { look: { category: "read_only" } } };
  const first = written("first.json", open);
  const second = written("second.json", { ...open, tools: { look: { category: "read_only", roles: ["admin"] } } });
  await policy("push", first);
  await policy("push", second);
  const list = await policy("versions");
  const [newer = "", older = ""] = list.out.split("\n").map((line) => line.split("  ")[0]);
  expect(list.out).toMatch(/^[0-9a-f]{12} {2}20\S+ {2}put {2}by dev-admin {2}in force\n[0-9a-f]{12} {2}/);
  expect(JSON.parse((await policy("pull", "--version", older)).out)).toEqual(open);
  expect(await policy("push", first, "--dry-run", "--if-match", newer)).toMatchObject({ code: 0 });
  expect((await policy("pull", "--version", "zz")).out).toContain("no version begins with `zz`: `versions` lists them");
  expect((await policy("rollback", older)).out).toContain(`version ${older} is in force again for tenant`);
  expect(await offered()).toEqual(["look", "touch"]);
  expect((await policy("versions")).out).toMatch(new RegExp(`^${older}  .*  rollback  .*in force\n${newer}  `));
});
