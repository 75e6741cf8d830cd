/**
 * UserGuard: the Durable Object of one user of one tenant. One thread and transactions, so counts are exact: two parallel turns
 * cannot both spend the last use, and nothing runs unrecorded.
 *
 * Callers reach its APIs by one method (`guard-client.ts`).
 *
 * Its records wait in an outbox, which its alarm delivers to D1 (`AlarmWork`). If D1 takes none, the outbox grows up to what an
 * object's storage holds (10 GB); then nothing is decided any more.
 */
import { DurableObject } from "cloudflare:workers";
import { log, setLogLevel } from "../../lib/log.ts";
import { noTelemetry, readTelemetry } from "../../settings/telemetry.ts";
import { type AuditKeys, parseAuditKeys } from "../audit/audit-keys.ts";
import type { GuardEnv } from "../guard/alarm/alarm-work.ts";
import { guardApis, type UserGuardApis } from "../guard/guard-apis.ts";
import { lazyTables } from "../guard/lazy-tables.ts";
import { ObjectContext } from "../guard/object-context.ts";
import { guardSchema } from "../guard/schema/guard-schema.ts";
import { guardTables } from "../guard/tables.ts";
import { callApi, type ObjectCall } from "./object-ports.ts";

/** How soon an object that needs newer code or other settings checks for them. */
const LATER_MS = 300_000;

const NO_KEYS: AuditKeys = { signing: "", secrets: new Map() };

export class UserGuard extends DurableObject<GuardEnv> {
  private readonly context: ObjectContext;
  private readonly refusal: { readonly event: string; readonly message: string } | undefined;
  readonly apis: UserGuardApis;

  constructor(ctx: DurableObjectState, env: GuardEnv) {
    super(ctx, env);
    const telemetry = readTelemetry(env);
    setLogLevel((telemetry.ok ? telemetry.value : noTelemetry).logLevel);
    const { upgraded, storage, tidy, tryReading } = lazyTables(ctx.storage, guardSchema, guardTables);
    const keys = parseAuditKeys(env.AUDIT_KEY ?? "");
    // Not thrown here: an alarm whose object cannot be made is given up, and the outbox would wait for ever.
    if (!upgraded.ok) this.refusal = { event: "object_schema_too_new", message: upgraded.error };
    // Without a key nothing could be recorded, so nothing may be decided.
    else if (!keys.ok) this.refusal = { event: "audit_key_unusable", message: `AUDIT_KEY: ${keys.error}` };
    const refusal = this.refusal?.message;
    const context = new ObjectContext({
      ctx: { storage, waitUntil: (work) => ctx.waitUntil(work) },
      tidy,
      tryReading,
      env,
      now: () => this.now(),
      keys: keys.ok ? keys.value : NO_KEYS,
      refusal,
    });
    this.context = context;
    this.apis = guardApis(context);
    ctx.blockConcurrencyWhile(() => context.alarm.start(refusal === undefined));
  }

  /** Milliseconds since the epoch. The Worker that runs policy cases overrides it. */
  protected now(): number {
    return Date.now();
  }

  async call(...named: Parameters<ObjectCall<UserGuardApis>>): Promise<unknown> {
    return callApi(this.apis, ...named);
  }

  override async alarm(): Promise<void> {
    if (!this.refusal) return this.context.ring();
    log("error", this.refusal.event, { message: this.refusal.message });
    const { clock } = this.context.alarm;
    clock.rang();
    clock.schedule(LATER_MS);
    clock.stopped();
  }
}
