/** The Worker's entry. */

import type { Hono } from "hono";
import { createApp } from "./app.ts";
import { createDeps } from "./create-deps.ts";
import type { Deps, Env } from "./deps.ts";
import type { AppEnv } from "./http/app-env.ts";
import { COMPACT_CRON } from "./settings/trail.ts";
import { expireNotes } from "./stores/tools/d1-notes.ts";
import { compactAll, consumeQueue, rebalanceShards, removeOld, wakeAllOverdue } from "./trail-deps.ts";

export { KeyMeter } from "./stores/objects/key-meter.ts";
export { MetricsHub } from "./stores/objects/metrics-hub.ts";
export { SemanticTrainer } from "./stores/objects/semantic-trainer.ts";
export { TenantLedger } from "./stores/objects/tenant-ledger.ts";
export { UserGuard } from "./stores/objects/user-guard.ts";

/** Bindings do not change within an isolate. */
let app: Hono<AppEnv> | undefined;
let deps: Deps | undefined;

// biome-ignore lint/style/noDefaultExport: the runtime looks for the Worker's handlers in the default export
export default {
  fetch(request, env, ctx) {
    deps ??= createDeps(env);
    app ??= createApp(deps);
    return app.fetch(request, env, ctx);
  },
  async scheduled({ cron }, env) {
    deps ??= createDeps(env);
    const often = [compactAll(env, deps), removeOld(env, deps), rebalanceShards(env, deps)];
    const nightly =
      cron === COMPACT_CRON ? [] : [wakeAllOverdue(env, deps), env.TOOLS_DB && expireNotes(env.TOOLS_DB, deps.now())];
    await Promise.all([...often, ...nightly]);
  },
  async queue(batch, env) {
    deps ??= createDeps(env);
    await consumeQueue(batch, env, { ...deps, hub: () => env.METRICS_HUB.get(env.METRICS_HUB.idFromName("hub")) });
  },
} satisfies ExportedHandler<Env>;
