/** `toolgate audit verify --archive` and `query "select …" --archive`, over a folder and over the S3 API of a bucket that is played. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { auditCommand } from "../../src/cli/audit/audit-command.ts";
import { partitionOf } from "../../src/stores/archive/archive-files.ts";
import { compactArchive } from "../../src/stores/archive/compact.ts";
import { archiveBatch, writeParquet } from "../../src/stores/archive/parquet-records.ts";
import { memoryBucket } from "../stores/archive/memory-bucket.ts";
import { AUDIT_KEY, chainOf, decisionRecord, keys, turnRecord } from "../stores/audit/records.ts";

const at = Date.parse("2026-11-20T12:00:00Z");
let folder: string;
let server: Server;
let s3: Readonly<Record<string, string>>;
const { bucket, files } = memoryBucket(() => at);

beforeAll(async () => {
  const refused = decisionRecord({ at, effect: "deny", tool: "rm", reasons: [{ code: "unknown_tool", tool: "rm" }] });
  const chain = chainOf([turnRecord({ at }), refused, turnRecord({ at: at + 24 * 3600_000 })]);
  await archiveBatch(bucket, chain.slice(0, 2), { groups: 1, name: "batch1" });
  await compactArchive({ bucket, keys }, at + 3600_000);
  // Came twice: the second is in the large file already.
  await archiveBatch(bucket, chain.slice(1), { groups: 1, name: "batch2" });
  folder = mkdtempSync(join(tmpdir(), "toolgate-archive-test-"));
  writeAll(folder, files);
  server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://s3");
    const isSigned = /^AWS4-HMAC-SHA256 Credential=id\//.test(request.headers.authorization ?? "");
    const prefix = url.searchParams.get("prefix");
    const file = files.get(decodeURIComponent(url.pathname).replace("/trail/own/", ""));
    if (!isSigned) response.writeHead(403).end("<Error>SignatureDoesNotMatch</Error>");
    else if (prefix !== null)
      response.end(listing(prefix.replace("own/", ""), url.searchParams.get("continuation-token")));
    else if (file) response.end(file.bytes);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  s3 = { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`, AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  server.close();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

function writeAll(place: string, stored: ReturnType<typeof memoryBucket>["files"]): void {
  for (const [key, { bytes }] of stored) {
    mkdirSync(dirname(join(place, key)), { recursive: true });
    writeFileSync(join(place, key), bytes);
  }
}

/** One key a page. */
function listing(prefix: string, after: string | null): string {
  const keys = [...files.keys()].filter((key) => key.startsWith(prefix) && key > (after ?? "")).sort();
  const more = keys.length > 1 ? `<NextContinuationToken>${keys[0]}</NextContinuationToken>` : "";
  return `<ListBucketResult>${keys.slice(0, 1).map((key) => `<Contents><Key>own/${key}</Key></Contents>`)}${more}</ListBucketResult>`;
}

async function run(environment: Readonly<Record<string, string>>, ...args: string[]) {
  const [out, errors]: [string[], string[]] = [[], []];
  vi.spyOn(console, "log").mockImplementation((text) => void out.push(String(text)));
  vi.spyOn(console, "error").mockImplementation((text) => void errors.push(String(text)));
  for (const [name, value] of Object.entries({ AUDIT_KEY, ...environment })) vi.stubEnv(name, value);
  const code = await auditCommand(args);
  return { code, out, errors: errors.join("\n") };
}

const places = () => [["a folder", folder, {}] as const, ["a bucket", "s3://trail/own", s3] as const];

test.each([0, 1])("verify tells whether an archive is whole (%i)", async (which) => {
  const [, place, environment] = places()[which] ?? ["", "", {}];
  const { code, out } = await run(environment, "verify", "--archive", place);
  expect([code, out[0]]).toEqual([
    0,
    expect.stringMatching(/^whole: 3 records of 1 users, 1 of them in no manifest yet; manifest 1, /),
  ]);
  const other = await run({ ...environment, AUDIT_KEY: `k1:${"b".repeat(32)}` }, "verify", "--archive", place);
  expect([other.code, other.out.at(-1)]).toEqual([1, expect.stringMatching(/^NOT WHOLE/)]);
});

test.each([0, 1])("query asks DuckDB, and counts a record once (%i)", async (which) => {
  const [, place, environment] = places()[which] ?? ["", "", {}];
  const sql = "select \"user\", tool, reasons, count(*)::int as n from records where effect = 'deny' group by all";
  expect(await run(environment, "query", sql, "--archive", place, "--json")).toMatchObject({
    code: 0,
    out: ['{"user":"ada","tool":"rm","reasons":"unknown_tool","n":1}'],
  });
  const all = await run(environment, "query", "select count(*)::int from records", "--archive", place);
  expect(all.out).toEqual(["3"]);
  const one = await run(
    environment,
    "query",
    "select count(*)::int from records",
    "--archive",
    place,
    "--to",
    "2026-11-20",
  );
  expect(one.out).toEqual(["2"]);
});

