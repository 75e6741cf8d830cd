/**
 * The part of the tenant's ledger that says which database has the tenant's hot index, and moves it to another one: if a shard was
 * added to which the tenant now belongs, or an operator pinned the tenant. Isolates use an answer for a minute, so each phase begins
 * when all of them know the one before. It may die at any point, and continues from there.
 *
 *   announced  records go to both databases; reads go to the old one
 *   copying    the old rows are copied
 *   checking   each row of the old database is found in the new one, with its place in the chain: if not, they are copied once more
 *   switched   reads go to the new one; records still go to both, for isolates that do not know it yet
 *   left       records go only to the new one
 *   removing   the rows of the old one are removed, each after it was found in the new one
 *
 * Rows of the tenant in a database that is not its own begin with `copying`, and only ever leave that one.
 */
import { describeError, log } from "../../lib/log.ts";
import { HOUR_MS } from "../../lib/time.ts";
import type { TrailHomePort, TrailPlace } from "../../ports/tenant-ledger-port.ts";
import {
  checkPage,
  copyCheckpoints,
  copyPage,
  FIRST_ROWS,
  hasRecords,
  type MoveCursor,
  removePage,
} from "../audit/shards/move-rows.ts";
import { homeOf, PLACE_HOLDS_MS, type ShardsEnv, shardNamed, shardsOf } from "../audit/shards/shards.ts";
import { selectOne } from "../objects/sql-rows.ts";

/** One row at most. home: where reads go. pin: what an operator chose. other: the other database while rows are moved; gathers: 1 where they only leave it. */
export const homeTables = `
CREATE TABLE trail_home (
  one INTEGER PRIMARY KEY CHECK (one = 1), tenant TEXT NOT NULL, home TEXT NOT NULL, pin TEXT, phase TEXT, other TEXT,
  gathers INTEGER NOT NULL DEFAULT 0, cursor TEXT, tries INTEGER NOT NULL DEFAULT 0, due INTEGER
);`;

type Phase = "announced" | "copying" | "checking" | "switched" | "left" | "removing";

interface HomeRow {
  readonly tenant: string;
  readonly home: string;
  readonly pin: string | null;
  readonly phase: Phase | null;
  readonly other: string | null;
  readonly gathers: number;
  /** JSON of MoveCursor. */
  readonly cursor: string | null;
  readonly tries: number;
  readonly due: number | null;
}

/** An isolate may have read the place just before a change, and a write that it began then may take half a minute. */
const HEARD_MS = 2 * PLACE_HOLDS_MS;
/** Pages per alarm: a page takes some five statements. */
const PAGES = 20;
const NEXT_MS = 200;
const RETRY_MS = 60_000;
/** After this many incomplete copies, the difference is reported, and the copy tried again an hour later. */
const MAX_COPIES = 5;
const HELD_MS = HOUR_MS;

export interface TrailHome extends TrailHomePort {
  /** Does the next piece of a move, if it is due. Never throws. */
  settle(now: number): Promise<void>;
  /** When the next piece is due; undefined if nothing is moved. */
  next(): number | undefined;
}

interface HomeParts {
  readonly sql: SqlStorage;
  readonly env: () => ShardsEnv;
  readonly now: () => number;
  readonly schedule: (at: number) => void;
}

