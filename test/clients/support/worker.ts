/**
 * The gateway as it is deployed, for clients that know nothing of it: `src/index.ts` bundled and run in workerd with real
 * KV, D1 and Durable Objects, reached over a socket. The tests of a file share one; each has a tenant of its own.
 */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { createKey } from "../../../src/auth/kv-keys.ts";
import { bundle } from "../../../src/cli/build/worker.ts";
import { startDemo } from "../../../src/cli/demo/demo-upstream.ts";
import { startMiniflare } from "../../../src/cli/local/miniflare.ts";
import { trainedModel } from "../../../src/cli/models/trained-model.ts";
import type { PolicyOnDisk } from "../../../src/cli/policy-file.ts";
import { root } from "../../../src/cli/settings.ts";
import { checkPolicy } from "../../../src/policy/check.ts";
import type { KvPort } from "../../../src/ports/kv-port.ts";
import { putPolicy } from "../../../src/stores/policies/policy-source.ts";
import type { BytesKv } from "../../../src/stores/semantic/compiled-models.ts";

/** Made by `bundle-gateway.ts` before any file is run. */
export const gatewayBundle = { name: "clients", entry: "src/index.ts" };

export interface Gateway {
  /** What a client's base URL is set to. */
  readonly baseURL: string;
  /** An API key of a fresh tenant and user. Without a policy `policies/default.json` is in force. */
  readonly key: (options?: KeyOptions) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface GatewayOptions {
  /** Base URL of a model provider; the demo model's where there is none. */
  readonly upstream?: string;
  /** Variables besides. Unless they say otherwise nothing is asked of the provider twice. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The Worker's source; `src/index.ts` unless told. */
  readonly entry?: string;
  /** Where its state is kept for the next start; nowhere unless told. */
  readonly folder?: string;
  /** In force for the development keys. */
  readonly policy?: PolicyOnDisk;
}

interface KeyOptions {
  readonly policy?: unknown;
  readonly role?: string;
  /** A key in the tenant that this key is of; of an operator, unless another user is named. */
  readonly tenantOf?: string;
  readonly user?: string;
}

export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { upstream, settings, entry, folder, policy: served } = options;
  const code =
    entry === undefined
      ? await readFile(join(root, ".wrangler/bundles", `${gatewayBundle.name}.js`), "utf8")
      : (await bundle(`clients-${basename(entry, ".ts")}`, entry)).code;
  const demo = upstream === undefined ? await startDemo() : undefined;
  const provider = demo?.settings ?? { UPSTREAM_BASE_URL: upstream ?? "", UPSTREAM_API_KEY: "sk-upstream" };
  const bindings = {
    TOOLGATE_DEV: "1",
    UPSTREAM_RETRIES: "0",
    AUDIT_KEY: `test:${"5e".repeat(32)}`,
    ...provider,
    ...settings,
  };
  const { mf, origin } = await startMiniflare({ name: "toolgate", code, bindings, stores: true, folder });
  const kv: KvPort & BytesKv = await mf.getKVNamespace("KV");
  if (served) await place(kv, "default", served.input);
  let tenants = 0;
  const tenantsOf = new Map<string, string>();
  return {
    baseURL: `${origin}/v1`,
    async key({ policy, role = "user", tenantOf, user = tenantOf === undefined ? "ada" : "operator" } = {}) {
      const tenant = tenantsOf.get(tenantOf ?? "") ?? `tenant-${++tenants}`;
      if (policy !== undefined) await place(kv, tenant, policy);
      const { token } = await createKey(kv, { tenant, user, role, connections: [] }, Date.now());
      tenantsOf.set(token, tenant);
      return token;
    },
    async stop() {
      await mf.dispose();
      await demo?.stop();
    },
  };
}

/** With its model, as `npm start` puts it: messages are heard alike from the first on. */
async function place(kv: KvPort & BytesKv, tenant: string, policy: unknown): Promise<void> {
  const checked = checkPolicy(policy, "test");
  const model = checked.ok ? await trainedModel(checked.value.policy) : undefined;
  if (model) await kv.put(model.key, model.value.buffer);
  await putPolicy(kv, tenant, policy, Date.now());
}
