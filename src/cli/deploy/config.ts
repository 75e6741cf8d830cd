/** The configuration that is deployed: `wrangler.toml` with what belongs to this account and deployment filled in. */
import { join } from "node:path";
import { experimental_readRawConfig, type Unstable_RawConfig } from "wrangler";
import { root } from "../settings.ts";
import type { DeployOptions } from "./options.ts";

type RawConfig = Unstable_RawConfig;

/** What wrangler.toml has where an account's own ids go; `npm start` needs none. */
const placeholders = new Set(["toolgate", "00000000-0000-0000-0000-000000000000"]);

export interface Resources {
  readonly kv: string;
  readonly d1: string;
}

/** Ids that somebody wrote into `wrangler.toml` by hand, which are then used as they are. */
export function ownIds(raw: RawConfig): Partial<Resources> {
  const own = (id: string | undefined) => (id === undefined || placeholders.has(id) ? undefined : id);
  return { kv: own(raw.kv_namespaces?.[0]?.id), d1: own(raw.d1_databases?.[0]?.database_id) };
}

export const readConfig = (): RawConfig =>
  experimental_readRawConfig({ config: join(root, "wrangler.toml") }).rawConfig;

export const workerName = (raw: RawConfig, { name }: DeployOptions): string => name ?? raw.name ?? "toolgate";
export const kvTitle = (worker: string): string => `${worker}-kv`;
export const d1Name = (worker: string): string => `${worker}-audit`;

/** Paths are absolute: the file stands elsewhere. */
export function deployConfig(
  raw: RawConfig,
  options: DeployOptions,
  resources: Resources,
  plain: Readonly<Record<string, string>>,
): RawConfig {
  const name = workerName(raw, options);
  const { domain } = options;
  return {
    ...raw,
    name,
    main: join(root, raw.main ?? "src/index.ts"),
    alias: Object.fromEntries(Object.entries(raw.alias ?? {}).map(([name, file]) => [name, join(root, file)])),
    kv_namespaces: [{ binding: "KV", id: resources.kv }],
    d1_databases: [
      {
        binding: "AUDIT_DB",
        database_name: d1Name(name),
        database_id: resources.d1,
        migrations_dir: join(root, raw.d1_databases?.[0]?.migrations_dir ?? "migrations"),
      },
    ],
    assets: { ...raw.assets, directory: join(root, raw.assets?.directory ?? "assets") },
    vars: { ...raw.vars, ...plain },
    ...(domain === undefined ? {} : { routes: [{ pattern: domain, custom_domain: true }], workers_dev: false }),
  };
}
