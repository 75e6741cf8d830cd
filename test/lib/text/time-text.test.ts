import { expect, it } from "vitest";
import { agoText, dateText, durationText } from "../../../src/lib/text/time-text.ts";

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

it.each([
  [day, "24 h", "24 小时", "24 時間"],
  [day - 1_000, "24 h", "24 小时", "24 時間"],
  [day - minute, "23 h 59 min", "23 小时 59 分钟", "23 時間 59 分"],
  [2 * day + 3 * hour, "2 days 3 h", "2 天 3 小时", "2 日 3 時間"],
  [hour, "1 h", "1 小时", "1 時間"],
  [59 * minute, "59 min", "59 分钟", "59 分"],
  [5 * minute + 9_900, "5 min 9 s", "5 分钟 9 秒", "5 分 9 秒"],
  [30_000, "30 s", "30 秒", "30 秒"],
  [-5, "1 s", "1 秒", "1 秒"],
])("tells %d ms in two units at most", (ms, ...texts) => {
  expect((["en", "zh", "ja"] as const).map((language) => durationText(ms, language))).toEqual(texts);
});

it("tells how long ago in one unit, rounded down", () => {
  expect([0, 59_999, 125_000, 2 * hour - 1, 3 * day].map((ms) => agoText(ms, "en"))).toEqual([
    "just now",
    "just now",
    "2 min ago",
    "1 h ago",
    "3 days ago",
  ]);
  expect([agoText(125_000, "zh"), agoText(125_000, "ja")]).toEqual(["2 分钟前", "2 分前"]);
});

it("has one form of a date", () => {
  const at = Date.UTC(2026, 11, 23, 1, 0);
  expect(dateText(at, "en", "UTC")).toBe("23 Dec 2026, 01:00 UTC");
  expect(dateText(at, "zh", "UTC")).toBe("2026年12月23日 01:00 UTC");
  expect(dateText(at, "ja", "UTC")).toBe("2026年12月23日 01:00 UTC");
});
