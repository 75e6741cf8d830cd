/** `npm run deploy`: its dry run as a person starts it, and the real sequence against an account that is played. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cloudflare, cloudflareApi } from "../../src/cli/deploy/cloudflare.ts";
import { bindsWorkersAi, deployConfig, readConfig } from "../../src/cli/deploy/config.ts";
import { readDeploySettings } from "../../src/cli/deploy/deploy-settings.ts";
import { keptKeysIn, keysFileName } from "../../src/cli/deploy/kept-keys.ts";
import { type DeployOptions, readDeployOptions } from "../../src/cli/deploy/options.ts";
import { deployAll } from "../../src/cli/deploy/steps.ts";
import { root } from "../../src/cli/settings.ts";
import { shellEnvironment } from "../support/shell-environment.ts";
import { type Account, account, TOKEN } from "./support/cloudflare-account.ts";

const upstream = { UPSTREAM_BASE_URL: "https://api.example.com/v1", UPSTREAM_API_KEY: "sk-very-secret" };
const options: DeployOptions = {
  dryRun: false,
  name: undefined,
  domain: undefined,
  subdomain: undefined,
  newAdminKey: false,
  noAdminKey: false,
  smokeTest: true,
};

describe("the dry run", () => {
  const run = promisify(execFile);
  /** Wrangler writes there, and would find the login of whoever runs the tests. */
  let home: string;
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), "toolgate-deploy-home-"));
  });
  afterAll(() => rmSync(home, { recursive: true }));
  const dryRun = (settings: Readonly<Record<string, string>>, ...args: string[]) =>
    run(process.execPath, ["src/cli/deploy.ts", "--dry-run", ...args], {
      cwd: root,
      env: { ...shellEnvironment(), HOME: home, ...settings },
    });

  it("says each step, bundles the Worker, and shows no secret", async () => {
    const { stdout } = await dryRun({ ...upstream, METRICS: "1" }, "--name", "gate-staging");
    expect(stdout.split("\n").map((line) => line.slice(0, 12).trim())).toEqual(
      [
        "1 login",
        "1 subdomain",
        "2 KV",
        "3 D1",
        "3 D1",
        "4 migrate",
        "4 migrate",
        "5 secrets",
        "6 deploy",
        "",
        "7 key",
        "8 check",
        "nothing was",
        "",
      ].map((line) => line.slice(0, 12).trim()),
    );
    expect(stdout).toContain("`gate-staging-kv`");
    expect(stdout).toMatch(/`gate-staging-audit` lacks of 0001_audit\.sql, [^\n]*/);
    expect(stdout).toContain("`gate-staging-tools` lacks of 0001_notes.sql");
    expect(stdout).toMatch(/bundled \(Total Upload: [\d.]+ KiB/);
    expect(stdout).toContain("METRICS=1");
    expect(stdout).not.toContain("sk-very-secret");
    const config = readFileSync(join(root, ".wrangler/toolgate/gate-staging.json"), "utf8");
    expect(config).not.toContain("sk-very-secret");
    expect(JSON.parse(config)).toMatchObject({
      name: "gate-staging",
      vars: { UPSTREAM_BASE_URL: upstream.UPSTREAM_BASE_URL, METRICS: "1" },
      d1_databases: [
        {
          binding: "AUDIT_DB",
          database_name: "gate-staging-audit",
          migrations_dir: join(root, "src/stores/migrations"),
        },
        {
          binding: "TOOLS_DB",
          database_name: "gate-staging-tools",
          migrations_dir: join(root, "src/stores/migrations/tools"),
        },
      ],
      // Signed links stand in addresses.
      observability: { logs: { invocation_logs: false } },
    });
  });

  it("refuses settings that the Worker would refuse, all at once, and development keys", async () => {
    const failed = dryRun({ UPSTREAM_BASE_URL: "http://plain.example.com", AUDIT_KEY: "short" });
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /nothing was deployed[\s\S]*AUDIT_KEY[\s\S]*UPSTREAM_BASE_URL must be an https URL/,
      ),
    });
  });
});

