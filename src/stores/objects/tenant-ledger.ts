/**
 * TenantLedger: the Durable Object of one tenant. It serialises operators' writes, so that two of them cannot undo each
 * other unseen. The class only delegates: each subject has a file in `tenant/`.
 *
 * The object has one alarm, which each subject that waits for something arms; when it rings all of them look.
 */
import { DurableObject } from "cloudflare:workers";
import { describeError } from "../../lib/describe-error.ts";
import { log } from "../../lib/log.ts";
import type { Result } from "../../lib/result.ts";
import type { KeyLedgerPort } from "../../ports/key-ledger-port.ts";
import type { PolicyLedgerPort, PolicyWrite } from "../../ports/policy-ledger-port.ts";
import type { McpAcceptance, McpForgetting, McpPinsPort, NotedFailure, NotedList } from "../../tools/mcp/pins-port.ts";
import type { Actor, KeyPage, KeyRecord, StoredKey } from "../tenant/key-rows.ts";
import { type KeyChange, type KeyFailure, type KeyLedger, keyLedger } from "../tenant/keys.ts";
import { keyTables } from "../tenant/keys-schema.ts";
import { type McpPins, mcpPins } from "../tenant/mcp-pins.ts";
import { mcpTables } from "../tenant/mcp-schema.ts";
import { type PolicyLedger, policyLedger } from "../tenant/policies.ts";
import { policyTables } from "../tenant/policies-schema.ts";
import {
  type RetentionWalk,
  type RetentionWalkPort,
  retentionWalk,
  type WalkEnv,
  walkTables,
} from "../tenant/retention-walk.ts";
import { mustUpgrade } from "./object-schema.ts";

export interface LedgerEnv extends WalkEnv {
  readonly KV: KVNamespace;
}

/** How soon the alarm rings again after what should not happen: an alarm that throws is given up after a few times. */
const AFTER_FAILURE_MS = 60_000;

/** Code that knows nothing of MCP servers, or of retention, may serve an object that does. */
const schema = [
  { up: policyTables },
  { up: keyTables },
  { up: mcpTables, readableBy: 2 },
  { up: walkTables, readableBy: 2 },
];

export class TenantLedger
  extends DurableObject<LedgerEnv>
  implements PolicyLedgerPort, KeyLedgerPort, McpPinsPort, RetentionWalkPort
{
  private readonly policies: PolicyLedger;
  private readonly keys: KeyLedger;
  private readonly mcp: McpPins;
  private readonly retention: RetentionWalk;
  private armedAt: number | undefined;

  constructor(ctx: DurableObjectState, env: LedgerEnv) {
    super(ctx, env);
    mustUpgrade(ctx.storage, "TenantLedger", schema);
    this.policies = policyLedger({ storage: ctx.storage, kv: () => this.env.KV, arm: (at) => this.arm(at) });
    this.keys = keyLedger(ctx.storage, env.KV);
    this.mcp = mcpPins(ctx.storage);
    this.retention = retentionWalk(ctx.storage.sql, () => this.env);
    ctx.blockConcurrencyWhile(async () => {
      this.armedAt = (await ctx.storage.getAlarm()) ?? undefined;
    });
  }

  async policyInForce(tenant: string) {
    return this.policies.policyInForce(tenant);
  }

  async writePolicy(write: PolicyWrite) {
    return this.policies.writePolicy(write);
  }

  async policyVersions(tenant: string, limit: number, after: string | undefined) {
    return this.policies.policyVersions(tenant, limit, after);
  }

  async policyVersion(tenant: string, digest: string) {
    return this.policies.policyVersion(tenant, digest);
  }

  async createKey(record: KeyRecord, hash: string): Promise<Result<KeyRecord, KeyFailure>> {
    return this.armed(() => this.keys.create(record, hash));
  }

  async rotateKey(id: string, hash: string, overlapMs: number, actor: Actor): Promise<Result<KeyChange, KeyFailure>> {
    return this.armed(() => this.keys.rotate(id, hash, overlapMs, actor));
  }

  async revokeKey(id: string): Promise<Result<{ readonly settled: boolean }, KeyFailure>> {
    return this.armed(() => this.keys.revoke(id));
  }

  async readKey(id: string): Promise<StoredKey | undefined> {
    return this.keys.read(id);
  }

  async listKeys(page: KeyPage): Promise<StoredKey[]> {
    return this.keys.list(page);
  }

  async mcpServers() {
    return this.mcp.servers();
  }

  async noteMcpList(noted: NotedList) {
    return this.mcp.noteList(noted);
  }

  async noteMcpFailure(noted: NotedFailure) {
    return this.mcp.noteFailure(noted);
  }

  async acceptMcpTool(acceptance: McpAcceptance) {
    return this.mcp.accept(acceptance);
  }

  async forgetMcpTool(forgetting: McpForgetting) {
    return this.mcp.forgetTool(forgetting);
  }

  async forgetMcpServer(server: string) {
    return this.mcp.forgetServer(server);
  }

  async retentionShortened(tenant: string): Promise<void> {
    this.retention.begin(tenant, Date.now());
    this.armFor(this.retention);
  }

  override async alarm(): Promise<void> {
    this.armedAt = undefined;
    try {
      await Promise.all([this.policies.settle(), this.keys.settle(), this.retention.settle(Date.now())]);
      this.armFor(this.keys);
      this.armFor(this.retention);
    } catch (error) {
      log("error", "ledger_alarm_failed", describeError(error));
      this.arm(Date.now() + AFTER_FAILURE_MS);
    }
  }

  /** The alarm is set from the rows, while the work waits for KV (it may die with the object) and after it. */
  private async armed<T>(work: () => Promise<T>): Promise<T> {
    const working = work();
    this.armFor(this.keys);
    const done = await working;
    this.armFor(this.keys);
    return done;
  }

  private armFor(subject: { next(): number | undefined }): void {
    const due = subject.next();
    if (due !== undefined) this.arm(due);
  }

  /** Makes sure that the alarm rings at that time or before. */
  private arm(at: number): void {
    if (this.armedAt !== undefined && this.armedAt <= at) return;
    this.armedAt = at;
    void this.ctx.storage.setAlarm(at);
  }
}
