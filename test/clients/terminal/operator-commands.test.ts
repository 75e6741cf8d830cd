/** `toolgate keys`, `audit` and `policy` against a gateway, as an operator's script runs them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../src/cli/settings.ts";
import { shellEnvironment } from "../../support/shell-environment.ts";
import { program, runToolgate } from "../support/terminal.ts";
import { callsTools, type ScriptedUpstream, says, startUpstream } from "../support/upstream.ts";
import { type Gateway, startGateway } from "../support/worker.ts";

let upstream: ScriptedUpstream;
let gateway: Gateway;
let admin: string;
let origin: string;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({ upstream: upstream.url });
  admin = await gateway.key({ role: "admin", user: "root" });
  origin = gateway.baseURL.replace(/\/v1$/, "");
});
afterAll(async () => {
  await gateway?.stop();
  await upstream?.stop();
});

const operator = (...args: string[]) => runToolgate([...args, "--gateway", origin], { env: { TOOLGATE_KEY: admin } });

/** A turn of a user whose call is refused: no such tool. */
async function refusedCall(token: string, tool: string): Promise<void> {
  upstream.script(callsTools({ name: tool, arguments: {} }), says("Then not."));
  const args = ["chat", "--gateway", origin, "--model", "gpt", "--message", "hi"];
  expect(await runToolgate(args, { env: { TOOLGATE_KEY: token } })).toMatchObject({
    code: 0,
    out: "Then not.\n",
  });
}

describe("keys", () => {
  it("are made, listed, rotated and ended, and the token is alone on the output", async () => {
    const made = await operator("keys", "create", "ada", "user", "--name", "laptop", "--expires-in", "90d");
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^tg_\S+\n$/) });
    await refusedCall(made.out.trim(), "rm_rf");
    const listed = await operator("keys", "list");
    expect(listed.out).toMatch(/^key_\S+ {2}active {2}ada {2}user {2}until \S+ {2}laptop$/m);
    expect(listed.out).not.toContain(made.out.trim());
    const id = /^(key_\S+) {2}active {2}ada/m.exec(listed.out)?.[1] ?? "none";
    const rotated = await operator("keys", "rotate", id, "--overlap", "0");
    expect(rotated.out).toMatch(/^tg_\S+\n$/);
    expect(rotated.out).not.toBe(made.out);
    expect(await operator("keys", "revoke", id)).toMatchObject({ code: 1, aside: "nobody can be asked: add --yes\n" });
    expect(await operator("keys", "revoke", id, "--yes")).toMatchObject({ code: 0 });
    expect((await operator("keys", "list")).out).not.toMatch(new RegExp(`^${id}  active`, "m"));
  });

  it("have a limit and a prefix of users where the command line names them", async () => {
    const limits = ["--rate-limit", "60/1m exact", "--acts-for", "--user-prefix", "shop:"];
    const made = await operator("keys", "create", "shop", "user", ...limits, "--json");
    expect(JSON.parse(made.out)).toMatchObject({
      rate_limit: { max: 60, window: "1m", exact: true },
      user_prefix: "shop:",
    });
    expect(await operator("keys", "create", "shop", "user", "--rate-limit", "often")).toMatchObject({
      code: 1,
      aside: expect.stringContaining("--rate-limit: write requests per window"),
    });
  });

  it("say what the gateway refuses", async () => {
    expect(await operator("keys", "create", "ada", "emperor")).toMatchObject({
      code: 1,
      out: "",
      // Nothing is wrong with the operator's own key.
      aside: expect.stringMatching(/^the gateway refuses to make the key: .*has no role `emperor`/),
    });
    expect(await operator("keys", "create", "ada")).toMatchObject({
      code: 2,
      aside: expect.stringContaining("usage: "),
    });
  });
});

describe("the audit trail", () => {
  it("is asked, and verified", async () => {
    const token = await gateway.key({ tenantOf: admin, user: "bob" });
    await refusedCall(token, "purge_all");
    const query = () => operator("audit", "query", "decisions", "--user", "bob", "--effect", "deny");
    await expect
      .poll(async () => (await query()).out, { timeout: 20_000 })
      .toMatch(/deny {5}purge_all {2}unknown_tool {2}user=bob/);
    const json = await operator("audit", "query", "decisions", "--where", "user=bob", "--json");
    expect(JSON.parse(json.out)).toMatchObject({ object: "audit.decision", tool: "purge_all" });
    expect(await operator("audit", "verify", "bob")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^bob: whole, up to record \d+/),
    });
    expect(await operator("audit", "verify", "nobody")).toMatchObject({ code: 1, aside: "nobody: no records\n" });
    expect(await operator("audit", "query", "decisions", "--user", "nobody")).toMatchObject({
      code: 0,
      out: "",
      aside: "no records\n",
    });
    expect(await operator("audit", "query", "decisons")).toMatchObject({
      code: 2,
      aside: expect.stringContaining("did you mean `decisions`"),
    });
  });

  it("is followed: what is added is printed, once", async () => {
    const token = await gateway.key({ tenantOf: admin, user: "eve" });
    await refusedCall(token, "before");
    const trail = () => operator("audit", "query", "decisions", "--user", "eve");
    await expect.poll(async () => (await trail()).out, { timeout: 20_000 }).toContain("before");
    const args = [...program, "audit", "tail", "decisions", "--user", "eve", "--gateway", origin];
    const child = spawn(process.execPath, args, { cwd: root, env: { ...shellEnvironment(), TOOLGATE_KEY: admin } });
    const lines: string[] = [];
    const reader = createInterface({ input: child.stdout });
    reader.on("line", (line) => lines.push(line));
    await once(reader, "line");
    for (const tool of ["first", "second"]) {
      await refusedCall(token, tool);
      await expect.poll(() => lines.at(-1), { timeout: 20_000 }).toContain(tool);
    }
    child.kill();
    await once(child, "close");
    expect(lines.map((line) => line.split(/ {2,}/)[2])).toEqual(["before", "first", "second"]);
  });

  it("is not for users", async () => {
    const env = { TOOLGATE_KEY: await gateway.key() };
    expect(await runToolgate(["audit", "query", "turns", "--gateway", origin], { env })).toMatchObject({
      code: 1,
      out: "",
    });
  });
});

describe("policies", () => {
  it("are reached by the same program, and its usage says so", async () => {
    expect(await operator("policy", "pull", "--tenant", "tenant-1")).toMatchObject({
      code: 0,
      out: expect.stringContaining('"name": "default"'),
    });
    expect(await runToolgate(["policy", "push"])).toMatchObject({
      code: 2,
      aside: expect.stringMatching(/^usage: toolgate policy push/),
    });
    expect(await runToolgate(["start", "--help"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^usage: toolgate start/),
    });
  });
});
