/** `npm start`'s script as a person runs it: a process of its own, a port of its own, its state in a folder of its own. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import OpenAI from "openai";
import { afterEach, beforeEach, expect, it } from "vitest";
import { root } from "../../src/cli/settings.ts";
import { freePort } from "../bench/run/free-port.ts";
import { shellEnvironment } from "../support/shell-environment.ts";
import { says, startUpstream } from "./support/upstream.ts";

const run = promisify(execFile);

let folder: string;
let started: Started[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-start-"));
});

afterEach(async () => {
  for (const one of started) await one.end();
  started = [];
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  readonly port: number;
  readonly pid: number;
  /** Everything printed so far. */
  readonly output: () => string;
  /** Resolves with the output once it is ready, or has ended. */
  readonly ready: Promise<string>;
  readonly exit: Promise<number | null>;
  /** As Ctrl-C does. */
  readonly interrupt: () => void;
  /** SIGTERM, and its exit code. */
  readonly end: () => Promise<number | null>;
}

async function start(settings: Readonly<Record<string, string>> = {}): Promise<Started> {
  const port = await freePort();
  // Wrangler writes there, where not everybody may, and looks for what else of it is running.
  const HOME = join(folder, "home");
  const child: ChildProcess = spawn(process.execPath, ["src/cli/start.ts"], {
    cwd: root,
    env: { ...shellEnvironment(), HOME, PORT: String(port), TOOLGATE_STATE: join(folder, "state"), ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { promise: ready, resolve } = Promise.withResolvers<string>();
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes("Toolgate is ready")) resolve(output);
    });
  }
  const exit = once(child, "close").then(([code]) => code as number | null);
  exit.then(() => resolve(output));
  const end = () => {
    child.kill("SIGTERM");
    return exit;
  };
  const interrupt = () => void child.kill("SIGINT");
  const one: Started = { port, pid: child.pid ?? 0, output: () => output, ready, exit, interrupt, end };
  started.push(one);
  return one;
}

/** The lines from `curl` to the end of the command. */
function printedCommand(output: string): string {
  const command = /^curl (?:.*\\\n)*.*$/m.exec(output)?.[0];
  if (command === undefined) throw new Error(`no curl in:\n${output}`);
  return command;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** All that live; what has ended and only waits to be reaped does not. */
function processes(): Process[] {
  return readdirSync("/proc").flatMap((name): Process[] => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      return state === "Z" ? [] : [{ pid: Number(name), parent: Number(parent), command }];
    } catch {
      return [];
    }
  });
}

function descendants(of: number): number[] {
  const all = processes();
  const below = (pid: number): number[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...below(child.pid)]);
  return below(of);
}

/** The ports of this machine on which these processes listen. */
function listeningPorts(pids: readonly number[]): number[] {
  const sockets = new Set(
    pids.flatMap((pid) =>
      readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
        try {
          return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
        } catch {
          return [];
        }
      }),
    ),
  );
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode = ""]) => state === "0A" && sockets.has(inode))
    .map(([, local = ""]) => Number.parseInt(local.split(":")[1] ?? "", 16));
}

/** Sends the very bytes and answers with all that comes back. */
async function raw(port: number, lines: readonly string[], body = ""): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const head = [...lines, `Content-Length: ${Buffer.byteLength(body)}`, "Connection: close"];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  let answer = "";
  for await (const part of socket.setEncoding("utf8")) answer += part;
  return answer;
}

