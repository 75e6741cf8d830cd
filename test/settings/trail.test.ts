import { expect, test } from "vitest";
import type { SettingVariables } from "../../src/settings/settings-table.ts";
import { readTrail, readTrailTexts } from "../../src/settings/trail.ts";

const bound = { TRAIL_QUEUE: {}, ARCHIVE: {} };

test("without settings a user's object writes to the one database", () => {
  expect(readTrail({})).toEqual({
    ok: true,
    value: { kind: "direct", groups: 1, hotDays: undefined, shards: ["AUDIT_DB"] },
  });
});

test("a queue and a bucket go with `queued`", () => {
  expect(readTrail({ TRAIL: "queued", ARCHIVE_GROUPS: "16", ...bound })).toEqual({
    ok: true,
    value: { kind: "queued", groups: 16, hotDays: undefined, shards: ["AUDIT_DB"] },
  });
  for (const missing of [{}, { TRAIL_QUEUE: {} }, { ARCHIVE: {} }])
    expect(readTrail({ TRAIL: "queued", ...missing })).toMatchObject({
      error: [expect.stringContaining("no TRAIL_QUEUE")],
    });
});

test("what is wrong is told at once", () => {
  for (const groups of ["0", "257", "1.5", "x"])
    expect(readTrailTexts({ TRAIL: "quued", ARCHIVE_GROUPS: groups })).toEqual({
      ok: false,
      error: [expect.stringContaining("TRAIL: write"), expect.stringContaining("ARCHIVE_GROUPS: write")],
    });
});

test("several databases are each named once, the first among them, and bound", () => {
  const shards = "AUDIT_DB, AUDIT_DB_2";
  expect(readTrail({ TRAIL_SHARDS: shards, AUDIT_DB: {}, AUDIT_DB_2: {} } as SettingVariables)).toMatchObject({
    value: { shards: ["AUDIT_DB", "AUDIT_DB_2"] },
  });
  expect(readTrail({ TRAIL_SHARDS: shards, AUDIT_DB: {} } as SettingVariables)).toMatchObject({
    error: [expect.stringContaining("TRAIL_SHARDS names AUDIT_DB_2")],
  });
  for (const wrong of ["AUDIT_DB_2", "AUDIT_DB,AUDIT_DB", "AUDIT_DB,OTHER", "AUDIT_DB,"])
    expect(readTrailTexts({ TRAIL_SHARDS: wrong })).toMatchObject({
      error: [expect.stringContaining("TRAIL_SHARDS: ")],
    });
});

test("days of the index need an archive that has the others", () => {
  expect(readTrail({ TRAIL: "queued", HOT_DAYS: "7", ...bound })).toMatchObject({ value: { hotDays: 7 } });
  expect(readTrail({ HOT_DAYS: "7" })).toMatchObject({ error: [expect.stringContaining("no archive")] });
  for (const days of ["2", "1.5", "x", "4000"])
    expect(readTrailTexts({ TRAIL: "queued", HOT_DAYS: days })).toMatchObject({
      error: [expect.stringContaining("HOT_DAYS")],
    });
});
