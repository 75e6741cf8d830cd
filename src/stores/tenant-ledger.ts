/**
 * TenantLedger: the Durable Object of one tenant. It serialises operators' writes, so that two of them cannot undo each
 * other unseen. The class only delegates: each subject has a file in `tenant/`.
 *
 * The object has one alarm, which each subject that waits for something arms; when it rings all of them look.
 */
import { DurableObject } from "cloudflare:workers";
import { type PolicyLedger, policyLedger } from "./tenant/policies.ts";
import type { PolicyLedgerPort, PolicyWrite } from "./tenant/policy-ledger-port.ts";

export interface LedgerEnv {
  readonly KV: KVNamespace;
}

export class TenantLedger extends DurableObject<LedgerEnv> implements PolicyLedgerPort {
  private readonly policies: PolicyLedger;
  private armedAt: number | undefined;

  constructor(ctx: DurableObjectState, env: LedgerEnv) {
    super(ctx, env);
    this.policies = policyLedger({ storage: ctx.storage, kv: () => this.env.KV, arm: (at) => this.arm(at) });
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

  override async alarm(): Promise<void> {
    this.armedAt = undefined;
    await this.policies.settle();
  }

  /** Makes sure that the alarm rings at that time or before. */
  private arm(at: number): void {
    if (this.armedAt !== undefined && this.armedAt <= at) return;
    this.armedAt = at;
    void this.ctx.storage.setAlarm(at);
  }
}