describe("query of one tenant", () => {
  const sql = "select id from records order by id";
  const groupsOf = (tenants: readonly string[]) => tenants.map((tenant) => partitionOf({ tenant, at }, 4).group);
  // One in each of four groups, by chance of their names.
  const named = Array.from({ length: 60 }, (_, n) => `t${n}`);
  const tenants = [0, 1, 2, 3].map((group) => named[groupsOf(named).indexOf(group)] ?? "");
  const turns = tenants.map((tenant, n) => turnRecord({ tenant, at: at + n, id: `turn_${n}` }));
  const chains = turns.flatMap((turn) => chainOf([turn]));
  let place: string;
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), "toolgate-archive-test-"));
    const store = memoryBucket(() => at);
    await archiveBatch(store.bucket, chains, { groups: 4, name: "batch1" });
    // The next day was not divided.
    const later = turns.map((turn, n) => ({ ...turn, at: at + 24 * 3600_000, id: `turn_later${n}` }));
    await archiveBatch(
      store.bucket,
      later.flatMap((turn) => chainOf([turn])),
      { groups: 1, name: "batch2" },
    );
    await compactArchive({ bucket: store.bucket, keys }, at + 3600_000);
    writeAll(place, store.files);
  });
  afterAll(() => rmSync(place, { recursive: true }));

  test.each(["1", "4", "16"])("has its records and no others, whatever the groups were (%s)", async (groups) => {
    for (const [n, tenant] of tenants.entries()) {
      const environment = { ARCHIVE_GROUPS: groups };
      const { out } = await run(environment, "query", sql, "--archive", place, "--tenant", tenant);
      expect(out).toEqual([`turn_${n}`, `turn_later${n}`]);
    }
  });

  test("does not read files of other groups, where the day has the groups of the settings", async () => {
    const [own = "", other = ""] = tenants;
    const files = readdirSync(place, { recursive: true }).map(String);
    const others = files.find((name) => name.includes("day=2026-11-20/group=1/") && name.endsWith(".parquet")) ?? "";
    const bytes = readFileSync(join(place, others));
    writeFileSync(join(place, others), "no Parquet");
    const asked = (tenant: string) =>
      run({ ARCHIVE_GROUPS: "4" }, "query", sql, "--archive", place, "--tenant", tenant, "--to", "2026-11-20");
    expect((await asked(own)).out).toEqual(["turn_0"]);
    expect(await asked(other)).toMatchObject({ code: 1 });
    writeFileSync(join(place, others), bytes);
  });
});

test("query reads files of before a column was added beside newer ones", async () => {
  const place = mkdtempSync(join(tmpdir(), "toolgate-archive-test-"));
  const put = (day: string, bytes: Uint8Array) => {
    mkdirSync(join(place, `records/day=${day}/group=0`), { recursive: true });
    writeFileSync(join(place, `records/day=${day}/group=0/c0000000001-0.parquet`), bytes);
  };
  const older = { columnData: [{ name: "id", type: "STRING" as const, data: ["turn_1"] }] };
  put("2026-11-19", new Uint8Array(parquetWriteBuffer(older)));
  put("2026-11-20", await writeParquet(chainOf([turnRecord({ at, id: "turn_2" })])));
  const { out } = await run({}, "query", "select id, model from records order by id", "--archive", place);
  expect(out).toEqual(["turn_1  null", "turn_2  demo"]);
  rmSync(place, { recursive: true });
});

test("verify finds no archive whole that is not there, is empty, or has lost its manifests", async () => {
  const gone = await run({}, "verify", "--archive", join(folder, "nowhere"));
  expect([gone.code, gone.errors]).toEqual([1, expect.stringMatching(/^there is no folder `.*nowhere`/)]);
  const place = mkdtempSync(join(tmpdir(), "toolgate-archive-test-"));
  const empty = await run({}, "verify", "--archive", place);
  expect([empty.code, empty.errors]).toEqual([1, expect.stringMatching(/^there is no archive at/)]);
  writeAll(place, new Map([...files].filter(([key]) => key.startsWith("records/"))));
  const bare = await run({}, "verify", "--archive", place);
  expect([bare.code, bare.out[0]]).toEqual([1, "the files of records are in no manifest"]);
  rmSync(place, { recursive: true });
});

test("says what is missing or wrong", async () => {
  expect((await run({ AWS_ENDPOINT_URL: "" }, "verify", "--archive", "s3://trail")).errors).toContain(
    "AWS_ENDPOINT_URL",
  );
  expect((await run({ AUDIT_KEY: "" }, "verify", "--archive", folder)).errors).toContain("AUDIT_KEY");
  expect(await run({}, "query", "selec 1", "--archive", folder)).toMatchObject({
    code: 1,
    errors: expect.stringContaining("syntax error"),
  });
  const odd = await run(
    { ...s3, AWS_ACCESS_KEY_ID: "other" },
    "query",
    "select 1",
    "--archive",
    "s3://trail/own",
  ).catch(String);
  expect(odd).toContain("403");
});
