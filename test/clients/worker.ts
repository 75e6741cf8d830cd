/**
 * The gateway as it is deployed, for clients that know nothing of it: `src/index.ts` bundled and run in workerd with real
 * KV, D1 and Durable Objects, reached over a socket. The tests of a file share one; each has a tenant of its own.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_splitSqlQuery } from "wrangler";
import { createKey } from "../../src/stores/kv-keys.ts";
import { putPolicy } from "../../src/stores/kv-policies.ts";
import type { KvPort } from "../../src/stores/kv-port.ts";
import { bundle, root } from "../bench/bundle.ts";
import { runtimeOptions } from "../bench/miniflare.ts";

export interface Gateway {
  /** What a client's base URL is set to. */
  readonly baseURL: string;
  /** An API key of a fresh tenant and user. Without a policy `policies/default.json` is in force. */
  readonly key: (options?: { readonly policy?: unknown; readonly role?: string }) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** @param upstream base URL of a model provider; the demo model serves where there is none. */
export async function startGateway({ upstream }: { readonly upstream?: string } = {}): Promise<Gateway> {
  const { code } = await bundle("clients", "src/index.ts");
  const { runtime, storage } = runtimeOptions();
  const provider: Record<string, string> =
    upstream === undefined ? {} : { UPSTREAM_BASE_URL: upstream, UPSTREAM_API_KEY: "sk-upstream" };
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      name: "toolgate",
      // Otherwise miniflare asks the network for a `request.cf` to imitate.
      cf: false,
      // The gateway logs each turn, as it does where it is deployed; nobody reads it here.
      handleStructuredLogs: () => {},
      modules: true,
      script: code,
      ...runtime,
      ...storage,
      bindings: { TOOLGATE_DEV: "1", AUDIT_KEY: `test:${"5e".repeat(32)}`, ...provider },
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    }),
  );
  try {
    await mf.ready;
    await migrate(mf);
    const { origin } = await mf.unsafeGetDirectURL();
    const kv: KvPort = await mf.getKVNamespace("KV");
    let tenants = 0;
    return {
      baseURL: `${origin}/v1`,
      async key({ policy, role = "user" } = {}) {
        const tenant = `tenant-${++tenants}`;
        if (policy !== undefined) await putPolicy(kv, tenant, policy, Date.now());
        return (await createKey(kv, { tenant, user: "ada", role, connections: [] }, Date.now())).token;
      },
      stop: () => mf.dispose(),
    };
  } catch (error) {
    await mf.dispose();
    throw error;
  }
}

async function migrate(mf: Miniflare): Promise<void> {
  const folder = join(root, "src/stores/migrations");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const database = await mf.getD1Database("AUDIT_DB");
  for (const file of files) {
    for (const query of unstable_splitSqlQuery(await readFile(join(folder, file), "utf8"))) {
      await database.prepare(query).run();
    }
  }
}
