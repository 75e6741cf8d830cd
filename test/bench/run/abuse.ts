/** Requests that a gateway refuses, as somebody sends them who means harm, or whose program is wrong; and what one costs the gateway. */
import { createKey } from "../../../src/auth/kv-keys.ts";
import { bundleWorker, type RunningWorker, startWorker } from "./miniflare.ts";
import { readUsage } from "./process-usage.ts";
import { startUpstream } from "./upstream.ts";

export interface Abuse {
  readonly name: string;
  /** `#` stands for a number, another one with each request. */
  readonly key: string;
  readonly body: string;
  /** What each request is answered with. */
  readonly status: number;
  /** To be called right before: an object that nobody asks forgets which turns are open. */
  readonly begin: () => Promise<void>;
}

export interface AbusedGateway {
  readonly worker: RunningWorker;
  readonly abuses: readonly Abuse[];
  /** Ends the turns that an abuser holds open, too. */
  readonly stop: () => Promise<void>;
}

const MAX_BODY_BYTES = 262_144;
const LARGE = "x".repeat(MAX_BODY_BYTES);

export const chatBody = (model: string, content = "hi"): string =>
  JSON.stringify({ model, stream: true, messages: [{ role: "user", content }] });

export async function post(worker: Pick<RunningWorker, "url">, headers: object, body: string): Promise<Response> {
  return fetch(`${worker.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
}

/** Each abuser is a user of a tenant of its own. */
export async function startAbused(): Promise<AbusedGateway> {
  const upstream = await startUpstream();
  const variables = { MAX_USER_TURNS: "2", MAX_BODY_BYTES: String(MAX_BODY_BYTES), UPSTREAM_IDLE_TIMEOUT: "3600s" };
  const worker = await startWorker("toolgate", await bundleWorker("toolgate"), upstream, { variables });
  const kv = await worker.kv();
  const newKey = async (tenant: string, more: object = {}) =>
    (await createKey(kv, { tenant, user: "eve", role: "user", connections: [], ...more }, Date.now())).token;

  const busy = await newKey("busy");
  const open: Response[] = [];
  const hold = async () => {
    for (let turn = 0; turn < 2; turn += 1)
      open.push(await post(worker, { authorization: `Bearer ${busy}` }, chatBody("text-3-every-3600000ms")));
  };
  const limited = await newKey("limited", { rateLimit: { max: 1, windowMs: 3_600_000 } });
  await (await post(worker, { authorization: `Bearer ${limited}` }, chatBody("text-2"))).text();
  const large = await newKey("large");
  const begin = async () => {};
  const body = chatBody("text-2");
  const abuses: readonly Abuse[] = [
    { name: "a user with too many turns at once", key: busy, body, status: 429, begin: hold },
    { name: "a key beyond its limit", key: limited, body, status: 429, begin },
    { name: "somebody with made-up keys", key: `tg_${"A".repeat(23)}#`, body, status: 401, begin },
    { name: "bodies that are too large", key: large, body: chatBody("text-2", LARGE), status: 413, begin },
  ];
  return {
    worker,
    abuses,
    async stop() {
      await Promise.all(open.map((response) => response.body?.cancel()));
      await worker.stop();
      await upstream.stop();
    },
  };
}

/** Milliseconds of the gateway's processor that a request takes, of so many at least; undefined where the system does not tell. */
export async function cpuMsOf(
  { pid }: RunningWorker,
  requests: number,
  send: () => Promise<unknown>,
): Promise<number | undefined> {
  const before = readUsage(pid)?.cpuMs;
  for (let sent = 0; sent < requests; sent += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, send));
  const after = readUsage(pid)?.cpuMs;
  return before === undefined || after === undefined ? undefined : (after - before) / requests;
}

const AT_ONCE = 4;

let sent = 0;

/** One request of an abuser. Throws where it is answered otherwise than it should be. */
export async function abuseOnce(worker: RunningWorker, { name, key, body, status }: Abuse): Promise<void> {
  sent += 1;
  const authorization = `Bearer ${key.replace("#", String(sent).padStart(20, "0"))}`;
  const response = await post(worker, { authorization }, body);
  const text = await response.text();
  if (response.status !== status && response.status !== 429) throw new Error(`${name}: ${response.status} ${text}`);
}