async function turns(port: number): Promise<Record<string, unknown>[]> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/audit/turns?order=asc`, {
    headers: { authorization: "Bearer tg-dev-admin" },
  });
  return ((await response.json()) as { data: Record<string, unknown>[] }).data;
}

it("greets with what works, keeps its state between two starts, and leaves no process behind", async () => {
  const first = await start();
  const greeting = await first.ready;
  expect(greeting).toContain(`http://localhost:${first.port}/v1`);
  for (const role of ["guest", "user", "premium", "admin"]) expect(greeting).toContain(`tg-dev-${role}`);

  // Signed links work at once: this one is refused, and not for want of a key.
  expect((await fetch(`http://127.0.0.1:${first.port}/approve/none`)).status).toBe(404);

  // A refusal arrives though more of the body is on its way than the runtime reads.
  for (let time = 0; time < 5; time++) {
    const refused = { method: "POST", headers: { authorization: "Bearer nobody" }, body: new Uint8Array(4_000_000) };
    expect((await fetch(`http://127.0.0.1:${first.port}/v1/chat/completions`, refused)).status).toBe(401);
  }

  // And the built-in tools have their database.
  const headers = { authorization: "Bearer tg-dev-user" };
  const sources = await fetch(`http://127.0.0.1:${first.port}/v1/bibliography`, { headers });
  expect(await sources.json()).toMatchObject({ object: "list", data: [] });

  const { stdout } = await run("bash", ["-c", printedCommand(greeting)]);
  const reply = JSON.parse(stdout) as {
    choices: { message: { tool_calls: { function: { name: string; arguments: string } }[] } }[];
    toolgate: { turn_id: string; withheld: { name: string }[] };
  };
  expect(reply.choices[0]?.message.tool_calls).toMatchObject([
    { function: { name: "read_file", arguments: '{"path":"poem.txt"}' } },
  ]);
  expect(reply.toolgate.withheld.map(({ name }) => name)).toEqual(["write_file", "send_mail"]);
  await expect.poll(() => turns(first.port), { timeout: 10_000 }).toMatchObject([{ id: reply.toolgate.turn_id }]);

  const children = descendants(first.pid);
  expect(processes().filter(({ pid, command }) => children.includes(pid) && command.includes("workerd"))).not.toEqual(
    [],
  );
  expect(await first.end()).toBe(0);
  const left = () => processes().filter(({ pid, command }) => children.includes(pid) || command.includes(folder));
  await expect.poll(left, { timeout: 20_000 }).toEqual([]);

  const second = await start();
  await second.ready;
  expect(await turns(second.port)).toMatchObject([{ id: reply.toolgate.turn_id }]);
  expect(await second.end()).toBe(0);
});

it("leaves no process behind where it is killed outright", async () => {
  const gateway = await start();
  expect(await gateway.ready).toContain("Toolgate is ready");
  const children = descendants(gateway.pid);
  expect(children.length).toBeGreaterThan(1);
  process.kill(gateway.pid, "SIGKILL");
  await gateway.exit;
  const left = () => processes().filter(({ pid, command }) => children.includes(pid) || command.includes(folder));
  await expect.poll(left, { timeout: 20_000 }).toEqual([]);
});

it("F3: lets no web page pose as this machine, by the port that it tells or by any other", {
  tags: ["attack/keys"],
}, async () => {
  const gateway = await start();
  await gateway.ready;
  const { port, pid } = gateway;
  const operator = JSON.stringify({ user: "rebound", role: "admin", operator: true, expires_in: "90d" });
  const ask = (at: number, host: string, ...more: readonly string[]) =>
    raw(at, ["POST /admin/keys HTTP/1.1", `Host: ${host}`, "Authorization: Bearer tg-dev-admin", ...more], operator);
  // So that the refusals below are the listener's.
  expect(await ask(port, `localhost:${port}`)).toMatch(/^HTTP\/1\.1 201 /);

  const url = `MF-Original-URL: http://localhost:${port}/admin/keys`;
  const spoofs = [url, "X-Forwarded-Proto: http", `X-Forwarded-Host: localhost:${port}`, "MF-Route-Override: toolgate"];
  for (const more of [[], ...spoofs.map((one) => [one]), spoofs])
    expect(await ask(port, `evil.com:${port}`, `Origin: http://evil.com:${port}`, ...more)).toMatch(/^HTTP\/1\.1 403 /);
  expect(await ask(port, `localhost:${port}`, "Origin: http://evil.com", url)).toMatch(/^HTTP\/1\.1 403 /);
  expect(await ask(port, `localhost:${port}`, "Host: evil.com", url)).toMatch(/^HTTP\/1\.1 400 /);
  expect(await ask(port, `localhost.:${port}`, url)).toMatch(/^HTTP\/1\.1 403 /);

  const others = listeningPorts([pid, ...descendants(pid)]).filter((one) => one !== port);
  expect(others).not.toEqual([]);
  for (const other of others) {
    const names = [`localhost:${port}`, `localhost:${other}`, "evil.com"];
    for (const host of names) expect(await ask(other, host, url)).toMatch(/^HTTP\/1\.1 403 /);
    // Through a debugger's port a page could run code in the Worker.
    expect(await raw(other, ["GET /json HTTP/1.1", "Host: evil.com"])).not.toContain("webSocketDebuggerUrl");
  }
});

