/**
 * What somebody's abuse costs everybody else: turns of other tenants are timed while nothing else happens, and while one user, or
 * somebody without a key, floods the same isolate. The blocks take turns, so that what else the machine does disturbs both alike; more
 * are timed where few do not tell.
 */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { median } from "../bench/report/statistics.ts";
import { childrenNamed, readUsage } from "../bench/run/process-usage.ts";
import { chunk, sse } from "../support/sse.ts";
import { type Flood, startFlood } from "./support/flood.ts";
import { type Gateway, startGateway } from "./support/worker.ts";

/** A turn may take so many times as long. */
const MOST = 1.1;
/** How long the model takes, as a fast one does. */
const MODEL_MS = 400;
const WORDS = 20;
const VICTIMS = 8;
/** Turns of each in a block. */
const TURNS = 2;
const LEAST_ROUNDS = 3;
const MOST_ROUNDS = 20;
const PER_SECOND = 100;
/** More than the victims need. */
const KEY_LIMIT = 200;
/** Of the CPU time of a turn: what a refused request takes at the most. */
const REFUSED_PART = 0.5;

let upstream: Server;
let gateway: Gateway;
/** Of the gateway; undefined where the system does not tell. */
let pid: number | undefined;
const waiting = new Set<() => void>();

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    request.on("end", () => void answer(response, text.includes('"model":"patient"')));
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const { port } = upstream.address() as AddressInfo;
  const before = childrenNamed("workerd");
  gateway = await startGateway({
    upstream: `http://127.0.0.1:${port}/v1`,
    settings: { MAX_USER_TURNS: "2", KEY_RATE_LIMIT: `${KEY_LIMIT}/10m`, MAX_BODY_BYTES: "262144" },
  });
  pid = childrenNamed("workerd").find((one) => !before.includes(one));
});
afterAll(async () => {
  for (const end of waiting) end();
  await gateway?.stop();
  upstream?.closeAllConnections();
  upstream?.close();
});

async function answer(response: ServerResponse, isPatient: boolean): Promise<void> {
  if (isPatient) await new Promise<void>((resolve) => waiting.add(resolve));
  else await sleep(MODEL_MS);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let n = 0; n < WORDS; n += 1) response.write(sse([chunk({ role: "assistant", content: " word" })]));
  response.end(sse([chunk({}, { finish: "stop" })], { done: true }));
}

const chat = (model: string, content = "hi") =>
  JSON.stringify({ model, stream: true, messages: [{ role: "user", content }] });

async function send(key: string, body: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(`${gateway.baseURL}/chat/completions`, { method: "POST", headers, body });
  if (!waiting.size) await response.text();
  return response.status;
}

/** Milliseconds of each turn of a block. */
async function block(victims: readonly string[]): Promise<readonly number[]> {
  const turns = await Promise.all(
    victims.map(async (key) => {
      const times: number[] = [];
      for (let turn = 0; turn < TURNS; turn += 1) {
        const begun = performance.now();
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
        const body = chat("fast");
        const response = await fetch(`${gateway.baseURL}/chat/completions`, { method: "POST", headers, body });
        expect([response.status, (await response.text()).includes("[DONE]")]).toEqual([200, true]);
        times.push(performance.now() - begun);
      }
      return times;
    }),
  );
  return turns.flat();
}

type Abuse = Pick<Flood, "key" | "body">;

/** What an abuser sends. */
const abuses: readonly (readonly [name: string, begin: () => Promise<Abuse>])[] = [
  [
    "a user with more turns at once than a user may have",
    async () => {
      const key = await gateway.key();
      for (let turn = 0; turn < 2; turn += 1) void send(key, chat("patient")).catch(() => {});
      while (waiting.size < 2) await sleep(10);
      return { key, body: chat("fast") };
    },
  ],
  [
    "a key beyond its limit",
    async () => {
      const key = await gateway.key();
      const headers = { authorization: `Bearer ${key}` };
      for (let asked = 0; asked < KEY_LIMIT; asked += 1)
        await (await fetch(`${gateway.baseURL}/me`, { headers })).text();
      return { key, body: chat("fast") };
    },
  ],
  ["somebody with made-up keys", async () => ({ key: `tg_${"A".repeat(23)}#`, body: chat("fast") })],
  [
    "a user with bodies that are too large",
    async () => ({ key: await gateway.key(), body: chat("fast", "x".repeat(300_000)) }),
  ],
];

it.each(abuses)("%s slows others by a tenth at the most", async (_, begin) => {
  const victims = await Promise.all(Array.from({ length: VICTIMS }, () => gateway.key()));
  const abuse = await begin();
  // Each first turn makes the user's object.
  await block(victims);
  const [quiet, abused]: [number[], number[]] = [[], []];
  const cpu = { quiet: 0, abused: 0 };
  let [sent, refused] = [0, 0];
  const isSlower = () => median(abused) > MOST * median(quiet);
  const used = () => readUsage(pid)?.cpuMs ?? Number.NaN;
  for (let round = 0; round < LEAST_ROUNDS || (isSlower() && round < MOST_ROUNDS); round += 1) {
    let before = used();
    quiet.push(...(await block(victims)));
    cpu.quiet += used() - before;
    before = used();
    const flood = await startFlood({ ...abuse, url: `${gateway.baseURL}/chat/completions`, perSecond: PER_SECOND });
    abused.push(...(await block(victims)));
    for (const [status, count] of await flood.end()) {
      sent += count;
      if (status >= 400) refused += count;
    }
    cpu.abused += used() - before;
  }
  expect(refused).toBe(sent);
  const turn = cpu.quiet / quiet.length;
  const part = (cpu.abused - cpu.quiet) / refused / turn;
  console.log(JSON.stringify([median(quiet), median(abused), sent, quiet.length, turn, part]));
  expect(median(abused)).toBeLessThanOrEqual(MOST * median(quiet));
  if (!Number.isNaN(part)) expect(part).toBeLessThan(REFUSED_PART);
});
