/**
 * The least that a gateway can do which counts what a user does: it reads the request, asks the user's Durable Object before the
 * model and tells it after, one row each. It governs nothing, and hands a stream on unread.
 */
import { DurableObject } from "cloudflare:workers";

interface Guard {
  open(turn: string, at: number): Promise<number>;
  close(turn: string, record: string): Promise<void>;
}

interface Env {
  readonly UPSTREAM_BASE_URL: string;
  readonly UPSTREAM_API_KEY: string;
  readonly USER_GUARD: { idFromName(name: string): unknown; get(id: unknown): Guard };
}

interface Context {
  waitUntil(work: Promise<unknown>): void;
}

export class UserGuard extends DurableObject implements Guard {
  constructor(ctx: DurableObject["ctx"], env: unknown) {
    super(ctx, env);
    ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS turns (id TEXT PRIMARY KEY, at INTEGER, record TEXT)");
    ctx.storage.sql.exec("CREATE INDEX IF NOT EXISTS turns_at ON turns (at)");
  }

  async open(turn: string, at: number): Promise<number> {
    const { sql } = this.ctx.storage;
    const { n } = sql.exec("SELECT COUNT(*) AS n FROM turns WHERE at > ?", at - 1000).one();
    sql.exec("INSERT INTO turns (id, at) VALUES (?, ?)", turn, at);
    return n as number;
  }

  async close(turn: string, record: string): Promise<void> {
    this.ctx.storage.sql.exec("UPDATE turns SET record = ? WHERE id = ?", record, turn);
  }
}

// What `wrangler.toml` binds besides; nobody calls them.
export class TenantLedger extends DurableObject {}
export class KeyMeter extends DurableObject {}
export class MetricsHub extends DurableObject {}
export class SemanticTrainer extends DurableObject {}

export default {
  async fetch(request: Request, env: Env, ctx: Context): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/health") return new Response("ok");
    const body = await request.json();
    const guard = env.USER_GUARD.get(env.USER_GUARD.idFromName(request.headers.get("x-toolgate-user") ?? ""));
    const turn = crypto.randomUUID();
    await guard.open(turn, Date.now());
    const answer = await fetch(new URL(pathname, env.UPSTREAM_BASE_URL), {
      method: "POST",
      headers: { authorization: `Bearer ${env.UPSTREAM_API_KEY}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: request.signal,
    });
    const close = (usage: unknown) => ctx.waitUntil(guard.close(turn, JSON.stringify({ turn, usage })));
    if (answer.headers.get("content-type")?.startsWith("text/event-stream")) {
      close(null);
      return new Response(answer.body, answer);
    }
    const read = (await answer.json()) as { readonly usage?: unknown };
    close(read.usage);
    return Response.json(read, { status: answer.status });
  },
};