describe("the settings", () => {
  const one = "UPSTREAM_BASE_URL=https://a.example/v1\n";
  const [two, collector] = [`${one}UPSTREAM_2_BASE_URL=`, `${one}OTEL_EXPORTER_OTLP_ENDPOINT=`];
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "toolgate-deploy-test-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const read = (text: string, environment = {}, bound = false) => {
    const file = join(folder, ".deploy.vars");
    writeFileSync(file, text);
    return readDeploySettings(file, environment, bound);
  };

  it("are plain or secret by name; the environment goes first; what is of this machine is not sent", () => {
    const settings = read("UPSTREAM_BASE_URL=https://a.example/v1\nUPSTREAM_API_KEY=one\nPORT=8787", {
      UPSTREAM_BASE_URL: "https://b.example/v1",
      HOME: "/root",
    });
    expect(settings).toEqual({
      ok: true,
      value: {
        plain: { UPSTREAM_BASE_URL: "https://b.example/v1" },
        secrets: { UPSTREAM_API_KEY: "one" },
        warnings: ["PORT is for programs of this machine and is not sent"],
      },
    });
  });

  it("of secrets in the environment only those are the gateway's that TOOL_SECRETS names", () => {
    const bound = '{"CRM":{"tenants":["*"],"hosts":["crm.example.com"]}}';
    const settings = read(one, { TOOL_SECRETS: bound, SECRET_CRM: "crm", SECRET_OTHERS: "none of ours" });
    expect(settings).toMatchObject({ ok: true, value: { secrets: { SECRET_CRM: "crm" }, warnings: [] } });
    expect(JSON.stringify(settings)).not.toContain("none of ours");
  });

  it("that are misspelt are told, in the file and in the environment", () => {
    expect(read(one, { CORS_ORIGIN: "https://a.example" })).toMatchObject({
      value: {
        warnings: ["CORS_ORIGIN is no setting and is not read: did you mean CORS_ORIGINS?"],
      },
    });
  });

  it.each([
    ["UPSTREAM_BASE_URL=https://me:pass@a.example/v1", "UPSTREAM_BASE_URL"],
    ["UPSTREAM_BASE_URL=https://a.example/v1\nUPSTREAM_2_API_KEY=two", "UPSTREAM_2_BASE_URL"],
    ["UPSTREAM_BASE_URL=https://a.example/v1\nKEY_RATE_LIMIT=often", "KEY_RATE_LIMIT"],
    ["UPSTREAM_BASE_URL=https://a.example\nTOOLGATE_DEV=1", "for development alone"],
    [`${one}TOOLGATE_LISTENER_SECRET=x`, "TOOLGATE_LISTENER_SECRET is for development alone"],
    ["UPSTREAM_API_KEY=k", "UPSTREAM_BASE_URL is not set: write"],
    [`${one}WEBHOOKS=[{"url":"http://127.0.0.1/"}]`, "WEBHOOKS: 0.url is no https URL"],
    [`${one}PUBLIC_URL=http://localhost:8787`, "PUBLIC_URL is no https URL"],
    [`${one}UPSTREAM_APIKEY=k`, "UPSTREAM_APIKEY is no setting of Toolgate: did you mean `UPSTREAM_API_KEY`?"],
    [`${one}DATABASE_URL=postgres://me:pass@db`, "DATABASE_URL is no setting of Toolgate: remove it"],
    [`${one}TENANT_SETTINGS=yes`, "TENANT_SETTINGS: write `1`"],
    [`${one}EMBEDDINGS_MODEL=@cf/baai/bge-m3`, "bind it as AI in wrangler.toml"],
    [`${one}UPSTREAM_PROVIDERS={"workers-ai":{}}`, "UPSTREAM_PROVIDERS: workers-ai needs Workers AI"],
    [`${one}SIGNING_KEYS=short`, "SIGNING_KEYS: signing key 1"],
    [`${one}TOOL_SECRETS={"CRM":{"tenants":["*"],"hosts":["https://crm.example.com"]}}`, "TOOL_SECRETS: CRM.hosts.0"],
    [`${one}CONSOLE_OIDC={"issuer":"http://id.example","client_id":"x"}`, "CONSOLE_OIDC: issuer"],
    [`${one}DATA_LOCATION=mars`, "DATA_LOCATION: write weur, eeur"],
    [`${one}DATA_JURISDICTION=ch`, "DATA_JURISDICTION: write eu, fedramp, us"],
    ["UPSTREAM_BASE_URL=HTTP://a.example/v1", "UPSTREAM_BASE_URL must be an https URL"],
    [`${two}http://b.example/v1`, "UPSTREAM_2_BASE_URL must be an https URL"],
    [
      `${one}UPSTREAM_PROVIDERS={"near":{"baseUrl":"http://n.example"}}`,
      "UPSTREAM_PROVIDERS: near.baseUrl must be an https URL",
    ],
    [
      `${one}CORS_ORIGINS=https://${"a".repeat(5120)}.example`,
      "CORS_ORIGINS has 5136 bytes: Cloudflare takes at most 5120",
    ],
    [`${collector}http://c.example`, "OTEL_EXPORTER_OTLP_ENDPOINT must be an https URL"],
    [`${collector}https://me:pass@c.example`, "OTEL_EXPORTER_OTLP_ENDPOINT holds a user or password"],
  ])("%s is refused", (text, message) => {
    expect(read(text)).toEqual({ ok: false, error: [expect.stringContaining(message)] });
  });

  it("may name what the deployment makes or binds", () => {
    expect(read(`${one}TENANT_SETTINGS=1`)).toMatchObject({ ok: true });
    expect(read(`${one}EMBEDDINGS_MODEL=@cf/baai/bge-m3`, {}, true)).toMatchObject({ ok: true });
    expect([bindsWorkersAi({}), bindsWorkersAi({ ai: { binding: "AI" } })]).toEqual([false, true]);
  });

  it("an unknown option, a bad name or host is refused", () => {
    for (const argv of [
      ["--nmae", "x"],
      ["--name", "Big"],
      ["--domain", "nodots"],
      ["--subdomain", "-a"],
      ["--subdomain", "a.b"],
      ["--new-admin-key", "--no-admin-key"],
    ])
      expect(readDeployOptions(argv)).toMatchObject({ ok: false });
  });
});

