/**
 * Toolgate, with the runtime's own counts of what it does: rows that its objects and D1 write, bytes, alarms, calls, messages of the
 * queue, operations of the bucket. `GET /figures` tells them. No deployment has this entry.
 */
import toolgate, { UserGuard } from "toolgate";

export * from "toolgate";

type Method = (this: object, ...args: readonly unknown[]) => unknown;
type Methods = Record<string, Method>;
type After = (result: unknown, args: readonly unknown[], on: object) => void;

const counts: Record<string, number> = {};
const add = (name: string, by = 1) => {
  counts[name] = (counts[name] ?? 0) + by;
};

/** Rows that objects wrote, by statement. */
const statements: Record<string, number> = {};
const addRows = (text: string, rows: number) => {
  add("object rows written", rows);
  if (rows > 0) statements[text] = (statements[text] ?? 0) + rows;
};

interface Cursor {
  readonly rowsWritten: number;
}

interface Executed {
  readonly text: string;
  readonly cursor: Cursor;
}

/** By the object's storage. A cursor counts while it is read, and no other object may ask it. */
const cursors = new WeakMap<object, Executed[]>();
const sizes = new Map<string, number>();
/** Rows that each object has: most of them are removed one day. */
const kept = new Map<string, number>();

const prototypes = new WeakSet<object>();

/** Replaces a method of all objects of the same kind, once. */
function wrap(one: object, name: string, after: After): void {
  const proto = Object.getPrototypeOf(one) as Methods;
  const method = proto[name];
  if (!method) throw new Error(`there is no \`${name}\` to count`);
  proto[name] = function counted(...args) {
    const result = method.apply(this, [...args]);
    const done = (value: unknown): unknown => {
      after(value, args, this);
      return value;
    };
    return result instanceof Promise ? result.then(done) : done(result);
  };
}

function wrapOnce(one: object, wrappers: Readonly<Record<string, After>>): void {
  const proto = Object.getPrototypeOf(one) as object;
  if (prototypes.has(proto)) return;
  prototypes.add(proto);
  for (const [name, after] of Object.entries(wrappers)) wrap(one, name, after);
}

interface D1Meta {
  readonly rows_written?: number;
  readonly rows_read?: number;
}

function countD1(results: readonly { readonly meta?: D1Meta }[]): void {
  add("d1 statements", results.length);
  for (const { meta } of results) {
    add("d1 rows written", meta?.rows_written ?? 0);
    add("d1 rows read", meta?.rows_read ?? 0);
  }
}

interface Bindings {
  readonly AUDIT_DB: { prepare(text: string): object };
  readonly TRAIL_QUEUE?: object;
  readonly ARCHIVE?: object;
}

const bytesOf = (value: unknown): number =>
  value instanceof Uint8Array
    ? value.length
    : new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)).length;

function countBindings(env: Bindings): void {
  wrapOnce(env.AUDIT_DB, {
    batch: (results) => {
      add("d1 batches");
      countD1(results as readonly { readonly meta?: D1Meta }[]);
    },
  });
  if (env.TRAIL_QUEUE)
    wrapOnce(env.TRAIL_QUEUE, {
      sendBatch: (_, [messages]) => {
        for (const { body } of messages as readonly { readonly body: unknown }[]) {
          add("queue messages");
          add("queue bytes", bytesOf(body));
        }
      },
    });
  if (env.ARCHIVE)
    wrapOnce(env.ARCHIVE, {
      put: (_, [, value]) => {
        add("r2 puts");
        add("r2 bytes", bytesOf(value));
      },
      get: () => add("r2 gets"),
      list: () => add("r2 lists"),
    });
}

interface Sql {
  readonly databaseSize: number;
  exec(text: string): { toArray(): readonly Readonly<Record<string, unknown>>[] };
}

interface State {
  readonly id: { toString(): string };
  readonly storage: { readonly sql: Sql };
}

function countRows(sql: Sql): number {
  const tables = sql
    .exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'")
    .toArray();
  return tables.reduce(
    (sum, { name }) => sum + Number(sql.exec(`SELECT COUNT(*) AS n FROM ${name}`).toArray()[0]?.n),
    0,
  );
}

class CountedGuard extends UserGuard {
  constructor(ctx: State, env: Bindings) {
    // Before the object's own constructor makes its tables.
    wrapOnce(ctx.storage.sql, {
      exec: (cursor, [text], sql) => void cursors.get(sql)?.push({ text: String(text), cursor: cursor as Cursor }),
    });
    cursors.set(ctx.storage.sql, []);
    wrapOnce(ctx.storage, { setAlarm: () => addRows("setAlarm", 1) });
    countBindings(env);
    super(ctx, env);
    this.state = ctx;
    this.addUp();
    // It delivers, and writes what it puts off, after its answers.
    setInterval(() => this.addUp(), 250);
  }

  private readonly state: State;

  private addUp(): void {
    const { sql } = this.state.storage;
    for (const { text, cursor } of cursors.get(sql)?.splice(0) ?? []) addRows(text, cursor.rowsWritten);
    const id = this.state.id.toString();
    sizes.set(id, sql.databaseSize);
    kept.set(id, countRows(sql));
  }

  override async call(...args: readonly unknown[]): Promise<unknown> {
    add("object calls");
    return super.call(...args);
  }

  override async alarm(): Promise<void> {
    add("object alarms");
    await super.alarm();
  }
}

export { CountedGuard as UserGuard };

function figures(): Record<string, number> {
  const sum = (of: Map<string, number>) => [...of.values()].reduce((all, one) => all + one, 0);
  return { ...counts, objects: sizes.size, "object bytes": sum(sizes), "object rows kept": sum(kept) };
}

export default {
  fetch(request: Request, env: Bindings, ctx: unknown): Response | Promise<Response> {
    countBindings(env);
    if (new URL(request.url).pathname === "/figures") return Response.json(figures());
    if (new URL(request.url).pathname === "/statements") return Response.json(statements);
    add("requests");
    return toolgate.fetch(request, env, ctx);
  },
  scheduled: (controller: unknown, env: Bindings, ctx: unknown): Promise<void> =>
    toolgate.scheduled(controller, env, ctx),
  queue(batch: { readonly messages: readonly unknown[] }, env: Bindings, ctx: unknown): Promise<void> {
    countBindings(env);
    add("consumer calls");
    return toolgate.queue(batch, env, ctx);
  },
};
