/** `npm run policy -- check|push|pull|diff` as a person runs them: a process, its output, its exit code. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { root } from "../../../src/cli/settings.ts";
import { shellEnvironment } from "../../support/shell-environment.ts";
import { type AdminServer, digestOf, startAdminServer } from "../support/admin-contract.ts";

const KEY = "tg_operator";

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function policy(args: readonly string[], environment: Readonly<Record<string, string>> = { TOOLGATE_KEY: KEY }) {
  return new Promise<Ran>((resolve) => {
    const options = { cwd: root, env: { ...shellEnvironment(), ...environment } };
    execFile(process.execPath, ["src/cli/policy.ts", ...args], options, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
  });
}

let folder: string;
let server: AdminServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-policy-"));
  server = await startAdminServer(KEY);
});

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  server.policies.clear();
  server.requests.length = 0;
});

function written(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return path;
}

const local = { name: "local", tools: { look: { category: "read_only" } } };
const other = { name: "other", tools: { look: { category: "external" } } };

describe("check", () => {
  it("passes what is valid, and warns", async () => {
    const file = written("valid.json", { ...local, execution: { strategy: "system_first" } });
    const cases = written("valid.cases.json", { tools: { look: {} }, cases: [{ name: "a", turns: [{ user: "hi" }] }] });
    const { code, out, err } = await policy(["check", file, cases]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(`${file}: valid\n  warning  /execution/strategy: `);
    expect(out).toContain(`${cases}: valid\n`);
  });

  it("tells warnings with their codes, notes apart, and secrets where it is asked for them", async () => {
    const headers = { authorization: "Bearer {{secret.CRM}}" };
    const find = { parameters: {}, run: { kind: "http", method: "POST", url: "https://crm.test/a", headers } };
    const file = written("secrets.json", { tools: { find, look: { roles: [] } } });
    const { code, out } = await policy(["check", file]);
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}warning {2}\/tools\/look\/roles: is empty, .* \(roles_empty\)$/m);
    expect(out).toMatch(/^ {2}note {5}\/intents: .* \(intent_general\)$/m);
    expect(out).not.toContain("CRM");
    const asked = await policy(["check", "--secrets", file]);
    const needs = "needs `CRM` for crm.test; only the gateway knows whether its settings bind it";
    expect(asked.out).toContain(`  secret   /tools/find/run/headers/authorization: ${needs}\n`);
  });

  it("tells of roles that leave the development key without one", async () => {
    const file = written("roles.json", { ...local, roles: ["agent", "lead"] });
    const told =
      /\/roles: the roles are `agent`, `lead`, so .*`tg-dev-user`.* \(`.*toolgate -- keys create NAME ROLE`\)/;
    expect((await policy(["check", file])).out).toMatch(told);
    expect((await policy(["push", file, "--gateway", server.url])).out).toMatch(told);
    expect((await policy(["check", written("usual.json", { ...local, roles: ["guest", "user"] })])).out).not.toMatch(
      "tg-dev-user",
    );
  });

  it("tells every error of a policy with its path", async () => {
    const file = written("wrong.json", {
      tools: { "a*b:": {}, look: { roles: ["boss"], colour: 1 } },
      unlistedTools: "x",
    });
    const { code, err } = await policy(["check", file]);
    expect(code).toBe(1);
    expect(err).toContain(`${file}: not valid\n`);
    expect(err).toMatch(/ {2}error {4}\/tools\/look\/colour: unknown setting/);
    expect(err).toMatch(/ {2}error {4}\/unlistedTools: must be one of/);
  });

  it("tells every error of a case file with its path", async () => {
    written("twice.json", local);
    const turn = { expect: { steps: [{ withheld: { lost: ["mode_forbids"] } }] }, tools: ["lost"] };
    const one = { name: "a", principal: { role: "boss" }, turns: [turn] };
    const wordings = [{ text: "hi", intents: [] }, { text: "hi" }];
    const cases = [one, { ...one, turns: [{ results: [], user: "x" }] }];
    const file = written("twice.cases.json", { cases, wordings });
    const { code, out } = await policy(["check", "--json", file]);
    expect(code).toBe(1);
    const { files } = JSON.parse(out) as { files: { errors: { path: string }[] }[] };
    expect(files[0]?.errors.map(({ path }) => path)).toEqual([
      "/cases/0/principal/role",
      "/cases/0/turns/0",
      "/cases/0/turns/0/expect/steps",
      "/cases/0/turns/0/expect/steps/0/withheld/lost",
      "/cases/0/turns/0/tools/0",
      "/cases/1/name",
      "/cases/1/principal/role",
      "/cases/1/turns/0/results",
      "/wordings/1",
      "/wordings/1/text",
    ]);
  });

  it("takes a file that only says what messages want, and none that tests nothing", async () => {
    written("words.json", local);
    const words = written("words.cases.json", { wordings: [{ text: "hi", intents: [] }] });
    expect(await policy(["check", words])).toMatchObject({ code: 0, err: "" });
    written("nothing.json", local);
    const { code, err } = await policy(["check", written("nothing.cases.json", {})]);
    expect(code).toBe(1);
    expect(err).toContain("the case file tests nothing: give it `cases` or `wordings`");
  });

  it("knows reasons, fields of the audit trail and settings by their spelling", async () => {
    written("spelt.json", local);
    const expectation = {
      decisions: [{ tool: "a", reasons: ["no_such"] }],
      audit: { turn: { stopReason: "x" } },
      stpes: [],
    };
    const file = written("spelt.cases.json", { cases: [{ name: "a", turns: [{ user: "x", expect: expectation }] }] });
    const { code, err } = await policy(["check", file]);
    expect(code).toBe(1);
    expect(err).toContain("/cases/0/turns/0/expect/decisions/0/reasons/0: must be one of `unknown_tool`");
    expect(err).toContain("/cases/0/turns/0/expect/audit/turn/stopReason: ");
    expect(err).toContain("/cases/0/turns/0/expect/stpes: unknown setting, did you mean `steps`?");
  });

  it("tells what cannot be read, and cases without a policy", async () => {
    const broken = written("broken.json", "{");
    const lonely = written("lonely.cases.json", { cases: [] });
    const { code, err } = await policy(["check", broken, lonely, join(folder, "nowhere.json")]);
    expect(code).toBe(1);
    expect(err).toContain(`${broken}: not valid\n  error    /: is not JSON: line 1, column 2: the text ends too early`);
    expect(err).toContain("has no policy beside it");
    expect(err).toContain(`there is no file ${join(folder, "nowhere.json")}`);
  });
});

describe("push", () => {
  it("sends plain JSON, whatever the file holds besides", async () => {
    const commented = `// mine\n${JSON.stringify(local, null, 2).replace(/\n\}$/, ",\n}")}`;
    const { code, err } = await policy(["push", written("commented.json", commented), "--gateway", server.url]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(server.policies.get("default")).toEqual(local);
  });

  it("puts a first policy only where the tenant has none, and the next only in the place of what was seen", async () => {
    const file = written("push.json", local);
    const first = await policy(["push", file, "--gateway", `${server.url}/v1`, "--tenant", "acme"]);
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toContain("warning  /audit/retentionDays: is not in force\n");
    expect(first.out).toContain(`version ${digestOf(local).slice(0, 12)} is in force for tenant \`acme\``);
    expect(server.policies.get("acme")).toEqual(local);
    server.policies.set("acme", other);
    expect(await policy(["push", file, "--gateway", server.url, "--tenant", "acme"])).toMatchObject({ code: 0 });
    expect(server.requests).toEqual([
      "GET /admin/policies/acme",
      "PUT /admin/policies/acme *",
      "GET /admin/policies/acme",
      `PUT /admin/policies/acme "${digestOf(other)}"`,
    ]);
  });

  it("changes nothing in a dry run", async () => {
    server.policies.set("default", other);
    const { code, out } = await policy([
      ...["push", written("dry.json", local), "--gateway", server.url, "--dry-run", "--full"],
    ]);
    expect(code).toBe(0);
    expect(out).toContain("tools:\n  look  category external → read_only\n");
    expect(out).toContain(`dry run: version ${digestOf(local).slice(0, 12)} would take the place of `);
    expect(server.policies.get("default")).toEqual(other);
  });

  it("says in some lines what changes, unless all is wanted", async () => {
    server.policies.set("default", other);
    const { out } = await policy(["push", written("brief.json", local), "--gateway", server.url, "--dry-run"]);
    expect(out).toContain("category: look external → read_only\n");
    expect(out).toContain("(`--full`: every setting, situation and line)\n");
  });

  it("tells that somebody else changed it", async () => {
    server.policies.set("default", other);
    const args = ["push", written("late.json", local), "--gateway", server.url, "--if-match", digestOf(local)];
    const { code, err } = await policy(args);
    expect(code).toBe(1);
    expect(err).toContain(`the policy has changed in the meantime: the version in force is \`${digestOf(other)}\``);
    expect(server.policies.get("default")).toEqual(other);
  });

  it("tells that it is done where the gateway cannot tell what changed, or not all of it", async () => {
    const warnings = [{ path: "", message: "what changes cannot be told" }];
    const update = { object: "policy.update", version: digestOf(local), previous: digestOf(other), dry_run: false };
    const push = () => policy(["push", written("untold.json", local), "--gateway", server.url, "--full"]);
    const one = { message: "counts here alone" };
    const alike = ["/a", "/b", "/a"].map((path) => ({ ...one, path }));
    server.answerNext("PUT", 200, { ...update, changes: null, warnings: [...alike, ...warnings] });
    const untold = await push();
    expect(untold).toMatchObject({ code: 0, err: "" });
    expect(untold.out).toContain("warning  /: what changes cannot be told\n");
    expect(untold.out.match(/^warning .*here alone$/gm)).toEqual(["warning  /a, /b: counts here alone"]);
    expect(untold.out).toContain(`version ${digestOf(local).slice(0, 12)} is in force`);
    const hosts = [{ host: "crm.example.com", change: "added", gained: ["secret CRM", "tool look"], lost: [] }];
    server.answerNext("PUT", 200, { ...update, changes: { hosts, tools: ["look"], truncated: true }, warnings: [] });
    const told = "hosts:\n  crm.example.com added  gains secret CRM, tool look\ntools:\n  look\n";
    expect((await push()).out).toContain(`${told}there is more that changes than the gateway tells\n`);
  });

  it("asks nobody about a file that is not valid", async () => {
    const { code, err } = await policy(["push", written("bad.json", { colour: 1 }), "--gateway", server.url]);
    expect(code).toBe(1);
    expect(err).toContain("bad.json is not a valid policy:\n  /colour: unknown setting");
    expect(server.requests).toEqual([]);
  });

  it("tells everything that the gateway finds wrong", async () => {
    const errors = [
      { path: "/tools/look", message: "is one" },
      { path: "", message: "is another" },
    ];
    server.answerNext("PUT", 400, { error: { message: "two things are wrong", code: "policy_invalid", errors } });
    const { code, err } = await policy(["push", written("refused.json", local), "--gateway", server.url]);
    expect(code).toBe(1);
    expect(err).toBe(
      "the gateway refuses the document: two things are wrong\n  /tools/look: is one\n  /: is another\n",
    );
  });
});

describe("pull", () => {
  it("prints the policy in force, and writes it so that pushing it changes nothing", async () => {
    server.policies.set("default", local);
    const printed = await policy(["pull", "--gateway", server.url]);
    expect(printed).toEqual({ code: 0, out: `${JSON.stringify(local, null, 2)}\n`, err: "" });
    const path = join(folder, "pulled.json");
    expect(await policy(["pull", "--gateway", server.url, "--out", path])).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(path, "utf8")).toBe(printed.out);
    const again = await policy(["pull", "--gateway", server.url, "--out", path]);
    expect(again).toMatchObject({
      code: 1,
      err: expect.stringContaining("is there already: name another file, or add"),
    });
    expect(await policy(["pull", "--gateway", server.url, "--out", path, "--force"])).toMatchObject({ code: 0 });
    expect((await policy(["push", path, "--gateway", server.url])).out).toContain(
      "is in force for tenant `default` already",
    );
  });

  it("fetches a version by its name", async () => {
    server.policies.set("default", local);
    const { code, out } = await policy(["pull", "--gateway", server.url, "--version", digestOf(local)]);
    expect({ code, document: JSON.parse(out) }).toEqual({ code: 0, document: local });
    const unknown = await policy(["pull", "--gateway", server.url, "--version", "0".repeat(64)]);
    expect(unknown).toMatchObject({ code: 1, out: "" });
    expect(unknown.err).toContain("does not know this: unknown version");
  });
});

describe("diff", () => {
  it("exits 0 where nothing differs", async () => {
    server.policies.set("default", local);
    const { code, out } = await policy(["diff", written("same.json", local), "--gateway", server.url]);
    expect(code).toBe(0);
    const version = `version ${digestOf(local).slice(0, 12)}, since 2026-11-01T00:00:00.000Z, by key_1`;
    expect(out).toContain(`is the policy of tenant \`default\`, ${version}`);
  });

  it("shows what differs and exits 1, and puts nothing into force", async () => {
    server.policies.set("default", other);
    const file = written("differs.json", local);
    const { code, out } = await policy(["diff", file, "--gateway", server.url]);
    expect(code).toBe(1);
    expect(out).toContain(`+++ ${file}\ncategory: look external → read_only\n(\`--full\`: `);
    expect(out).not.toContain('"name"');
    expect(server.requests.at(-1)).toBe(`PUT /admin/policies/default?dry_run=true "${digestOf(other)}"`);
    expect(server.policies.get("default")).toEqual(other);
  });

  it("shows every setting and line where all is asked for", async () => {
    server.policies.set("default", other);
    const file = written("differs.json", local);
    const { code, out } = await policy(["diff", file, "--full", "--gateway", server.url]);
    expect(code).toBe(1);
    expect(out).toContain(`+++ ${file}\ntools:\n  look  category external → read_only\n`);
    expect(out).toContain('-   "name": "other",\n+   "name": "local",\n');
  });

  it("exits 2 where it cannot tell", async () => {
    expect(await policy(["diff", join(folder, "nowhere.json"), "--gateway", server.url])).toMatchObject({ code: 2 });
  });
});

describe("a file that is not there", () => {
  it.each([["check"], ["test"], ["push"], ["diff"]])(
    "is named by %s, with the one that may be meant",
    async (command) => {
      const near = written("library.json", local);
      const { code, err } = await policy([command, join(folder, "libary.json")]);
      expect(code).toBe(command === "diff" ? 2 : 1);
      expect(err).toBe(`there is no file ${join(folder, "libary.json")}: did you mean ${near}?\n`);
      expect((await policy([command, folder])).err).toBe(`${folder} is a folder: name a file in it\n`);
    },
  );
});

describe("a command that talks to a gateway", () => {
  const pull = (url: string, environment?: Readonly<Record<string, string>>) =>
    policy(["pull", "--gateway", url], environment);

  it("tells that nobody listens", async () => {
    // A port that no service is assigned and no system hands out: one that a test gave back may be another's by now.
    const nobody = "http://127.0.0.1:4";
    const { code, err } = await pull(nobody);
    expect({ code, err }).toEqual({
      code: 1,
      err: `nothing listens at ${nobody}: \`npm start\` starts a gateway on this machine\n`,
    });
  });

  it("tells that the key is not accepted, and never the key", async () => {
    const { code, err } = await pull(server.url, { TOOLGATE_KEY: "tg_wrong" });
    expect(code).toBe(1);
    expect(err).toContain("the gateway does not accept the key (TOOLGATE_KEY): the API key is not valid\n");
    expect(err).not.toContain("tg_wrong");
  });

  it("uses the development key on loopback alone", async () => {
    const here = await pull(server.url, {});
    expect(here.err).toContain("does not accept the key (the development key, since TOOLGATE_KEY is not set)");
    const away = await pull("https://gateway.example", {});
    expect(away).toEqual({
      code: 1,
      out: "",
      err: "TOOLGATE_KEY is not set: https://gateway.example needs an operator's key\n",
    });
  });

  it("sends no key over an open network, and takes none from the address", async () => {
    expect((await pull("http://gateway.example")).err).toContain("is not encrypted");
    expect((await pull("https://me:secret@gateway.example")).err).toContain("must hold no user name");
  });

  it.each([
    [
      403,
      { error: { message: "this is another's tenant", code: "tenant_forbidden" } },
      "may not do this: this is another's tenant",
    ],
    [503, { error: { message: "not now", code: "unavailable" } }, "the gateway answers 503 (unavailable): not now"],
    [502, "<html>", "the gateway answers 502: no reason is given"],
    [200, "<html>", "answers 200, but not with an object of JSON"],
  ])("tells a reply of %i", async (status, body, text) => {
    server.answerNext("GET", status, body);
    const { code, err } = await pull(server.url);
    expect(code).toBe(1);
    expect(err).toContain(text);
  });

  it("says how it is called where it does not understand", async () => {
    const { code, err } = await policy(["pull", "--colour"]);
    expect(code).toBe(2);
    expect(err).toContain("usage: npm run policy -- pull [--gateway URL]");
    expect(await policy(["dance"])).toMatchObject({ code: 2 });
    expect(await policy(["--help"])).toMatchObject({ code: 0, err: "" });
  });
});