it("the configuration binds a queue, its dead letters and a bucket where the trail is queued", () => {
  const resources = { kv: "kv", databases: {} };
  const config = deployConfig(readConfig(), { ...options, name: "gate" }, resources, { TRAIL: "queued" });
  expect(config).toMatchObject({
    vars: { TRAIL: "queued" },
    queues: {
      producers: [{ binding: "TRAIL_QUEUE", queue: "gate-trail" }],
      consumers: [{ queue: "gate-trail", dead_letter_queue: "gate-trail-dead" }, { queue: "gate-trail-dead" }],
    },
    r2_buckets: [{ binding: "ARCHIVE", bucket_name: "gate-archive" }],
    triggers: { crons: ["17 3 * * *", "47 * * * *"] },
  });
  const direct = deployConfig(readConfig(), options, resources, {});
  expect([direct.queues, direct.r2_buckets, direct.triggers]).toEqual([
    undefined,
    undefined,
    { crons: ["17 3 * * *"] },
  ]);
});

it("the configuration binds a data set where the settings name one", () => {
  const bound = (plain: Record<string, string>) =>
    deployConfig(readConfig(), options, { kv: "kv", databases: {} }, plain).analytics_engine_datasets;
  expect(bound({ METRICS_DATASET: "turns" })).toEqual([{ binding: "ANALYTICS", dataset: "turns" }]);
  expect(bound({})).toBeUndefined();
});

