/**
 * The storage of a Durable Object over Node's own SQLite, as far as the objects of this project use it: their code runs in a process
 * as it runs in the Worker.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** The longest time that a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface SqliteStorage {
  readonly storage: DurableObjectStorage;
  /** Called when the alarm rings. */
  onAlarm(ring: () => Promise<void>): void;
  /** No alarm rings any more. */
  stop(): void;
}

export function sqliteStorage(db: DatabaseSync): SqliteStorage {
  db.exec("CREATE TABLE IF NOT EXISTS _kv (key TEXT PRIMARY KEY, value TEXT NOT NULL)");
  const alarm = newAlarm();
  const storage = {
    sql: { exec: sqlRunner(db) },
    kv: {
      get: (key: string) => {
        const row = db.prepare("SELECT value FROM _kv WHERE key = ?").get(key);
        return row && (JSON.parse(String(row.value)) as unknown);
      },
      put: (key: string, value: unknown) => {
        db.prepare("INSERT INTO _kv VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value").run(
          key,
          JSON.stringify(value),
        );
      },
      delete: (key: string) => db.prepare("DELETE FROM _kv WHERE key = ?").run(key).changes > 0,
    },
    transactionSync: transactions(db),
    setAlarm: async (at: number) => alarm.set(at),
    getAlarm: async () => alarm.at ?? null,
    deleteAlarm: async () => alarm.stop(),
  };
  // The runtime's type has many members that no object of this project uses.
  return { storage: storage as unknown as DurableObjectStorage, onAlarm: alarm.onRing, stop: alarm.stop };
}

/** Statements are constants of the code: each is prepared once. */
const MAX_PREPARED = 500;

function sqlRunner(db: DatabaseSync) {
  const prepared = new Map<string, StatementSync>();
  return (text: string, ...values: SQLInputValue[]) => {
    let statement = prepared.get(text);
    if (!statement) {
      // Only schemas have several statements, and they bind nothing.
      if (values.length === 0 && /;\s*\S/.test(text)) {
        db.exec(text);
        return cursor([]);
      }
      if (prepared.size >= MAX_PREPARED) prepared.clear();
      statement = db.prepare(text);
      prepared.set(text, statement);
    }
    return cursor(statement.all(...values));
  };
}

function cursor(rows: readonly unknown[]) {
  return {
    toArray: () => rows,
    one: () => {
      if (rows.length !== 1) throw new Error(`the statement has ${rows.length} rows, not one`);
      return rows[0];
    },
    [Symbol.iterator]: () => rows[Symbol.iterator](),
  };
}

function transactions(db: DatabaseSync): <T>(body: () => T) => T {
  let depth = 0;
  return (body) => {
    const name = `t${depth}`;
    db.exec(`SAVEPOINT ${name}`);
    depth += 1;
    try {
      const value = body();
      db.exec(`RELEASE ${name}`);
      return value;
    } catch (error) {
      db.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
      throw error;
    } finally {
      depth -= 1;
    }
  };
}

/** An alarm as a timer. It keeps no process alive. */
function newAlarm() {
  let ring: () => Promise<void> = async () => {};
  let timer: NodeJS.Timeout | undefined;
  let at: number | undefined;
  const arm = (): void => {
    clearTimeout(timer);
    if (at === undefined) return;
    const left = at - Date.now();
    timer = setTimeout(left > MAX_TIMER_MS ? arm : fire, Math.min(Math.max(0, left), MAX_TIMER_MS));
    timer.unref();
  };
  const fire = (): void => {
    at = undefined;
    void ring();
  };
  return {
    get at() {
      return at;
    },
    set(time: number) {
      at = time;
      arm();
    },
    onRing(run: () => Promise<void>) {
      ring = run;
    },
    stop() {
      at = undefined;
      clearTimeout(timer);
    },
  };
}
