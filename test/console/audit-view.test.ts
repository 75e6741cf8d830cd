/** What the audit page asks for: filters by time as people choose them, and files with the columns that people read first. */
import { describe, expect, it } from "vitest";
import type { RecordRow } from "../../src/api-views/trail-views.ts";
import { fileOf } from "../../src/console/audit/export-records.ts";
import { pathOf, readView, withSpan } from "../../src/console/audit/view.ts";
import { valueWords } from "../../src/console/audit/words.ts";

describe("a time of the audit view", () => {
  it("without a zone is this device's, and goes to the API as an instant", () => {
    const local = "2026-11-27T00:00";
    const at = new Date(local).toISOString();
    const view = readView({ kind: "decisions", from: local, to: "2026-11-28" });
    expect(view.filters).toEqual([
      ["from", at],
      ["to", "2026-11-28"],
    ]);
    expect(pathOf(view, 50)).toContain(`from=${encodeURIComponent(at)}`);
  });

  it("that is none stays as it is, for the gateway to say so", () => {
    const view = readView({ from: "lasT week" });
    expect(view.filters).toEqual([["from", "lasT week"]]);
    expect(valueWords("from", "lasT week")).toBe("lasT week");
  });

  it("is chosen with one press, in the place of the one before", () => {
    const now = new Date(2026, 10, 28, 6, 30).getTime();
    const midnight = (day: number) => new Date(2026, 10, day).toISOString();
    const before = readView({ tool: "refund", from: "2026-01-01", to: "2026-01-02" });
    const filters = (span: Parameters<typeof withSpan>[1]) => Object.fromEntries(withSpan(before, span, now).filters);
    expect(filters("hour")).toEqual({ tool: "refund", from: new Date(now - 3_600_000).toISOString() });
    expect(filters("today")).toEqual({ tool: "refund", from: midnight(28) });
    expect(filters("yesterday")).toEqual({ tool: "refund", from: midnight(27), to: midnight(28) });
    expect(filters("week")).toEqual({ tool: "refund", from: new Date(now - 7 * 86_400_000).toISOString() });
  });
});

it("a file of records begins with what people look for, and ends with digests and hashes", async () => {
  const row = {
    ...{
      object: "audit.decision",
      id: "dec_1",
      turn: "turn_1",
      session: "s",
      user: "ada",
      call_id: "c",
      tool: "refund",
    },
    ...{ effect: "deny", reasons: [], arguments: {}, digest: "d", at: "2026-11-28T06:30:00Z", seq: 1, previous: "p" },
    ...{ hash: "h", key_id: "k", policy: "v", ordinal: 0 },
  } satisfies RecordRow & Readonly<Record<string, unknown>>;
  const [heading] = (await (await fileOf([row], "csv")).text()).split("\r\n");
  expect(heading).toBe(
    "at,user,tool,effect,reasons,arguments,session,turn,call_id,ordinal,object,id,digest,seq,previous,hash,key_id,policy",
  );
});

it("a file of no records has its heading all the same", async () => {
  expect(await (await fileOf([], "csv")).text()).toBe("at,user,session,turn,id\r\n");
});
