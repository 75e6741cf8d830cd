import { describe, expect, it } from "vitest";
import { type CachedSession, newSessionCache } from "../../../src/turn/speculate/session-cache.ts";
import { openedTurn } from "../../support/opened-turn.ts";

const ada = { tenant: "t", user: "ada" };
const bob = { tenant: "t", user: "bob" };
const session: CachedSession = { at: 0, facts: openedTurn, definitions: "", reply: [], prompt: [] };

describe("what an isolate knows of sessions", () => {
  it("is each user's own", () => {
    const known = newSessionCache();
    known.remember(ada, "s", session);
    expect([known.find(ada, "s"), known.find(bob, "s"), known.find({ tenant: "ta", user: "da" }, "s")]).toEqual([
      session,
      undefined,
      undefined,
    ]);
    known.forget(ada, "s");
    expect(known.find(ada, "s")).toBeUndefined();
  });

  it("is as new as the object's last word, and forgotten where that is another", () => {
    const known = newSessionCache();
    const snapshot = { mode: null, intents: [], connections: [], resultTag: "tag" };
    known.remember(ada, "s", session);
    known.confirm(ada, "s", snapshot, 5);
    expect(known.find(ada, "s")).toMatchObject({ at: 5, facts: { resultTag: "tag" } });
    for (const other of [{ mode: "read_only" }, { intents: ["A"] }, { connections: ["crm"] }]) {
      known.remember(ada, "s", session);
      known.confirm(ada, "s", { ...snapshot, ...other }, 6);
      expect(known.find(ada, "s")).toBeUndefined();
    }
    known.confirm(ada, "unknown", snapshot, 7);
    expect(known.find(ada, "unknown")).toBeUndefined();
  });

  it("leaves out a session whose hidden exchanges are long", () => {
    const known = newSessionCache();
    const anchor = { kind: "calls" as const, ids: ["c"], codes: [], position: 0 };
    const hidden = [{ anchor, messages: [{ role: "tool", content: "x".repeat(20_000) }] }];
    known.remember(ada, "s", session);
    known.remember(ada, "s", { ...session, facts: { ...openedTurn, hidden } });
    expect(known.find(ada, "s")).toBeUndefined();
  });

  it("is bounded", () => {
    const known = newSessionCache(20_000);
    for (let at = 0; at < 100; at += 1) known.remember(ada, `s${at}`, session);
    expect([known.find(ada, "s0"), known.find(ada, "s99")]).toEqual([undefined, session]);
  });
});

describe("whether a user's step may begin early", () => {
  it("not for a request that came before", () => {
    const known = newSessionCache();
    expect([known.tryReserve(ada, "d", 1_000_000), known.tryReserve(ada, "d", 1_060_000)]).toEqual([true, false]);
    expect([known.tryReserve(bob, "d", 1_060_000), known.tryReserve(ada, "e", 1_060_000)]).toEqual([true, true]);
    // A question may be answered after a day, and the request sent again for what comes of it.
    expect(known.tryReserve(ada, "d", 90_000_000)).toBe(false);
  });

  it("not while eight are ahead of their opens", () => {
    const known = newSessionCache();
    for (let at = 0; at < 8; at += 1) known.started(ada);
    expect([known.tryReserve(ada, "d", 0), known.tryReserve(bob, "d", 0)]).toEqual([false, true]);
    known.finished(ada, false, 0);
    expect(known.tryReserve(ada, "e", 0)).toBe(true);
  });

  it("not for ten seconds after one in vain", () => {
    const known = newSessionCache();
    known.started(ada);
    known.finished(ada, true, 1_000_000);
    expect([known.tryReserve(ada, "a", 1_009_999), known.tryReserve(ada, "b", 1_010_000)]).toEqual([false, true]);
  });
});