it("serves the upstream that UPSTREAM_BASE_URL names", async () => {
  const upstream = await startUpstream();
  try {
    upstream.script(says("Hello from upstream"));
    const WEBHOOKS = '[{"url":"https://hooks.test/s3cret"}]';
    const gateway = await start({
      UPSTREAM_BASE_URL: upstream.url,
      UPSTREAM_API_KEY: "sk-up",
      UPSTREAM_MODEL: "big",
      WEBHOOKS,
    });
    const greeting = await gateway.ready;
    expect(greeting).toContain(`${upstream.url}, model big`);
    const body = JSON.parse(/-d '(.*)'$/m.exec(greeting)?.[1] ?? "") as {
      readonly model: string;
      readonly tools: readonly { readonly function: { readonly name: string } }[];
    };
    expect(body.model).toBe("big");
    // Those of the policy that is built in.
    expect(body.tools.map(({ function: { name } }) => name)).toEqual(["read_file", "write_file", "edit_file"]);
    expect(gateway.output()).toMatch(/^webhooks +hooks\.test /m);
    expect(gateway.output()).not.toContain("s3cret");
    const baseURL = `http://127.0.0.1:${gateway.port}/v1`;
    const client = new OpenAI({ baseURL, apiKey: "tg-dev-user", maxRetries: 0 });
    const messages = [{ role: "user" as const, content: "hi" }];
    const { choices } = await client.chat.completions.create({ model: "any", messages });
    expect(choices[0]?.message.content).toBe("Hello from upstream");
    expect(upstream.requests).toMatchObject([{ headers: { authorization: "Bearer sk-up" }, body: { model: "big" } }]);
    expect(gateway.output()).not.toContain("sk-up");
  } finally {
    await upstream.stop();
  }
});

it("serves the policy that TOOLGATE_POLICY names", async () => {
  const path = join(folder, "policy.json");
  writeFileSync(path, JSON.stringify({ name: "closed", modes: { default: { deny: ["read_file"] } } }));
  const gateway = await start({ TOOLGATE_POLICY: path });
  const greeting = await gateway.ready;
  expect(greeting).toContain("closed, ");
  // And the built-in tools have their database.
  const headers = { authorization: "Bearer tg-dev-user" };
  const sources = await fetch(`http://127.0.0.1:${gateway.port}/v1/bibliography`, { headers });
  expect(await sources.json()).toMatchObject({ object: "list", data: [] });

  const { stdout } = await run("bash", ["-c", printedCommand(greeting)]);
  const { toolgate } = JSON.parse(stdout) as { toolgate: { withheld: unknown[] } };
  expect(toolgate.withheld).toContainEqual({ name: "read_file", reasons: expect.arrayContaining(["mode_forbids"]) });
});

it("keeps a policy that was put while it ran, until a start names a file, and its ledger knows of each", async () => {
  const policies = async ({ port }: Started, path = "", init: RequestInit = {}) => {
    const headers = { authorization: "Bearer tg-dev-admin" };
    const answer = await fetch(`http://127.0.0.1:${port}/admin/policies/default${path}`, { ...init, headers });
    return (await answer.json()) as { version?: string; error?: { code: string } };
  };
  const busy = new Set(["ledger_unavailable", "policy_unavailable", "policy_not_stored"]);
  const first = await start();
  expect(await first.ready).toContain("built in");
  const put = (await policies(first, "", { method: "PUT", body: '{"name":"put"}' })) as { version: string };
  await first.end();

  const second = await start();
  expect(await second.ready).toContain(`put, put through /admin/policies/default, version ${put.version.slice(0, 12)}`);
  await second.end();

  const path = join(folder, "policy.json");
  writeFileSync(path, '{ "name": "file" }');
  const third = await start({ TOOLGATE_POLICY: path });
  expect(await third.ready).toContain("file, ");
  const rollback = () =>
    policies(third, "/rollback", { method: "POST", body: JSON.stringify({ version: put.version }) });
  let rolledBack = await rollback();
  // On a machine that stood still its stores may have been silent for too long: told so, an operator asks again.
  for (let tries = 1; tries < 5 && busy.has(rolledBack.error?.code ?? ""); tries += 1) rolledBack = await rollback();
  expect(rolledBack).toMatchObject({ version: put.version });
  await third.end();

  const fourth = await start({ TOOLGATE_POLICY: path });
  expect(await fourth.ready).toContain("file, ");
  expect(await policies(fourth)).toMatchObject({ document: { name: "file" }, created_by: null });
  await fourth.end();

  const fifth = await start();
  expect(await fifth.ready).toContain("built in");
  const { data } = (await policies(fifth, "/versions")) as { data: { action: string; version: string | null }[] };
  expect(data.map(({ action }) => action)).toEqual(["adopted", "adopted", "rollback", "adopted", "put"]);
}, 180_000);

