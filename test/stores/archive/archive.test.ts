/** The archive: what a compaction makes wherever it dies, and what shows when somebody changes it. */
import { describe, expect, test } from "vitest";
import type { SealedRecord } from "../../../src/ports/audit-record.ts";
import { partitionOf } from "../../../src/stores/archive/archive-files.ts";
import { compactArchive } from "../../../src/stores/archive/compact.ts";
import { archiveBatch, readParquet, writeParquet } from "../../../src/stores/archive/parquet-records.ts";
import { verifyArchive } from "../../../src/stores/archive/verify-archive.ts";
import {
  approvalRecord,
  chainOf,
  connectionRecord,
  decisionRecord,
  keys,
  planRecord,
  runRecord,
  turnRecord,
} from "../audit/records.ts";
import { readerOf } from "./bucket-reader.ts";
import { memoryBucket } from "./memory-bucket.ts";

const at = Date.parse("2026-11-27T23:59:59Z");
const hour = 3600_000;

function chainFor(user: string, turns: number, begin = at): readonly SealedRecord[] {
  return chainOf(Array.from({ length: turns }, (_, index) => turnRecord({ user, at: begin + index * hour })));
}

function openArchive() {
  const clock = { now: at };
  const store = memoryBucket(() => clock.now);
  let batches = 0;
  return {
    ...store,
    fails: (calls: RegExp | undefined) => {
      store.failing = calls;
    },
    add: (records: readonly SealedRecord[], groups = 1) =>
      archiveBatch(store.bucket, records, { groups, name: `batch${String(++batches).padStart(3, "0")}` }),
    compact: () => {
      clock.now += hour;
      return compactArchive({ bucket: store.bucket, keys }, clock.now);
    },
    verify: (from?: string) => verifyArchive(readerOf(store), keys, from),
  };
}

test("records of every kind come back as they were sealed", async () => {
  const decision = decisionRecord({ reasons: [{ code: "unknown_tool", tool: "rm" }], effect: "deny" });
  const records = chainOf([turnRecord(), decision, approvalRecord(), runRecord(), planRecord(), connectionRecord()]);
  expect(await readParquet(await writeParquet(records))).toEqual(records);
});

