/**
 * A deployment, step by step. Each step finds what exists and makes what is missing, so that a deployment may be run again at any time,
 * and goes on after the last finished step. The databases are migrated before the code that needs them; migrations only add.
 *
 * 1 login      who deploys, and where
 *   subdomain  the account's own of workers.dev, if no domain is given
 * 2 KV         policies and keys
 * 3 D1         the audit trail, and the built-in tools' storage
 *   trail      the queues and the archive, if TRAIL is `queued`
 * 4 migrate    their tables
 * 5 secrets    the keys that sign and seal are made once, and kept in a file of this machine
 * 6 deploy     the Worker and its Durable Objects
 * 7 key        an operator's first key, for a day
 * 8 check      whether the gateway answers as it should, with a key that is deleted afterwards
 */
import { createKey, storageKey } from "../../auth/kv-keys.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { DAY_MS } from "../../lib/time.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import type { Cloudflare, CloudflareAccount } from "./cloudflare.ts";
import {
  bucketName,
  databasesOf,
  deadQueueName,
  kvTitle,
  ownKv,
  queueName,
  type Resources,
  readConfig,
  workerName,
} from "./config.ts";
import { setSecrets } from "./deploy-secrets.ts";
import type { DeploySettings } from "./deploy-settings.ts";
import type { KeptKeys } from "./kept-keys.ts";
import type { DeployOptions } from "./options.ts";
import { readPlace, type StorePlace } from "./place.ts";
import { type SmokeOptions, smokeTest } from "./smoke.ts";
import { ensureSubdomain } from "./subdomain.ts";

interface DeployContext {
  readonly options: DeployOptions;
  readonly settings: DeploySettings;
  readonly cloud: Cloudflare;
  /** Writes the configuration that wrangler is then given. */
  readonly writeConfig: (resources: Resources) => void;
  readonly keptKeys: KeptKeys;
  readonly say: (line: string) => void;
  /** Asks the person who deploys; undefined if there is no terminal. */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly now: number;
  /** How the gateway is tested. */
  readonly gateway: Pick<SmokeOptions, "get" | "now" | "wait">;
}

const SMOKE_KEY_MS = 600_000;

/** @returns the lines that a person must keep. Throws if a step fails; the error says which. */
export async function deployAll(work: DeployContext): Promise<string[]> {
  const { options, cloud, say } = work;
  const raw = readConfig();
  const worker = workerName(raw, options);
  const account = await login(work);
  say(`1 login      ${account.name}; the Worker is \`${worker}\``);
  if (options.domain === undefined)
    await ensureSubdomain({ cloud, account: account.id, worker, wanted: options.subdomain, ask: work.ask, say });
  const kv = ownKv(raw) ?? (await findOrCreate(work, "2 KV        ", kvTitle(worker), "kv"));
  const databases = databasesOf(raw, worker, work.settings.plain);
  const place = placeOf(work.settings);
  const ids: Record<string, string> = {};
  for (const { binding, name, ownId } of databases)
    ids[binding] = ownId ?? (await findOrCreate(work, "3 D1        ", name, "d1", place));
  if (work.settings.plain.TRAIL === "queued") await ensureTrail(work, worker, place);
  work.writeConfig({ kv, databases: ids });
  for (const { name } of databases) {
    await cloud.migrate(name);
    say(`4 migrate    \`${name}\` is up to date`);
  }
  await setSecrets({ ...work, worker });
  const address = /https:\/\/\S+/.exec(await cloud.deploy())?.[0];
  const url = options.domain === undefined ? address : `https://${options.domain}`;
  say(`6 deploy     ${url ?? "done"}`);
  const keep = await firstKey(work, kv);
  if (url === undefined) return keep;
  const failure = await check(work, kv, url);
  // A key that is shown once must be shown, whatever the result of the check is.
  if (failure !== undefined) throw new Error([...keep, failure].join("\n"));
  return [...keep, `base URL for clients: ${url}/v1`];
}

function placeOf({ plain }: DeploySettings): StorePlace {
  const place = readPlace(plain);
  if (!place.ok) throw new Error(place.error.join("; "));
  return place.value;
}

async function login({ cloud }: DeployContext): Promise<CloudflareAccount> {
  const accounts = await cloud.accounts();
  const [account, ...others] = accounts;
  if (account === undefined)
    throw new Error("nobody is logged in to Cloudflare: run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN");
  const chosen = process.env.CLOUDFLARE_ACCOUNT_ID;
  if (others.length === 0) return account;
  if (chosen) return { id: chosen, name: `account ${chosen}` };
  const names = accounts.map(({ name }) => name).join(", ");
  throw new Error(`the login has several accounts (${names}): set CLOUDFLARE_ACCOUNT_ID to the one to use`);
}

async function findOrCreate(
  work: DeployContext,
  step: string,
  name: string,
  kind: "kv" | "d1",
  place: StorePlace = {},
): Promise<string> {
  const { cloud, say } = work;
  const list = () => (kind === "kv" ? cloud.kvNamespaces() : cloud.databases());
  const found = (await list()).get(name);
  if (found !== undefined) {
    say(`${step} \`${name}\` is there`);
    return found;
  }
  await (kind === "kv" ? cloud.createKv(name) : cloud.createDatabase(name, place));
  const made = (await list()).get(name);
  if (made === undefined) throw new Error(`\`${name}\` was created but is not listed: run the deployment again`);
  say(`${step} \`${name}\` created`);
  return made;
}

async function ensureTrail({ cloud, say }: DeployContext, worker: string, place: StorePlace): Promise<void> {
  const report = (what: string, name: string, wasThere: boolean) =>
    say(`3 trail      ${what} \`${name}\` ${wasThere ? "is there" : "created"}`);
  for (const name of [queueName(worker), deadQueueName(worker)]) report("queue", name, await cloud.ensureQueue(name));
  report("bucket", bucketName(worker), await cloud.ensureBucket(bucketName(worker), place));
}

async function firstKey({ cloud, options, say, now }: DeployContext, kv: string): Promise<string[]> {
  if (options.noAdminKey) return [];
  if (!options.newAdminKey && (await cloud.hasKeys(kv))) {
    say("7 key        there are keys; `--new-admin-key` makes one for an operator who has lost theirs");
    return [];
  }
  const owner = { tenant: "default", user: "operator", role: "admin", connections: [], operator: true };
  const { token } = await createKey(storeOf(cloud, kv), { ...owner, expiresAt: now + DAY_MS }, now);
  say("7 key        an operator's key, shown once and valid for a day: make lasting ones with it, `POST /admin/keys`");
  return [`operator's key: ${token}`];
}

const storeOf = (cloud: Cloudflare, kv: string): KvPort => ({
  get: async () => null,
  put: (key, value) => cloud.putKv(kv, key, value),
  delete: (key) => cloud.deleteKv(kv, key),
});

/** @returns why the gateway does not work; undefined if it does, or if it is not checked. */
async function check(
  { cloud, options, say, now, gateway }: DeployContext,
  kv: string,
  url: string,
): Promise<string | undefined> {
  if (!options.smokeTest) return undefined;
  const store = storeOf(cloud, kv);
  const owner = {
    tenant: "default",
    user: "smoke-test",
    role: "admin",
    connections: [],
    expiresAt: now + SMOKE_KEY_MS,
  };
  const { token } = await createKey(store, owner, now);
  try {
    const health = await smokeTest({ ...gateway, url, token });
    say(`8 check      it answers as it should; /health: ${health}`);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await store.delete(storageKey(sha256Hex(token)));
  }
}
