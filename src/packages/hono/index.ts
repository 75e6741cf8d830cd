/**
 * `toolgate/hono`: the whole gateway inside another Worker. That Worker's configuration has the bindings of the gateway's own, and its
 * entry exports the classes below.
 */
import { createApp } from "../../app.ts";
import { createDeps, type DepsOptions } from "../../create-deps.ts";
import type { Env } from "../../deps.ts";
import worker from "../../index.ts";
import { readRecords } from "../../stores/audit/user-records.ts";
import type { Stores } from "../stores/stores.ts";

export type { Env as ToolgateEnv } from "../../deps.ts";
export { KeyMeter, MetricsHub, SemanticTrainer, TenantLedger, UserGuard } from "../../index.ts";
export type { StoredRecord } from "../../ports/audit-record.ts";
export type { Stores } from "../stores/stores.ts";

type Handler = (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>;

/**
 * For `app.mount("/ai", toolgateHandler())`: the gateway answers below that path, `/ai/v1/chat/completions` among others. Middleware in
 * front of it sees each request first, and may refuse it.
 */
export function toolgateHandler(options?: Pick<DepsOptions, "fetch" | "now">): Handler {
  /** Bindings do not change within an isolate. */
  let app: ReturnType<typeof createApp> | undefined;
  return (request, env, ctx) => {
    app ??= createApp(createDeps(env, options));
    return app.fetch(request, env, ctx);
  };
}

/** For the Worker's own `scheduled`: does the gateway's scheduled work, such as retention. */
export const toolgateScheduled = (controller: ScheduledController, env: Env): Promise<void> =>
  worker.scheduled(controller, env);

/** For the Worker's own `queue`, if `TRAIL=queued`: delivers the records of the trail. */
export const toolgateQueue = (batch: Parameters<typeof worker.queue>[0], env: Env): Promise<void> =>
  worker.queue(batch, env);

/** The gateway's stores, for a toolgate in the same Worker (`toolgate/ai-sdk` and the others): both share limits and approvals. */
export function workerStores(env: Env): Stores {
  const { guardOf, ledgerOf, detector, semantic, audit } = createDeps(env);
  return {
    guardOf,
    pinsOf: (tenant) => ledgerOf(tenant).mcp,
    toolsDb: env.TOOLS_DB,
    models: env.KV,
    detection: { detector, prepare: semantic.prepare },
    // Records of the last seconds may not be delivered yet.
    audit: (owner) => audit(owner.tenant, (db) => readRecords(db, owner)),
  };
}