export function trailHome({ sql, env, now, schedule }: HomeParts): TrailHome {
  const read = () => selectOne<HomeRow>(sql, "SELECT * FROM trail_home");
  const update = (columns: Partial<HomeRow>) => {
    const names = Object.keys(columns);
    sql.exec(`UPDATE trail_home SET ${names.map((name) => `${name} = ?`).join(", ")}`, ...Object.values(columns));
    const due = read()?.due;
    if (due) schedule(due);
  };
  const begin = (columns: Partial<HomeRow> & { readonly phase: Phase; readonly due: number }) =>
    update({ cursor: null, tries: 0, gathers: 0, ...columns });

  /** The first question finds where the tenant's records are; without records it is the database that the tenant belongs to. */
  async function rowOf(tenant: string): Promise<HomeRow> {
    const known = read();
    if (known) return known;
    const all = shardsOf(env());
    const found: string[] = [];
    for (const [name, database] of all) if (await hasRecords(database, tenant)) found.push(name);
    const home = found[0] ?? homeOf(tenant, [...all.keys()]);
    sql.exec("INSERT OR IGNORE INTO trail_home (one, tenant, home) VALUES (1, ?, ?)", tenant, home);
    return read() ?? rowOf(tenant);
  }

  /** Begins the move that the tenant needs, if it needs one and none is under way. */
  function look(row: HomeRow, elsewhere: readonly string[]): void {
    const shards = [...shardsOf(env()).keys()];
    const target = row.pin !== null && shards.includes(row.pin) ? row.pin : homeOf(row.tenant, shards);
    const { phase, other, home } = row;
    if (phase !== null) {
      const isEarly = phase === "announced" || ((phase === "copying" || phase === "checking") && row.gathers === 0);
      // It stays where it is: what the new database got is removed there.
      if (isEarly && target === home) begin({ phase: "left", other, due: now() + HEARD_MS });
      return;
    }
    const stray = elsewhere.find((name) => name !== home && shards.includes(name));
    if (stray !== undefined) begin({ phase: "copying", other: stray, gathers: 1, due: now() });
    else if (target !== home) begin({ phase: "announced", other: target, due: now() + HEARD_MS });
  }

  async function work(row: HomeRow): Promise<void> {
    const { tenant, phase, other, home, gathers } = row;
    if (phase === null || other === null) return update({ due: null });
    const all = shardsOf(env());
    const [source, target] = phase === "removing" || gathers === 1 ? [other, home] : [home, other];
    const databases = { from: shardNamed(all, source), to: shardNamed(all, target), tenant };
    let cursor: MoveCursor = row.cursor === null ? FIRST_ROWS : (JSON.parse(row.cursor) as MoveCursor);
    switch (phase) {
      case "announced":
        return update({ phase: "copying", cursor: null, due: now() });
      case "switched":
        return update({ phase: "left", due: now() + HEARD_MS });
      case "left":
        return update({ phase: "removing", due: now() });
      case "copying":
        for (let page = 0; page < PAGES; page++) {
          const next = await copyPage(databases, cursor);
          if (next) cursor = next;
          else {
            await copyCheckpoints(databases);
            return update({ phase: "checking", cursor: null, tries: row.tries + 1, due: now() });
          }
        }
        return update({ cursor: JSON.stringify(cursor), due: now() + NEXT_MS });
      case "checking":
        for (let page = 0; page < PAGES; page++) {
          const { next, missing } = await checkPage(databases, cursor);
          if (missing > 0) return notWhole(row, missing);
          if (next) cursor = next;
          else if (gathers === 1) return update({ phase: "removing", cursor: null, due: now() });
          else return begin({ phase: "switched", home: other, other: home, due: now() + HEARD_MS });
        }
        return update({ cursor: JSON.stringify(cursor), due: now() + NEXT_MS });
      case "removing":
        for (let page = 0; page < PAGES; page++) {
          if (await removePage(databases)) continue;
          log("info", "tenant_moved", { tenant, from: other, to: home });
          return update({ phase: null, other: null, gathers: 0, cursor: null, tries: 0, due: null });
        }
        return update({ due: now() + NEXT_MS });
    }
  }

  /** A record was written to the one database, and not yet to the other; or they differ. */
  function notWhole({ tenant, tries, home, other }: HomeRow, missing: number): void {
    const isHeld = tries >= MAX_COPIES;
    if (isHeld) log("error", "tenant_not_moved", { tenant, home, other, missing });
    update({ phase: "copying", cursor: null, tries: isHeld ? 0 : tries, due: now() + (isHeld ? HELD_MS : NEXT_MS) });
  }

  return {
    place: async (tenant) => placeIn(await rowOf(tenant)),
    async pin(tenant, shard) {
      const row = await rowOf(tenant);
      update({ pin: shard });
      look({ ...row, pin: shard }, []);
    },
    async check(tenant, elsewhere) {
      look(await rowOf(tenant), elsewhere);
    },
    async state() {
      const row = read();
      return row && { shard: row.home, pin: row.pin, other: row.other, phase: row.phase };
    },
    next: () => read()?.due ?? undefined,
    async settle(at) {
      const row = read();
      if (!row || row.due === null || row.due > at) return;
      try {
        await work(row);
        const { phase } = read() ?? row;
        if (phase === null) look(read() ?? row, []);
      } catch (error) {
        log("error", "tenant_move_failed", { tenant: row.tenant, phase: row.phase, ...describeError(error) });
        update({ due: now() + RETRY_MS });
      }
    },
  };
}

function placeIn({ home, other, phase, gathers }: HomeRow): TrailPlace {
  const both = other !== null && gathers === 0 && phase !== "left" && phase !== "removing";
  return { read: home, write: both ? [home, other] : [home], isMoving: phase !== null };
}