it("puts its policy in force whenever the file is saved, with what changes, and no invalid one", async () => {
  const path = join(folder, "policy.json");
  const save = (document: unknown) => writeFileSync(path, JSON.stringify(document, null, 2));
  const look = { look: { category: "read_only" } };
  save({ name: "first", tools: look });
  const gateway = await start({ TOOLGATE_POLICY: path });
  await gateway.ready;
  const inForce = async () => {
    const headers = { authorization: "Bearer tg-dev-admin" };
    const answer = await fetch(`http://127.0.0.1:${gateway.port}/admin/policies/default`, { headers });
    return ((await answer.json()) as { document: { name: string } }).document.name;
  };
  const says = (text: string | RegExp) => expect.poll(gateway.output, { timeout: 20_000 }).toMatch(text);

  save({ name: "second", tools: { look: { category: "read_only", roles: ["admin"] } }, audit: { retentionDays: 7 } });
  await says(/policy\.json was saved: version [0-9a-f]{12} is in force\n/);
  await says(/ {2}guest, premium, user lose look in .*\(role_forbids\)\n/);
  await says(/ {2}settings: .*\/audit\/retentionDays 90 → 7/);
  expect(await inForce()).toBe("second");

  writeFileSync(path, '{ "name": "third", "tools": { "look": { "category": "harmless" } }, "modes": 1 }');
  await says(/policy\.json was saved, but the policy in force stays:\n/);
  await says(/\/modes: .*\n.*\/tools\/look\/category: /);
  expect(await inForce()).toBe("second");

  save({ name: "fourth", tools: look });
  await says(/ {2}guest, premium, user gain look in /);
  expect(await inForce()).toBe("fourth");
  gateway.interrupt();
  expect(await gateway.exit).toBe(0);
  expect(gateway.output()).toMatch(/\nstopped\n$/);

  // Started without it, the gateway goes back to the built-in one, as after any start with a file.
  const next = await start();
  expect(await next.ready).toContain("built in");
});

it.each(["/proc/x", "under-a-file"])("ends with a clear error where TOOLGATE_STATE cannot be used: %s", async (odd) => {
  writeFileSync(join(folder, "file"), "");
  const state = odd === "under-a-file" ? join(folder, "file/state") : odd;
  const gateway = await start({ TOOLGATE_STATE: state });
  expect(await gateway.exit).toBe(1);
  expect(gateway.output()).toMatch(/^nothing can be kept in \S+ \(E\w+\): set TOOLGATE_STATE to another folder\n$/);
});

it("tells of settings that look misspelt, and refuses a state folder and a port that another gateway has", async () => {
  const first = await start({ UPSTREAM_BASEURL: "https://api.example.com/v1", TOOLGATE_POLCY: "x.json" });
  const greeting = await first.ready;
  expect(greeting).toContain("UPSTREAM_BASEURL is no setting and is not read: did you mean UPSTREAM_BASE_URL?");
  expect(greeting).toContain("TOOLGATE_POLCY is no setting and is not read: did you mean TOOLGATE_POLICY?");
  const same = await start();
  expect(await same.exit).toBe(1);
  expect(same.output()).toContain(`(pid ${first.pid}): end it, or set TOOLGATE_STATE to another folder`);
  const other = await start({ TOOLGATE_STATE: join(folder, "other"), PORT: String(first.port) });
  expect(await other.exit).toBe(1);
  expect(other.output()).toContain(`port ${first.port} is in use: free it, or set PORT to another`);
  expect((await fetch(`http://127.0.0.1:${first.port}/health`)).status).toBe(200);
});

it("refuses an invalid policy with the paths of what is wrong, and touches nothing", async () => {
  const path = join(folder, "policy.json");
  const wrong = { tools: { read_file: { category: "harmless" } }, execution: { maxSteps: 0 } };
  writeFileSync(path, JSON.stringify(wrong));
  const gateway = await start({ TOOLGATE_POLICY: path });
  expect(await gateway.exit).toBe(1);
  expect(gateway.output()).toContain(path);
  expect(gateway.output()).toContain("/tools/read_file/category: ");
  expect(gateway.output()).toContain("/execution/maxSteps: ");
  expect(readdirSync(folder)).toEqual(["policy.json"]);
});

it("refuses settings that the worker would answer every request with a 503 for, all at once, and touches nothing", async () => {
  const gateway = await start({ WEBHOOKS: '[{"url":"ftp://hooks.test"}]', LOG_LEVEL: "loud", AUDIT_KEY: "short" });
  expect(await gateway.exit).toBe(1);
  expect(gateway.output()).toContain("WEBHOOKS: 0.url is no https URL");
  expect(gateway.output()).toContain("LOG_LEVEL is `loud`");
  expect(gateway.output()).toContain("AUDIT_KEY: ");
  expect(gateway.output()).not.toContain("ready");
  expect(readdirSync(folder)).toEqual([]);
});
