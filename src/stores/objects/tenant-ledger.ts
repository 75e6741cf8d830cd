/**
 * TenantLedger: the Durable Object of one tenant. It serialises operators' writes, so that two of them cannot undo each
 * other unseen. Each of its APIs has a file in `tenant/`.
 *
 * The object has one alarm, which each API that waits for something schedules; when it rings all of them look.
 */
import { DurableObject } from "cloudflare:workers";
import { describeError, log } from "../../lib/log.ts";
import type { TenantLedgerPort } from "../../ports/tenant-ledger-port.ts";
import type { McpPinsPort } from "../../tools/mcp/known-server.ts";
import { directoryTables, type TenantDirectory, tenantDirectory } from "../tenant/directory.ts";
import { keyTables } from "../tenant/key-rows.ts";
import { type KeyLedger, keyLedger } from "../tenant/keys.ts";
import { mcpPins, mcpTables } from "../tenant/mcp-pins.ts";
import { type PolicyLedger, policyLedger } from "../tenant/policies.ts";
import { policyTables } from "../tenant/policies-schema.ts";
import { type RetentionWalk, retentionWalk, type WalkEnv, walkTables } from "../tenant/retention-walk.ts";
import { homeTables, type TrailHome, trailHome } from "../tenant/trail-home.ts";
import { callApi, type ObjectCall } from "./object-ports.ts";
import { mustUpgrade } from "./object-schema.ts";

interface LedgerEnv extends WalkEnv {
  readonly KV: KVNamespace;
}

/** How soon the alarm rings again after an unexpected failure: an alarm that throws is given up after a few times. */
const AFTER_FAILURE_MS = 60_000;

/** Code that knows nothing of MCP servers, or of retention, may serve an object that does. */
const schema = [
  { up: policyTables },
  { up: keyTables },
  { up: mcpTables, readableBy: 2 },
  { up: walkTables, readableBy: 2 },
  { up: directoryTables, readableBy: 2 },
  { up: homeTables, readableBy: 2 },
];

export class TenantLedger extends DurableObject<LedgerEnv> {
  private readonly apis: {
    readonly policies: PolicyLedger;
    readonly keys: KeyLedger;
    readonly mcp: McpPinsPort;
    readonly retention: RetentionWalk;
    readonly tenants: TenantDirectory;
    readonly trail: TrailHome;
  };
  private scheduledAt: number | undefined;

  constructor(ctx: DurableObjectState, env: LedgerEnv) {
    super(ctx, env);
    const { storage } = ctx;
    mustUpgrade(storage, "TenantLedger", schema);
    const schedule = (at: number) => this.schedule(at);
    this.apis = {
      policies: policyLedger({ storage, kv: () => this.env.KV, schedule }),
      keys: keyLedger(storage, env.KV, () => this.scheduleFor(this.apis.keys)),
      mcp: mcpPins(storage),
      retention: retentionWalk(storage.sql, () => this.env, schedule),
      tenants: tenantDirectory(storage, env.KV, () => this.scheduleFor(this.apis.tenants)),
      trail: trailHome({ sql: storage.sql, env: () => this.env, now: Date.now, schedule }),
    };
    ctx.blockConcurrencyWhile(async () => {
      this.scheduledAt = (await storage.getAlarm()) ?? undefined;
    });
  }

  async call(...named: Parameters<ObjectCall<TenantLedgerPort>>): Promise<unknown> {
    return callApi<TenantLedgerPort>(this.apis, ...named);
  }

  override async alarm(): Promise<void> {
    this.scheduledAt = undefined;
    const { policies, keys, retention, tenants, trail } = this.apis;
    const now = Date.now();
    try {
      await Promise.all([
        policies.settle(),
        keys.settle(),
        retention.settle(now),
        tenants.settle(now),
        trail.settle(now),
      ]);
      this.scheduleFor(keys);
      this.scheduleFor(retention);
      this.scheduleFor(tenants);
      this.scheduleFor(trail);
    } catch (error) {
      log("error", "ledger_alarm_failed", describeError(error));
      this.schedule(Date.now() + AFTER_FAILURE_MS);
    }
  }

  private scheduleFor(api: { next(): number | undefined }): void {
    const due = api.next();
    if (due !== undefined) this.schedule(due);
  }

  /** Makes sure that the alarm rings at that time or before. */
  private schedule(at: number): void {
    if (this.scheduledAt !== undefined && this.scheduledAt <= at) return;
    this.scheduledAt = at;
    void this.ctx.storage.setAlarm(at);
  }
}
