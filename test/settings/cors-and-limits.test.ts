import { expect, test } from "vitest";
import { readCors } from "../../src/settings/cors.ts";
import { DEFAULT_LIMITS, readLimits } from "../../src/settings/limits.ts";
import { kindOfSetting } from "../../src/settings/settings-table.ts";

test("CORS_ORIGINS is none by default, `*`, or a list of origins as browsers write them", () => {
  expect(readCors({})).toEqual({ ok: true, value: { any: false, origins: new Set() } });
  expect(readCors({ CORS_ORIGINS: "*" })).toEqual({ ok: true, value: { any: true, origins: new Set() } });
  const list = "https://a.example, http://localhost:3000, app://obsidian.md, chrome-extension://abcd";
  const origins = new Set(list.split(", "));
  expect(readCors({ CORS_ORIGINS: list })).toEqual({ ok: true, value: { any: false, origins } });
});

test.each([
  "null",
  "a.example",
  "https://a.example/",
  "https://A.example",
  "https://*.example",
  "file:///x",
  "*,https://a.example",
])("CORS_ORIGINS cannot be %s", (text) => {
  const read = readCors({ CORS_ORIGINS: text });
  expect(read).toMatchObject({ ok: false, error: [expect.stringContaining("CORS_ORIGINS")] });
});

test("limits have defaults, and every wrong one is told", () => {
  expect(readLimits({})).toEqual({ ok: true, value: DEFAULT_LIMITS });
  expect(DEFAULT_LIMITS).toEqual({
    maxBodyBytes: 4_194_304,
    maxSmallBodyBytes: 2_097_152,
    maxHeaderBytes: 32_768,
    maxInFlightBytes: 8_388_608,
    maxUserTurns: 64,
    maxUserHolds: 16,
    maxUserStreams: 16,
  });
  expect(readLimits({ MAX_BODY_BYTES: "2048" })).toMatchObject({
    value: { maxBodyBytes: 2048, maxSmallBodyBytes: 2048, maxHeaderBytes: 32_768, maxInFlightBytes: 8_388_608 },
  });
  for (const wrong of ["0", "-1", "1k", "12", "999999999999", "1.5e6"]) {
    const read = readLimits({ MAX_BODY_BYTES: wrong, MAX_HEADER_BYTES: wrong, MAX_INFLIGHT_BYTES: wrong });
    expect(read).toMatchObject({ ok: false, error: { length: 3 } });
  }
  for (const name of ["MAX_USER_TURNS", "MAX_USER_HOLDS", "MAX_USER_STREAMS"]) {
    for (const wrong of ["0", "-1", "many", "100001"])
      expect(readLimits({ [name]: wrong })).toMatchObject({ ok: false, error: [expect.stringContaining(name)] });
    expect(kindOfSetting(name)).toBe("plain");
  }
});

test("no body is larger than what an isolate holds, and one user's share holds the largest", () => {
  expect(readLimits({ MAX_BODY_BYTES: "8388608" })).toMatchObject({ value: { maxInFlightBytes: 16_777_216 } });
  expect(readLimits({ MAX_BODY_BYTES: "8388609" })).toMatchObject({ ok: false });
  expect(readLimits({ MAX_INFLIGHT_BYTES: "8388607" })).toMatchObject({
    ok: false,
    error: ["MAX_INFLIGHT_BYTES: write a number of bytes from 8388608 to 16777216, such as `8388608`"],
  });
});
