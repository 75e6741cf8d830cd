/** An operator of one tenant, and the hands that reach into its ledger and its KV. */
import { env, runInDurableObject } from "cloudflare:test";
import type { TenantLedger } from "../../../src/stores/objects/tenant-ledger.ts";
import { type Gateway, type GatewayOptions, gateway } from "../support/gateway.ts";

interface Change {
  readonly object: string;
  readonly version: string | null;
  readonly previous: string | null;
  readonly dry_run: boolean;
  readonly changes: {
    readonly tools: readonly { tool: string; effects: readonly Record<string, unknown>[] }[];
    readonly intents: readonly Record<string, unknown>[];
    readonly modes: readonly Record<string, unknown>[];
    readonly settings: readonly Record<string, unknown>[];
  };
  readonly warnings: readonly { path: string; message: string }[];
}

export interface Failure {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly param: string | null;
    readonly errors?: readonly { readonly path: string; readonly message: string }[];
  };
}

export interface Entry {
  readonly id: string;
  readonly version: string | null;
  readonly action: string;
  readonly created_by: string | null;
  readonly in_force: boolean;
}

interface Answered<T = Change & Failure> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface PolicyAdmin {
  readonly gate: Gateway;
  readonly ledger: DurableObjectStub<TenantLedger>;
  /** @param path below `/admin/policies/<tenant>`. */
  ask<T = Change & Failure>(
    method: string,
    path?: string,
    init?: RequestInit & { json?: unknown },
  ): Promise<Answered<T>>;
  put(document: unknown, headers?: Record<string, string>): Promise<Answered>;
  versions(): Promise<readonly Entry[]>;
  current(): Promise<Record<string, unknown>>;
}

export async function policyAdmin(options: GatewayOptions = {}): Promise<PolicyAdmin> {
  const gate = await gateway(options);
  const key = await gate.keyFor("boss", "admin");
  const self: PolicyAdmin = {
    gate,
    ledger: env.TENANT_LEDGER.get(env.TENANT_LEDGER.idFromName(gate.tenant)),
    async ask<T>(method: string, path = "", init: RequestInit & { json?: unknown } = {}) {
      const response = await gate.fetch(`/admin/policies/${gate.tenant}${path}`, { ...init, method, key });
      return { status: response.status, headers: response.headers, body: (await response.json()) as T };
    },
    put: (json, headers) => self.ask("PUT", "", { json, headers }),
    versions: async () => (await self.ask<{ data: Entry[] }>("GET", "/versions?limit=100")).body.data,
    current: async () => (await self.ask<Record<string, unknown>>("GET")).body,
  };
  return self;
}

export type Kv = Pick<KVNamespace, "get" | "put">;

/** Puts another KV in the ledger's hands, until told to give it back. */
export async function withKv<T>(
  ledger: DurableObjectStub<TenantLedger>,
  change: (real: KVNamespace) => Partial<Kv>,
  body: () => Promise<T>,
): Promise<T> {
  const swap = (make: (held: KVNamespace) => KVNamespace) =>
    runInDurableObject(ledger, (instance) => {
      const object = instance as unknown as { env: { KV: KVNamespace } };
      const held = object.env.KV;
      object.env = { ...object.env, KV: make(held) };
      return held;
    });
  const real = await swap((held) => {
    const bound = { get: held.get.bind(held), put: held.put.bind(held), delete: held.delete.bind(held) };
    return { ...bound, ...change(held) } as unknown as KVNamespace;
  });
  try {
    return await body();
  } finally {
    await swap(() => real);
  }
}

export const pointerOf = async (tenant: string): Promise<{ digest: string | null; at: number } | null> =>
  env.KV.get(`policy:current:${tenant}`, "json");
