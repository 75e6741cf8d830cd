/** The Worker's entry. */

import type { Hono } from "hono";
import { createApp } from "./app.ts";
import { createDeps, type Env } from "./deps.ts";
import type { AppEnv } from "./http/app-env.ts";
import { wakeOverdue } from "./stores/audit/retention-overdue.ts";
import { expireNotes } from "./stores/tools/d1-notes.ts";

export { KeyMeter } from "./stores/objects/key-meter.ts";
export { MetricsHub } from "./stores/objects/metrics-hub.ts";
export { SemanticTrainer } from "./stores/objects/semantic-trainer.ts";
export { TenantLedger } from "./stores/objects/tenant-ledger.ts";
export { UserGuard } from "./stores/objects/user-guard.ts";

/** Bindings do not change within an isolate. */
let app: Hono<AppEnv> | undefined;

// biome-ignore lint/style/noDefaultExport: the runtime looks for the Worker's handlers in the default export
export default {
  fetch(request, env, ctx) {
    app ??= createApp(createDeps(env));
    return app.fetch(request, env, ctx);
  },
  async scheduled(_controller, env) {
    const { db, guardOf, ledgerOf, now } = createDeps(env);
    await Promise.all([
      wakeOverdue({ db, kv: env.KV, guardOf, ledgerOf }, now()),
      env.TOOLS_DB && expireNotes(env.TOOLS_DB, now()),
    ]);
  },
} satisfies ExportedHandler<Env>;
