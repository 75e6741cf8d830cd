import { describe, expect, it } from "vitest";
import { type GrantSettings, grantCovers, grantTerms, grantText } from "../../src/approvals/grant-terms.ts";
import { workBudget } from "../../src/lib/work-budget.ts";
import { cpuSince } from "../support/cpu-time.ts";

const HOUR = 3_600_000;
const settings: Omit<GrantSettings, "work"> = {
  grants: { enabled: true, longest: 48 * HOUR },
  args: { path: "notes/a.md", count: 2, token: "s3cret", user: { password: "p" } },
  redact: ["token", "user.password"],
  now: 1_000,
};
const callOf = (args: Record<string, unknown>) => ({ args, work: workBudget(), texts: new Map() });
const terms = (input: unknown, more: Partial<GrantSettings> = {}) => {
  const result = grantTerms(input, { ...settings, work: workBudget(), ...more });
  return result.ok ? result.value : result.error;
};

describe("a grant", () => {
  it("is for a session, a time, or until it is withdrawn, and never longer than the policy permits", () => {
    expect(terms({ until: "session" })).toEqual({ session: true, expiresAt: 1_000 + 48 * HOUR, arguments: {} });
    expect(terms({ until: "withdrawn" })).toEqual({ session: false, expiresAt: 1_000 + 48 * HOUR, arguments: {} });
    expect(terms({ until: "8h" })).toEqual({ session: false, expiresAt: 1_000 + 8 * HOUR, arguments: {} });
    expect(terms({ until: "30d" })).toMatchObject({ expiresAt: 1_000 + 48 * HOUR });
  });

  it("covers calls whose arguments are as it says, the whole of a text where it is a pattern", () => {
    const only = { path: { matches: "notes/[a-z]+\\.md" }, count: { equals: 2 } };
    const granted = terms({ until: "8h", arguments: only });
    expect(granted).toMatchObject({ arguments: only });
    const covers = (args: Record<string, unknown>) => grantCovers({ arguments: only } as never, callOf(args));
    expect(covers({ path: "notes/b.md", count: 2, other: true })).toBe(true);
    for (const args of [
      { path: "notes/b.md\n", count: 2 },
      { path: "x/notes/b.md", count: 2 },
      { path: "notes/b.md.exe", count: 2 },
      { path: ["notes/b.md"], count: 2 },
      { path: "notes/b.md", count: "2" },
      { path: "notes/b.md" },
      {},
    ]) {
      expect(covers(args)).toBe(false);
    }
    expect(grantCovers({ arguments: {} }, callOf({}))).toBe(true);
    expect(grantCovers({ arguments: { toString: { matches: ".*" } } }, callOf({}))).toBe(false);
  });

  it("has no way out of its pattern", () => {
    const covers = (matches: string, text: string) =>
      grantCovers({ arguments: { a: { matches } } }, callOf({ a: text }));
    expect(covers("a|b", "xb")).toBe(false);
    expect(covers("a)|(b", "xb")).toBe(false);
    expect(covers("a)|(?:b", "b")).toBe(false);
    expect(covers("(?m)^a$", "a\nrm")).toBe(false);
    expect(covers("(?i)a", "A")).toBe(true);
    const started = process.threadCpuUsage();
    covers("(a+)+b", "a".repeat(100_000));
    expect(cpuSince(started)).toBeLessThan(1_000);
  });

  it.each([
    [null, "must be an object"],
    [{}, "`until` must be"],
    [{ until: "8 hours" }, "`until` must be"],
    [{ until: "0h" }, "`until` must be"],
    [{ until: "session", tool: "x" }, "unknown member `tool`"],
    [{ until: "session", arguments: [] }, "must be an object of conditions"],
    [{ until: "session", arguments: { gone: { equals: 1 } } }, "`arguments.gone` is no argument of this call"],
    [{ until: "session", arguments: { constructor: { equals: 1 } } }, "is no argument of this call"],
    [{ until: "session", arguments: { token: { equals: "s3cret" } } }, "`arguments.token` is redacted"],
    [{ until: "session", arguments: { user: { equals: { password: "p" } } } }, "`arguments.user` is redacted"],
    [{ until: "session", arguments: { path: { matches: "(" } } }, "RE2"],
    [{ until: "session", arguments: { path: { matches: "(?=a)" } } }, "RE2"],
    [{ until: "session", arguments: { path: { matches: "a".repeat(1_901) } } }, "is longer than"],
    [{ until: "session", arguments: { path: { equals: "a", matches: "b" } } }, "and nothing else"],
    [{ until: "session", arguments: { path: "notes/a.md" } }, "must have `equals` or `matches`"],
    [{ until: "session", arguments: { path: { equals: "other" } } }, "do not cover this very call"],
    [{ until: "session", arguments: { count: { matches: "2" } } }, "do not cover this very call"],
  ])("is refused: %j", (input, message) => {
    expect(terms(input)).toContain(message);
    expect(terms(input)).not.toContain("s3cret");
  });

  it("is refused where the policy permits none", () => {
    expect(terms({ until: "session" }, { grants: { enabled: false, longest: HOUR } })).toBe(
      "the policy permits no grants",
    );
  });

  it("says in one line what it allows", () => {
    const grant = { session: true, expiresAt: null, arguments: { path: { equals: "a\nb" } }, tool: "edit" } as const;
    expect(grantText(grant, "en")).toBe("`edit`, where path is `a\\nb`, in this conversation, until you withdraw it");
    expect(grantText({ session: false, expiresAt: 0, arguments: { p: { matches: "x.*" } } }, "en")).toBe(
      "where p matches `x.*`, in every conversation, until 1 Jan 1970, 00:00 UTC",
    );
    expect(grantText(grant, "ja")).toContain("この会話で");
  });
});