it("the configuration binds a database for each shard, with the tables of the first", () => {
  const databases = { AUDIT_DB: "one", AUDIT_DB_2: "two", TOOLS_DB: "tools" };
  const plain = { TRAIL_SHARDS: "AUDIT_DB,AUDIT_DB_2" };
  const config = deployConfig(readConfig(), { ...options, name: "gate" }, { kv: "kv", databases }, plain);
  const [audit, , second] = config.d1_databases ?? [];
  expect([audit?.database_name, second?.binding, second?.database_name, second?.database_id]).toEqual([
    "gate-audit",
    "AUDIT_DB_2",
    "gate-audit-2",
    "two",
  ]);
  expect(second?.migrations_dir).toBe(audit?.migrations_dir);
  expect(config.triggers).toEqual({ crons: ["17 3 * * *", "47 * * * *"] });
});

describe("the sequence", () => {
  const deploy = (
    cloud: Account,
    changed: Partial<DeployOptions> = {},
    secrets = {},
    plain = {},
    answers: readonly string[] = [],
  ) => {
    const left = [...answers];
    const said: string[] = [];
    const configs: unknown[] = [];
    const keptKeys = {
      path: ".deploy.keys.toolgate",
      read: () => cloud.keptKeys,
      write(keys: Readonly<Record<string, string>>) {
        cloud.keptKeys = keys;
      },
    };
    const work = deployAll({
      options: { ...options, ...changed },
      settings: { plain, secrets: { UPSTREAM_API_KEY: "sk-very-secret", ...secrets }, warnings: [] },
      cloud: cloudflare(cloud.wrangler, cloud.api, "deploy.json"),
      writeConfig: (resources) => configs.push(resources),
      keptKeys,
      say: (line) => said.push(line),
      ask: async () => left.shift(),
      now: Date.now(),
      gateway: cloud.gateway,
    });
    return { work, said, configs };
  };

  it("makes what is missing, migrates before it deploys, and shows the operator's key once", async () => {
    const cloud = account();
    const { work, said, configs } = deploy(cloud);
    const keep = await work;
    const databases = { AUDIT_DB: "id-of-toolgate-audit", TOOLS_DB: "id-of-toolgate-tools" };
    expect(configs).toEqual([{ kv: "id-of-toolgate-kv", databases }]);
    const commands = cloud.commands.map((args) => args.slice(0, 3).join(" "));
    expect(commands.filter((command) => command === "d1 migrations apply").length).toBe(2);
    expect(commands.lastIndexOf("d1 migrations apply")).toBeLessThan(commands.indexOf("deploy --config deploy.json"));
    expect(commands.indexOf("secret bulk --config")).toBeLessThan(commands.indexOf("deploy --config deploy.json"));
    expect(Object.keys(cloud.secrets)).toEqual(["UPSTREAM_API_KEY", "AUDIT_KEY", "SIGNING_KEYS", "CONNECTION_KEY"]);
    expect(cloud.secrets.SIGNING_KEYS).toMatch(/^k1:[0-9a-f]{64}$/);
    expect(cloud.secrets.SIGNING_KEYS).not.toBe(cloud.secrets.AUDIT_KEY);
    expect(cloud.secrets.AUDIT_KEY).toMatch(/^k1:[0-9a-f]{64}$/);
    expect(keep).toEqual([
      expect.stringMatching(/^operator's key: tg_/),
      "base URL for clients: https://toolgate.me.workers.dev/v1",
    ]);
    expect(said.map((line) => line[0])).toEqual(["1", "1", "2", "3", "3", "4", "4", "5", "5", "6", "7", "8"]);
    const told = JSON.stringify([cloud.commands, said]);
    for (const secret of [
      "sk-very-secret",
      TOKEN,
      ...Object.values(cloud.secrets),
      keep[0]?.split(" ").at(-1) as string,
    ])
      expect(told).not.toContain(secret);
    const [value] = [...cloud.kv.values()];
    expect(JSON.parse(value ?? "")).toMatchObject({ tenant: "default", role: "admin", operator: true });
  });

  it("run again it makes nothing anew: neither stores, nor keys that sign, nor an operator's key", async () => {
    const cloud = account();
    await deploy(cloud).work;
    const { ...secrets } = cloud.secrets;
    cloud.commands.length = 0;
    const keep = await deploy(cloud).work;
    expect(cloud.secrets).toEqual(secrets);
    expect(cloud.commands.map((args) => args.join(" ")).filter((text) => / create /.test(text))).toEqual([]);
    expect(cloud.kv.size).toBe(1);
    expect(keep.join()).not.toContain("operator's key");
    expect((await deploy(cloud, { newAdminKey: true }).work).join()).toContain("operator's key");
  });

  it("makes the queues and the archive where the trail is queued, and keeps those that are there", async () => {
    const cloud = account({ failing: /^r2 bucket create/ });
    await expect(deploy(cloud, {}, {}, { TRAIL: "queued" }).work).rejects.toThrow(
      /bucket `toolgate-archive`[\s\S]*no such luck/,
    );
    cloud.failing = undefined;
    const made = () => cloud.commands.map((args) => args.join(" ")).filter((text) => /^(queues|r2) /.test(text));
    cloud.commands.length = 0;
    await deploy(cloud, {}, {}, { TRAIL: "queued" }).work;
    expect(made()).toEqual([
      "queues create toolgate-trail",
      "queues create toolgate-trail-dead",
      "r2 bucket create toolgate-archive",
    ]);
    const { said, work } = deploy(cloud, {}, {}, { TRAIL: "queued" });
    await work;
    expect(said.filter((line) => line.startsWith("3 trail")).map((line) => line.slice(13))).toEqual([
      "queue `toolgate-trail` is there",
      "queue `toolgate-trail-dead` is there",
      "bucket `toolgate-archive` is there",
    ]);
  });

  it("makes all stores of a staging name in CI, where and within what the settings say, and shows no key", async () => {
    const cloud = account();
    const plain = { TRAIL: "queued", TRAIL_SHARDS: "AUDIT_DB,AUDIT_DB_2", DATA_LOCATION: "weur" };
    const staging = { name: "gate-staging", noAdminKey: true };
    const { work, said } = deploy(cloud, staging, {}, plain);
    expect(await work).toEqual([expect.stringMatching(/^base URL for clients: /)]);
    const made = ({ commands }: Account) =>
      commands.map((args) => args.join(" ")).filter((text) => text.includes(" create "));
    expect(made(cloud)).toEqual([
      "kv namespace create gate-staging-kv",
      "d1 create gate-staging-audit --location weur",
      "d1 create gate-staging-tools --location weur",
      "d1 create gate-staging-audit-2 --location weur",
      "queues create gate-staging-trail",
      "queues create gate-staging-trail-dead",
      "r2 bucket create gate-staging-archive --location weur",
    ]);
    expect(said.join()).not.toContain("operator's key");
    const inEu = account();
    await deploy(inEu, staging, {}, { ...plain, DATA_JURISDICTION: "eu" }).work;
    expect(made(inEu).filter((text) => text.endsWith("--jurisdiction eu")).length).toBe(4);
    const bound = deployConfig(
      readConfig(),
      options,
      { kv: "kv", databases: {} },
      { ...plain, DATA_JURISDICTION: "eu" },
    );
    expect(bound.r2_buckets).toEqual([{ binding: "ARCHIVE", bucket_name: "toolgate-archive", jurisdiction: "eu" }]);
  });

  describe("asks the gateway whether it works", () => {
    it("with a key that is gone afterwards", async () => {
      const cloud = account();
      const { work, said } = deploy(cloud, { noAdminKey: true });
      await work;
      const url = "https://toolgate.me.workers.dev";
      expect(cloud.asked).toEqual([
        `${url}/health`,
        `${url}/v1/me`,
        `${url}/v1/me with a key`,
        `${url}/v1/audit/turns?limit=1 with a key`,
      ]);
      expect(said.at(-1)).toBe('8 check      it answers as it should; /health: {"status":"ok","audit":"ok"}');
      expect(cloud.kv.size).toBe(0);
    });

    it("again, until a new address and a new key are known", async () => {
      const cloud = account();
      cloud.answers["/health"] = [
        { status: 0, text: "ENOTFOUND" },
        { status: 404, text: "" },
        { status: 200, text: '{"status":"degraded","audit":"failing"}' },
      ];
      const { work, said } = deploy(cloud);
      await work;
      expect(cloud.gateway.now()).toBe(6_000);
      expect(said.at(-1)).toContain('"audit":"failing"');
    });

    it.each([
      [
        "/health",
        { status: 0, text: "ENOTFOUND" },
        /GET \/health is answered with nothing instead of 200[\s\S]*ENOTFOUND/,
      ],
      ["/v1/me", { status: 200, text: "{}" }, /GET \/v1\/me is answered with 200 instead of 401/],
      ["/v1/audit/turns", { status: 503, text: "no such table" }, /503 instead of 200[^\n]*D1 answers: no such table/],
    ])("and fails where %s is answered otherwise, but shows the operator's key", async (path, answer, message) => {
      const cloud = account();
      cloud.answers[path] = [answer];
      const failed = await deploy(cloud).work.catch(String);
      expect(failed).toMatch(message);
      expect(failed).toMatch(/operator's key: tg_/);
      expect(cloud.kv.size).toBe(1);
      expect(cloud.gateway.now()).toBeGreaterThanOrEqual(180_000);
      await deploy(cloud, { smokeTest: false }).work;
    });
  });

  it("goes on where an earlier run stopped", async () => {
    const cloud = account({ failing: /^d1 migrations/ });
    await expect(deploy(cloud).work).rejects.toThrow(/d1 migrations apply failed[\s\S]*no such luck/);
    expect(cloud.commands.some(([first]) => first === "deploy")).toBe(false);
    cloud.failing = undefined;
    await deploy(cloud).work;
    expect(cloud.commands.filter((args) => args.includes("create")).length).toBe(3);
  });

  it("stops before a Worker would refuse to serve for a key that an upstream has left behind", async () => {
    const cloud = account();
    await deploy(cloud).work;
    cloud.secrets.UPSTREAM_2_API_KEY = "sk-left-behind";
    cloud.commands.length = 0;
    await expect(deploy(cloud).work).rejects.toThrow(/wrangler secret delete UPSTREAM_2_API_KEY --name toolgate/);
    expect(cloud.commands.some(([first]) => first === "deploy")).toBe(false);
    await deploy(cloud, {}, {}, { UPSTREAM_2_BASE_URL: "https://b.example/v1" }).work;
    expect(cloud.commands.some(([first]) => first === "deploy")).toBe(true);
  });

  it("stops before a Worker would refuse to serve for a secret that its tools may send, unless it has it already", async () => {
    const cloud = account();
    const bound = { TOOL_SECRETS: '{"CRM":{"tenants":["*"],"hosts":["crm.example.com"]}}' };
    await expect(deploy(cloud, {}, {}, bound).work).rejects.toThrow(/write SECRET_CRM to .deploy.vars/);
    expect(cloud.commands.some(([first]) => first === "deploy")).toBe(false);
    await deploy(cloud, {}, { SECRET_CRM: "crm" }, bound).work;
    await deploy(cloud, {}, {}, bound).work;
    expect(cloud.secrets.SECRET_CRM).toBe("crm");
  });

  describe("the keys that sign and seal", () => {
    const ring = (...ids: string[]) => ids.map((id) => `${id}:${id.repeat(20)}`).join(",");

    it("are kept on this machine, and come back where the Worker has lost them", async () => {
      const cloud = account();
      const { work, said } = deploy(cloud);
      await work;
      const { UPSTREAM_API_KEY: _, ...keys } = cloud.secrets;
      expect(cloud.keptKeys).toEqual(keys);
      expect(said.join("\n")).toContain("the keys are in .deploy.keys.toolgate: keep a copy");
      delete cloud.secrets.AUDIT_KEY;
      await deploy(cloud).work;
      expect(cloud.secrets.AUDIT_KEY).toBe(keys.AUDIT_KEY);
    });

    it("stand in the file before they are in force", async () => {
      const cloud = account({ failing: /^secret bulk/ });
      await expect(deploy(cloud).work).rejects.toThrow("secret bulk");
      const { AUDIT_KEY } = cloud.keptKeys;
      cloud.failing = undefined;
      await deploy(cloud).work;
      expect([cloud.secrets.AUDIT_KEY, AUDIT_KEY]).toEqual([AUDIT_KEY, expect.stringMatching(/^k1:/)]);
    });

    it("may be followed by newer ones, and none is lost", async () => {
      const cloud = account();
      const one = { AUDIT_KEY: ring("k1") };
      await deploy(cloud, {}, one).work;
      for (const lost of [ring("k2"), `k1:${"other".repeat(8)}`]) {
        const failed = await deploy(cloud, {}, { AUDIT_KEY: lost }).work.catch(String);
        expect(failed).toMatch(/AUDIT_KEY no longer has the key `k1`[\s\S]*\.deploy\.keys\.toolgate/);
        expect(failed).not.toContain("k1k1");
      }
      expect(cloud.secrets.AUDIT_KEY).toBe(one.AUDIT_KEY);
      await deploy(cloud, {}, { AUDIT_KEY: ring("k2", "k1") }).work;
      await deploy(cloud).work;
      expect([cloud.secrets.AUDIT_KEY, cloud.keptKeys.AUDIT_KEY]).toEqual([ring("k2", "k1"), ring("k2", "k1")]);
    });

    it("a key that takes the place of one that nobody here knows is warned of, once", async () => {
      const cloud = account();
      await deploy(cloud).work;
      cloud.keptKeys = {};
      const warned = async () => {
        const { work, said } = deploy(cloud, {}, { AUDIT_KEY: ring("k2") });
        await work;
        return said.some((line) => line.includes("warning: AUDIT_KEY replaces"));
      };
      expect([await warned(), await warned()]).toEqual([true, false]);
    });

    it("are in a file that only its owner may read, whatever they are", () => {
      const folder = mkdtempSync(join(tmpdir(), "toolgate-keys-test-"));
      const path = join(folder, keysFileName("gate"));
      writeFileSync(path, "", { mode: 0o644 });
      const keys = { AUDIT_KEY: ring("k1"), SIGNING_KEYS: `k1:it's ${"#".repeat(40)} \\n` };
      keptKeysIn(path).write(keys);
      expect([keptKeysIn(path).read(), statSync(path).mode & 0o777]).toEqual([keys, 0o600]);
      expect(keptKeysIn(join(folder, "none")).read()).toEqual({});
      expect(readFileSync(join(root, ".gitignore"), "utf8")).toContain("\n.deploy.keys.*\n");
      rmSync(folder, { recursive: true });
    });
  });

  it("a failure to list secrets is not taken for a Worker without any", async () => {
    const cloud = account();
    await deploy(cloud).work;
    const { AUDIT_KEY } = cloud.secrets;
    cloud.failing = /^secret list/;
    await expect(deploy(cloud).work).rejects.toThrow(/secret list failed/);
    expect(cloud.secrets.AUDIT_KEY).toBe(AUDIT_KEY);
  });

  describe("in an account without a workers.dev subdomain", () => {
    const made = ({ commands }: Account) =>
      commands.filter(([first, second]) => first !== "api" && first !== "whoami" && second !== "token");

    it("stops before anything is made where nobody can be asked, and says what to do", async () => {
      const cloud = account({ subdomain: null });
      const { work } = deploy(cloud);
      await expect(work).rejects.toThrow(
        /no workers\.dev subdomain[\s\S]*--subdomain NAME[\s\S]*--domain HOST[\s\S]*me\/workers\/onboarding/,
      );
      expect(made(cloud)).toEqual([]);
      expect(cloud.subdomain).toBeUndefined();
    });

    it("asks for one until it can be registered, before anything is made", async () => {
      const cloud = account({ subdomain: null, taken: ["acme"] });
      const { work, said } = deploy(cloud, {}, {}, {}, ["-odd-", "acme", "acme-tools.workers.dev"]);
      await work;
      expect(cloud.subdomain).toBe("acme-tools");
      expect(said.filter((line) => line.startsWith("1 subdomain"))).toEqual([
        expect.stringContaining("`-odd-` is no subdomain"),
        expect.stringContaining("`acme` cannot be registered: somebody else has it"),
        expect.stringContaining("acme-tools.workers.dev registered; https://toolgate.acme-tools.workers.dev"),
      ]);
      const commands = cloud.commands.map((args) => args.join(" "));
      const put = commands.indexOf("api PUT /accounts/me/workers/subdomain");
      expect(put).toBeLessThan(commands.indexOf("kv namespace list"));
    });

    it("registers the one that the command line names, or says why not", async () => {
      const cloud = account({ subdomain: null });
      await deploy(cloud, { subdomain: "acme" }).work;
      expect(cloud.subdomain).toBe("acme");
      const taken = account({ subdomain: null, taken: ["acme"] });
      await expect(deploy(taken, { subdomain: "acme" }).work).rejects.toThrow(
        "cannot be registered: somebody else has it",
      );
      expect(made(taken)).toEqual([]);
    });

    it("registers none where nothing is answered, or a domain is given", async () => {
      const cloud = account({ subdomain: null });
      await expect(deploy(cloud, {}, {}, {}, [""]).work).rejects.toThrow("nothing was deployed");
      await deploy(cloud, { domain: "tools.example.com" }).work;
      expect(cloud.subdomain).toBeUndefined();
      expect(cloud.commands.filter(([first]) => first === "api").length).toBe(1);
    });
  });

  it("goes on where the login may not see the subdomain, and stops where Cloudflare fails", async () => {
    const blind = account({ refusal: { status: 403, code: 10000, message: "Authentication error" } });
    await deploy(blind).work;
    const down = account({ refusal: { status: 500, code: 10001, message: "service failure" } });
    await expect(deploy(down).work).rejects.toThrow("service failure (10001)");
    expect(down.commands.some((args) => args.includes("create"))).toBe(false);
  });

  it("asks Cloudflare's API with wrangler's credentials, of either kind, and shows none", async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      const { authorization, "x-auth-key": key, "x-auth-email": email } = request.headers;
      seen.push([request.method, request.url, authorization ?? `${key} ${email}`].join(" "));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ success: true, errors: [], result: { subdomain: "acme" } }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const printed = async (text: string) => ({ code: 0, stdout: text, stderr: "" });
    const ask = (text: string) => cloudflare(() => printed(text), cloudflareApi(base), "x").subdomain("acc");
    expect(await ask('{"type":"api_token","token":"t0ken"}')).toEqual({ kind: "is", name: "acme" });
    await ask('{"type":"api_key","key":"k3y","email":"a@b.example"}');
    const path = "GET /accounts/acc/workers/subdomain";
    expect(seen).toEqual([`${path} Bearer t0ken`, `${path} k3y a@b.example`]);
    await expect(ask("t0ken")).rejects.toThrow(/^wrangler's answer is no JSON$/);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const gone = ask('{"type":"api_token","token":"t0ken"}');
    await expect(gone).rejects.toThrow(/^Cloudflare's API cannot be asked \(GET [^)]*\): (?!.*t0ken)/);
  });

  it("without a login, or with several accounts and none named, nothing is done", async () => {
    for (const [accounts, message] of [
      [[], "nobody is logged in"],
      [["one", "two"], "set CLOUDFLARE_ACCOUNT_ID"],
    ] as const) {
      const cloud = account({ accounts });
      await expect(deploy(cloud).work).rejects.toThrow(message);
      expect(cloud.commands.length).toBe(1);
    }
  });
});