test("a tenant's records of a day are in one partition, whoever else is in it", () => {
  const groups = new Set(Array.from({ length: 200 }, (_, n) => partitionOf({ tenant: `t${n}`, at }, 8).group));
  expect([...groups].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(partitionOf({ tenant: "acme", at }, 8)).toEqual(partitionOf({ tenant: "acme", at: at - hour }, 8));
  expect(partitionOf({ tenant: "acme", at: at + 1000 }, 1)).toEqual({ day: "2026-11-28", group: 0 });
});

describe("a compaction", () => {
  test("makes one file of each partition, each record once, and leaves young files alone", async () => {
    const { add, compact, verify, files, bucket } = openArchive();
    const [ada, bob] = [chainFor("ada", 4), chainFor("bob", 2)];
    await add(ada.slice(0, 2));
    await add([...ada.slice(1), ...bob]);
    expect((await compactArchive({ bucket, keys }, at + 1_000)).files).toBe(0);
    expect(await verify()).toMatchObject({ problems: [], records: 6, incoming: 6 });
    expect(await compact()).toEqual({ files: 4, records: 6, more: false });
    expect([...files.keys()].sort()).toEqual([
      "manifests/0000000001.json",
      "records/day=2026-11-27/group=0/c0000000001-0.parquet",
      "records/day=2026-11-28/group=0/c0000000001-0.parquet",
    ]);
    expect(await verify()).toMatchObject({ problems: [], users: 2, records: 6, incoming: 0, last: { number: 1 } });
  });

  test("leaves out what an earlier one has, and its manifest names the one before", async () => {
    const { add, compact, verify } = openArchive();
    const ada = chainFor("ada", 6);
    await add(ada.slice(0, 3));
    await compact();
    await add(ada.slice(2));
    expect(await compact()).toMatchObject({ records: 3 });
    expect(await verify()).toMatchObject({ problems: [], records: 6, last: { number: 2 } });
  });

  test.each([
    ["before its first file", /put records/],
    ["between its files", /put records\/day=2026-11-28/],
    ["before its manifest", /put manifests/],
    ["before the small files are removed", /delete incoming/],
  ])("that dies %s is made good by the next one", async (_, dies) => {
    const { add, compact, verify, fails } = openArchive();
    await add(chainFor("ada", 4));
    fails(dies);
    await expect(compact()).rejects.toThrow("R2 is down");
    fails(undefined);
    // More came meanwhile, so that its files are others.
    await add(chainFor("bob", 3));
    await compact();
    expect(await verify()).toMatchObject({ problems: [], users: 2, records: 7, incoming: 0 });
  });

  test("does not go on from a manifest that somebody has changed", async () => {
    const { add, compact, files } = openArchive();
    await add(chainFor("ada", 1));
    await compact();
    const key = "manifests/0000000001.json";
    const text = new TextDecoder().decode(files.get(key)?.bytes).replace('"number":1', '"number":2');
    files.set(key, { bytes: new TextEncoder().encode(text), uploaded: new Date(0) });
    await add(chainFor("bob", 1));
    await expect(compact()).rejects.toThrow("not as it was signed");
  });
});

describe("what somebody with the bucket alone has done shows", () => {
  const ada = chainFor("ada", 4);
  async function filled() {
    const archive = openArchive();
    await archive.add([...ada.slice(0, 2), ...chainFor("bob", 2)]);
    await archive.compact();
    await archive.add(ada.slice(2));
    await archive.compact();
    const keysIn = (prefix: string) => [...archive.files.keys()].filter((key) => key.startsWith(prefix)).sort();
    const put = (key: string, bytes: Uint8Array) => archive.files.set(key, { bytes, uploaded: new Date(0) });
    return { ...archive, keysIn, put };
  }

  test("a file that is gone", async () => {
    const { verify, keysIn, files } = await filled();
    const [first = ""] = keysIn("records/");
    files.delete(first);
    expect((await verify()).problems).toContain(`${first} is missing`);
  });

  test("a user who was dropped from a file", async () => {
    const { verify, keysIn, files, put } = await filled();
    const [first = ""] = keysIn("records/");
    const records = await readParquet(files.get(first)?.bytes ?? new Uint8Array());
    put(first, await writeParquet(records.filter(({ record }) => record.user !== "bob")));
    expect((await verify()).problems).toContain(`${first} is not the file that its manifest names`);
  });

  test("a manifest that is gone, or was signed by another key", async () => {
    const { verify, keysIn, files, put } = await filled();
    const [first = "", second = ""] = keysIn("manifests/");
    const text = new TextDecoder().decode(files.get(second)?.bytes);
    put(second, new TextEncoder().encode(text.replace(/"signature":"./, '"signature":"x')));
    expect((await verify()).problems).toContain(`${second} is not as it was signed`);
    put(second, new TextEncoder().encode(text));
    files.delete(first);
    expect((await verify()).problems).toContain(`${first} is missing`);
  });

  test("the newest manifest and its files: to who noted its number and digest", async () => {
    const { verify, keysIn, files } = await filled();
    const before = (await verify()).last;
    files.delete(keysIn("manifests/").at(-1) ?? "");
    expect((await verify()).last).not.toEqual(before);
  });

  test("a record that was altered, or added, in a file of no manifest", async () => {
    const { verify, add } = await filled();
    const [forged] = chainFor("ada", 5).slice(4);
    await add(forged ? [{ ...forged, record: { ...forged.record, user: "eve" } }] : []);
    expect((await verify()).problems.join()).toContain("is not as it was sealed");
  });
});

test("days that were removed are no fault to who says from when on the archive is kept", async () => {
  const { add, compact, verify, files } = openArchive();
  await add(chainFor("ada", 4));
  await compact();
  for (const key of [...files.keys()]) if (key.includes("day=2026-11-27")) files.delete(key);
  expect((await verify()).problems.length).toBeGreaterThan(0);
  expect(await verify("2026-11-28")).toMatchObject({ problems: [], records: 3 });
});
