/** The ledger of managed calls: one entry, one outcome, one record for each, whatever comes in between. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_STORED_UNITS } from "../../../src/ports/calls-port.ts";
import { guardSchema } from "../../../src/stores/guard/schema/guard-schema.ts";
import { upgradeObject } from "../../../src/stores/objects/object-schema.ts";
import { UNKNOWN_RUN } from "../../../src/tools/run.ts";
import {
  type Asker,
  approves,
  asker,
  asks,
  codesOf,
  type OpenedTurn,
  toDecide,
  under,
} from "../support/guard-asker.ts";
import { entry, finish, managed, outcome, query, ring, runRecords, started, usesLeft } from "./managed-runs.ts";

const MINUTE = 60_000;
let start = 0;

beforeEach(() => {
  start = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});

afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number): void => void vi.setSystemTime(start + ms);
const statuses = (runs: readonly { readonly status: string }[] | undefined) => runs?.map(({ status }) => status);
const keptCall = async (self: Asker, id: string) => self.guard.calls.find(id);

describe("a managed call", () => {
  it("is entered with its decision, ends once, and has one record", async () => {
    const self = asker();
    const turn = await self.open();
    const id = await started(self, turn, managed({ undoable: true, extra: { signature: "x" } }));
    expect(await self.guard.runs.wait([id, "dec_unknown"], 0)).toMatchObject([{ id, status: "started", step: 1 }]);
    later(5);
    const ended = await finish(self, turn, id, "succeeded", { text: "found", detail: null });
    expect(ended).toMatchObject({ id, callId: "c1", tool: "edit", arguments: '{"path":"a"}', status: "succeeded" });
    expect([ended.extra, ended.outcome?.text]).toEqual([{ signature: "x" }, "found"]);
    // Whoever is late, or says it twice, changes nothing.
    expect(await finish(self, turn, id, "failed")).toEqual(ended);
    await runInDurableObject(self.stub, async (object) => {
      const elsewhere = { turn: turn.turn, session: "other", id, outcome: outcome("failed") };
      await expect(object.apis.runs.finish(elsewhere)).rejects.toThrow("no such run");
    });
    const [decision, ...others] = await self.records();
    expect(decision).toMatchObject({ kind: "decision", id, disposition: "run" });
    const place = { turn: turn.turn, decision: id, session: "s", tool: "edit", callId: "c1", policy: "p1" };
    const run = {
      executor: "http",
      target: "crm.example.com",
      status: "succeeded",
      ms: 5,
      at: start,
      endedAt: start + 5,
    };
    expect(others).toMatchObject([{ kind: "run", ...place, ...run, failure: null, trusted: true, attempts: 1 }]);
    expect(await keptCall(self, id)).toMatchObject({
      outcome: "succeeded",
      result: '{"id":1}',
      arguments: '{"path":"a"}',
    });
    expect([await self.released(), await usesLeft(self)]).toEqual([[], 1]);
  });

  it("that did not start gives back its use and counts for nothing", async () => {
    const self = asker();
    const turn = await self.open();
    const soft = { families: ["f"], intents: [], max: 1 };
    const call = managed({ counted: { windows: [{ key: "k", max: 1, windowMs: MINUTE }], soft } });
    const id = await started(self, turn, call);
    expect(codesOf(await self.decide(turn, [call]))).toEqual([["deny", "rate_limited", "soft_limit_reached"]]);
    expect((await finish(self, turn, id, "not_started")).status).toBe("not_started");
    expect([await usesLeft(self), await keptCall(self, id)]).toEqual([0, undefined]);
    await started(self, turn, call);
    expect(statuses(await runRecords(self))).toEqual(["not_started"]);
  });

  it("is nothing that a client could settle, be given again as its own, or that a new message abandons", async () => {
    const self = asker();
    const turn = await self.open({ digest: "d" });
    const id = await started(self, turn);
    const again = await self.open({ digest: "d", results: [{ callId: "c1", succeeded: true, text: "made up" }] });
    expect([again.replay, statuses(again.runs)]).toEqual([undefined, ["started"]]);
    const next = await self.open({ results: [{ callId: "c1", succeeded: true, text: "made up" }] });
    expect([next.runs, (await self.guard.sessions.find("s"))?.pending]).toEqual([undefined, 0]);
    expect(await keptCall(self, id)).toMatchObject({ outcome: null });
    await self.close(turn, true);
    expect((await finish(self, turn, id, "succeeded")).status).toBe("succeeded");
    expect([(await keptCall(self, id))?.outcome, await usesLeft(self)]).toEqual(["succeeded", 1]);
  });

  it("counts for its families if it succeeds, and for the session's trust if what came back is not trusted", async () => {
    const self = asker();
    const turn = await self.open();
    const ids = await Promise.all(
      (["failed", "succeeded", "not_started"] as const).map(async (status, index) => {
        const run = entry({ trusted: status !== "not_started" });
        const id = await started(self, turn, managed({ callId: `c${index}`, families: [status], run }));
        return [id, status] as const;
      }),
    );
    for (const [id, status] of ids) await finish(self, turn, id, status);
    expect(await self.open({ newMessage: false })).toMatchObject({ succeeded: ["succeeded"], untrusted: false });
    const web = await started(self, turn, managed({ run: entry({ trusted: false }) }));
    await finish(self, turn, web, "failed");
    expect(await self.open({ newMessage: false })).toMatchObject({ succeeded: ["succeeded"], untrusted: true });
  });

  it("keeps what an undo may need, and an undo that failed may be tried again, one that is unknown not", async () => {
    const self = asker();
    const turn = await self.open();
    const done = await started(self, turn, managed({ undoable: true }));
    await finish(self, turn, done, "succeeded", { result: "x".repeat(MAX_STORED_UNITS + 1) });
    expect((await keptCall(self, done))?.result).toBeUndefined();
    const undo = () => managed({ callId: "u", undo: { of: done } });
    for (const status of ["not_started", "failed", "unknown"] as const) {
      const id = await started(self, turn, undo());
      expect((await keptCall(self, done))?.undoneBy).toBe(id);
      await finish(self, turn, id, status);
    }
    expect(codesOf(await self.decide(turn, [undo()]))).toEqual([["deny", "already_undone"]]);
  });

  it("of great length is kept cut, and never without its end", async () => {
    const self = asker();
    const turn = await self.open();
    const id = await started(self, turn);
    const ended = await finish(self, turn, id, "succeeded", {
      text: "語".repeat(1_000_000),
      detail: "d".repeat(9_000),
    });
    expect([ended.status, ended.outcome?.cut, (ended.outcome?.text.length ?? 0) > 100_000]).toEqual([
      "succeeded",
      true,
      true,
    ]);
    expect((await runRecords(self))[0]?.detail?.length).toBe(500);
  });
});

describe("a run without an outcome", () => {
  const dies = async (): Promise<readonly [Asker, string, OpenedTurn]> => {
    const self = asker();
    const turn = await self.open({ digest: "d" });
    return [
      self,
      await started(self, turn, managed({ run: entry({ deadline: start + MINUTE, trusted: false }) })),
      turn,
    ];
  };

  const finders: readonly (readonly [string, (...dead: Awaited<ReturnType<typeof dies>>) => Promise<unknown>])[] = [
    ["the alarm", (self) => ring(self)],
    [
      "an open",
      (self) => self.open({ session: { id: "another", firstMessageDigest: "o", conversationKey: undefined } }),
    ],
    ["who waits for it", (self, id) => self.guard.runs.wait([id], 0)],
    ["an outcome that comes too late", (self, id, turn) => finish(self, turn, id, "succeeded")],
  ];
  it.each(finders)("is unknown once its time is over, as %s finds, and keeps its use", async (_, find) => {
    const [self, id, turn] = await dies();
    await evictDurableObject(self.stub);
    await ring(self);
    const alarm = await runInDurableObject(self.stub, (_object, { storage }) => storage.getAlarm());
    expect(alarm).toBe(start + MINUTE + 1);
    later(MINUTE);
    await find(self, id, turn).catch(() => {});
    if (find === finders[3]?.[1]) return expect(statuses(await runRecords(self))).toEqual(["succeeded"]);
    expect(await runRecords(self)).toEqual([]);
    later(MINUTE + 1);
    await find(self, id, turn);
    const records = await runRecords(self);
    expect(records).toMatchObject([{ decision: id, status: "unknown", failure: null, ms: MINUTE + 1 }]);
    await ring(self);
    const [told] = await self.guard.runs.wait([id], 0);
    // The text that the turn gives too, where a run has none.
    expect([told?.outcome?.text, await usesLeft(self)]).toEqual([UNKNOWN_RUN, 1]);
    expect(await runRecords(self)).toEqual(records);
    expect(await keptCall(self, id)).toMatchObject({ outcome: "abandoned", result: undefined });
    // Nothing came back that could hold instructions.
    expect((await self.open({ newMessage: false })).untrusted).toBe(false);
  });

  it("is waited for, and told as soon as it has one", async () => {
    const [self, id, turn] = await dies();
    const waiting = self.guard.runs.wait([id], 10_000);
    await finish(self, turn, id, "succeeded");
    expect(statuses(await waiting)).toEqual(["succeeded"]);
    expect((await self.open({ newMessage: false })).untrusted).toBe(true);
  });

  it.each<[string, (self: Asker) => Promise<unknown>]>([
    ["deleted", (self) => self.guard.sessions.delete("s")],
    ["reset", (self) => self.open({ reset: true })],
    [
      "forgotten for being idle",
      (self) =>
        runInDurableObject(self.stub, async (object, { storage }) => {
          await object.apis.sessions.find("s");
          storage.sql.exec("UPDATE sessions SET seen = 1");
          await object.alarm();
        }),
    ],
  ])(
    "stays until it has one where its session is %s, and does nothing to another of the same name",
    async (how, end) => {
      const [self, id, turn] = await dies();
      const over = await started(self, turn, managed({ callId: "c2" }));
      await finish(self, turn, over, "succeeded");
      await end(self);
      const left = how === "reset" ? [over, id] : [id];
      expect((await self.guard.runs.wait([over, id], 0)).map((run) => run.id)).toEqual(left);
      expect((await self.open({ digest: "d" })).runs).toBeUndefined();
      await finish(self, turn, id, "succeeded");
      expect(statuses(await runRecords(self))).toEqual(["succeeded", "succeeded"]);
      expect((await self.open({ newMessage: false })).untrusted).toBe(how === "reset");
      if (how === "deleted") expect([await keptCall(self, id), await usesLeft(self)]).toEqual([undefined, 2]);
    },
  );
});

describe("the same request again", () => {
  const long = (callId: string) => managed({ callId, run: entry({ deadline: start + 10 * MINUTE }) });

  it("is told the runs of its earlier tries, in order, and takes them over", async () => {
    const self = asker();
    const first = await self.open({ digest: "d", definitions: [["edit", "1"]] });
    const [one, two] = [await started(self, first), await started(self, first, long("c2"), 3)];
    await finish(self, first, one, "succeeded");
    later(40_000);
    const second = await self.open({ digest: "d", definitions: [["edit", "2"]] });
    expect(second.runs?.map(({ id, step, status }) => [id, step, status])).toEqual([
      [one, -3, "succeeded"],
      [two, -1, "started"],
    ]);
    expect([second.runs?.[0]?.outcome?.text, second.changedDefinitions]).toEqual(["it succeeded", ["edit"]]);
    // Sent twice by the gateway itself, it is the same open.
    expect((await self.open({ digest: "d", turn: second.turn, repeatedOpen: true })).runs).toEqual(second.runs);
    const three = await started(self, second, managed({ callId: "c3" }), 0);
    await self.close(first, true);
    later(80_000);
    const third = await self.open({ digest: "d" });
    expect(third.runs?.map(({ id, step }) => [id, step])).toEqual([
      [one, -4],
      [two, -2],
      [three, -1],
    ]);
    expect(await usesLeft(self)).toBe(3);
    expect((await runRecords(self)).map(({ turn, decision }) => [turn, decision])).toContainEqual([first.turn, one]);
  });

  it("goes on for as long as a run is started, and for a minute after it ended, and no longer", async () => {
    const self = asker();
    const run = entry({ deadline: start + 10 * MINUTE });
    const first = await self.open({ digest: "d" });
    const id = await started(self, first, managed({ run }));
    await self.close(first);
    later(5 * MINUTE);
    await ring(self);
    const second = await self.open({ digest: "d" });
    expect(statuses(second.runs)).toEqual(["started"]);
    later(9 * MINUTE);
    await finish(self, first, id, "succeeded");
    later(9.9 * MINUTE);
    await ring(self);
    expect(statuses((await self.open({ digest: "d" })).runs)).toEqual(["succeeded"]);
    later(10.9 * MINUTE);
    await ring(self);
    expect((await self.open({ digest: "d" })).runs).toBeUndefined();
  });

  type Change = [string, object, ((self: Asker) => Promise<unknown>)?];
  const afterChange = async (over: object, change?: (self: Asker) => Promise<unknown>) => {
    const self = asker();
    const turn = await self.open({ digest: "d" });
    const id = await started(self, turn);
    await finish(self, turn, id, "succeeded");
    await change?.(self);
    const { runs } = await self.open({ digest: "d", ...over });
    return { id, runs };
  };

  it.each<Change>([
    ["another role", { principal: { tenant: "acme", user: "u", role: "guest", authenticated: true, connections: [] } }],
    ["another policy", { policy: "p2" }],
    ["another mode", { mode: "notes" }],
    [
      "a new connection",
      {},
      (self) => self.guard.connections.replace({ tenant: "acme", user: "u" }, [link("crm")], "boss"),
    ],
    ["a consent withdrawn", {}, withdrawn],
    ["a grant withdrawn", {}, withGrantWithdrawn],
  ])("is told after %s what was run: it is done, and must not be done once more", async (_, over, change) => {
    const { id, runs } = await afterChange(over, change);
    expect(runs).toMatchObject([{ id, status: "succeeded", outcome: { text: "it succeeded" } }]);
  });

  it.each<Change>([
    ["a reset", { reset: true }],
    ["another session", { session: { id: "t", firstMessageDigest: "o", conversationKey: undefined } }],
    ["a message since", {}, (self) => self.open()],
  ])("is a request of its own after %s", async (_, over, change) => {
    expect((await afterChange(over, change)).runs).toBeUndefined();
  });

  it("that began with a reset resets once, and is told once more which approvals it cancelled", async () => {
    const self = asker();
    const { approval } = await self.ask();
    const again = { digest: "d", reset: true };
    const first = await self.open(again);
    const id = await started(self, first);
    for (let time = 0; time < 2; time++) {
      const { runs, cancelled } = await self.open(again);
      expect([runs?.map((run) => run.id), cancelled]).toMatchObject([[id], [{ id: approval.id, status: "cancelled" }]]);
    }
  });

  it("is decided anew where nothing was started", async () => {
    const self = asker();
    const turn = await self.open({ digest: "d" });
    await finish(self, turn, await started(self, turn), "not_started");
    expect((await self.open({ digest: "d" })).runs).toBeUndefined();
  });

  it("gets its released calls again, and is told beside them what was run", async () => {
    const self = asker();
    const turn = await self.open({ digest: "d" });
    const id = await started(self, turn);
    await self.decide(turn, [asks({ path: "b" }, { callId: "client", question: undefined, counted: { windows: [] } })]);
    const again = await self.open({ digest: "d" });
    expect([again.replay?.map((call) => call.id), again.runs?.map((run) => run.id)]).toEqual([["client"], [id]]);
  });

  it("leaves the task as the earlier try left it, with the intent that was selected", async () => {
    const self = asker();
    const request = { digest: "d", intents: { kind: "clear" as const } };
    await self.decide(await self.open(request), [managed()], { select: { intents: ["WORK"], untrusted: false } });
    expect(await self.open(request)).toMatchObject({ intents: ["WORK"], runs: [{ status: "started" }] });
  });

  it("leaves the turn that it overtook without runs", async () => {
    const self = asker();
    const lost = await self.open({ digest: "d" });
    await started(self, lost);
    later(1);
    await self.open({ digest: "d" });
    await runInDurableObject(self.stub, async (object) => {
      await expect(object.apis.turns.decide(toDecide(lost, [managed()]))).rejects.toThrow("sent again");
    });
    expect(statuses((await self.open({ digest: "d" })).runs)).toEqual(["started"]);
  });

  it("is run by one of two turns that were opened in the same millisecond", async () => {
    const self = asker();
    const twins = [await self.open({ digest: "d" }), await self.open({ digest: "d" })];
    expect(twins.map(({ runs }) => runs)).toEqual([undefined, undefined]);
    const ran = await runInDurableObject(self.stub, async (object) => {
      const tries = twins.map(async (twin) => object.apis.turns.decide(toDecide(twin, [managed()])));
      return (await Promise.allSettled(tries)).map(({ status }) => status);
    });
    expect(ran.toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await usesLeft(self)).toBe(1);
  });

  it("finds the session of a first message whose client names none, by what it still runs", async () => {
    const self = asker();
    const unnamed = { id: undefined, firstMessageDigest: "o", conversationKey: undefined };
    const turn = await self.open({ digest: "d", session: unnamed });
    await started(self, turn, managed({ run: entry({ deadline: start + 5 * MINUTE }) }));
    expect(await query(self, "SELECT pair FROM sessions")).toEqual([{ pair: null }]);
    later(2 * MINUTE);
    const again = await self.open({ digest: "d", session: unnamed, clientRetry: true });
    expect([again.session, statuses(again.runs)]).toEqual([turn.session, ["started"]]);
  });
});

describe("a managed call that a person is asked about", () => {
  it("is run by the turn that takes the yes, once, and the same yes again is told of the run", async () => {
    const self = asker();
    const { approval, call } = await self.ask(asks({ path: "a" }, { run: entry() }));
    const yes = { digest: "yes", answering: { kind: "inline" as const, codes: [approval.code] } };
    const turn = await self.open(yes);
    expect(turn.runs).toBeUndefined();
    const [decided] = await self.decide(turn, [under(approval, call, approves)], { step: 0 });
    await self.close(turn, true);
    const again = await self.open(yes);
    expect([again.runs?.map(({ id, step }) => [id, step]), again.waiting]).toEqual([[[decided?.id, -1]], undefined]);
    expect((await self.guard.approvals.find(approval.id))?.usedBy).toBe(decided?.id);
    const native = { digest: "named", answering: { kind: "native" as const, ids: [approval.id] } };
    expect(await self.open(native)).toMatchObject({ waiting: [{ usedBy: decided?.id }] });
    const records = await self.records();
    expect(records.filter((one) => one.kind === "decision" && one.disposition === "run")).toMatchObject([
      { approval: approval.id },
    ]);
  });
});

const link = (provider: string, over = {}) => ({ provider, hosts: ["api.example.com"], expiresAt: null, ...over });

async function withdrawn(self: Asker): Promise<void> {
  await self.guard.gates.open({ tenant: "acme", user: "u" }, "edit", undefined);
  await self.guard.gates.withdraw("edit");
}

async function withGrantWithdrawn(self: Asker): Promise<void> {
  const grant =
    "INSERT INTO grants (id, tool, session, conditions, created, approval) VALUES ('grant_1', 'edit', '', '[]', 0, '')";
  await query(self, grant);
  expect(await self.guard.grants.withdraw("grant_1")).toBe(true);
}

describe("connections", () => {
  it("are told to turns while they last, and their tokens go where they were set for alone", async () => {
    const self = asker();
    const owner = { tenant: "acme", user: "u" };
    const hour = start + 60 * MINUTE;
    const set = (...links: ReturnType<typeof link>[]) => self.guard.connections.replace(owner, links, "boss");
    const both = [link("crm", { sealedToken: "sealed" }), link("gnorm", { hosts: [], expiresAt: hour })] as const;
    await set(...both);
    later(1);
    // By the runtime, which cannot know whether the first was taken: as nothing changes, nothing is recorded.
    await set(...both);
    expect((await self.records()).map(({ kind }) => kind)).toEqual(["connection", "connection"]);
    expect(await self.guard.connections.list()).toEqual([
      { provider: "crm", since: start, hosts: ["api.example.com"], hasToken: true, expiresAt: null },
      { provider: "gnorm", since: start, hosts: [], hasToken: false, expiresAt: hour },
    ]);
    expect((await self.open()).connections).toEqual(["crm", "gnorm"]);
    expect(await self.guard.connections.token("crm", "api.example.com")).toBe("sealed");
    for (const [provider, host] of [
      ["crm", "evil.example.com"],
      ["gnorm", ""],
      ["other", "api.example.com"],
    ] as const)
      expect(await self.guard.connections.token(provider, host)).toBeUndefined();
    later(MINUTE);
    // Set as it was: it is the same, its token with it.
    expect((await set(link("crm"), link("gnorm", { hosts: [], expiresAt: hour })))[0]?.since).toBe(start);
    expect(await self.guard.connections.token("crm", "api.example.com")).toBe("sealed");
    expect((await set(link("crm", { expiresAt: hour })))[0]?.since).toBe(start + MINUTE);
    expect(await self.guard.connections.token("crm", "api.example.com")).toBe("sealed");
    later(60 * MINUTE);
    expect([(await self.open()).connections, await self.guard.connections.token("crm", "api.example.com")]).toEqual([
      undefined,
      undefined,
    ]);
    await set(link("crm", { hosts: ["api.example.com", "evil.example.com"] }));
    expect(await self.guard.connections.token("crm", "evil.example.com")).toBeUndefined();
    expect(await self.guard.connections.token("crm", "api.example.com")).toBeUndefined();
    expect(await set()).toEqual([]);
  });
});

describe("an object of schema 7", () => {
  it("gets the ledger and loses nothing; code that would fork its chain does not serve it", async () => {
    const self = asker();
    await runInDurableObject(self.stub, async (_, { storage }) => {
      await storage.deleteAll();
      expect(upgradeObject(storage, "UserGuard", guardSchema.slice(0, 7))).toEqual({ ok: true, value: 7 });
      storage.sql.exec(
        `INSERT INTO sessions (id, opening, fresh, created, seen) VALUES ('s', 'o', 0, ${start}, ${start})`,
      );
      storage.sql.exec(
        `INSERT INTO exchanges (session, task, anchors, place, messages) VALUES ('s', 0, '["c0"]', 0, '[{"role":"tool"}]')`,
      );
      storage.sql.exec(
        `INSERT INTO turns (id, session, task, digest, at, model, role, grants, policy, open, settled)
         VALUES ('t', 's', 0, 'd', ${start}, 'm', 'user', '[true]', 'p1', 1, '[]')`,
      );
    });
    await evictDurableObject(self.stub);
    const opened = await self.open({ newMessage: false });
    expect(opened.hidden).toEqual([
      { anchor: { kind: "calls", ids: ["c0"], codes: [], position: 0 }, messages: [{ role: "tool" }] },
    ]);
    const id = await started(self, { ...opened, turn: "t" });
    expect(statuses((await self.open({ digest: "d" })).runs)).toEqual(["started"]);
    await runInDurableObject(self.stub, (_, { storage }) => {
      expect(storage.kv.get("schema")).toEqual({ version: guardSchema.length, readableBy: guardSchema.length });
      expect(upgradeObject(storage, "UserGuard", guardSchema.slice(0, 7)).ok).toBe(false);
    });
    expect((await self.guard.runs.finish({ turn: "t", session: "s", id, outcome: outcome("succeeded") })).status).toBe(
      "succeeded",
    );
  });
});
