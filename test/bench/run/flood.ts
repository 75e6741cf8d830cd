/** A flood of requests, from a process of its own: what it takes to send them is no part of what they cost the gateway. */
import { fork } from "node:child_process";
import { Agent, request } from "node:http";
import { setPriority } from "node:os";

export interface Flood {
  readonly url: string;
  /** `#` stands for a number, another one with each request. */
  readonly key: string;
  readonly body: string;
  readonly perSecond: number;
}

/** At once. */
const IN_FLIGHT = 40;

export interface RunningFlood {
  /** @returns how many requests got which status. */
  readonly end: () => Promise<ReadonlyMap<number, number>>;
}

export async function startFlood(flood: Flood): Promise<RunningFlood> {
  const child = fork(import.meta.filename, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const next = <T>() =>
    new Promise<T>((resolve, reject) => {
      child.once("message", (message) => resolve(message as T));
      child.once("exit", (code) => reject(new Error(`the flood ended with code ${code}`)));
    });
  const begun = next();
  child.send(flood);
  await begun;
  return {
    async end() {
      const statuses = next<readonly (readonly [number, number])[]>();
      child.send("end");
      return new Map(await statuses);
    },
  };
}

function run({ url, key, body, perSecond }: Flood): void {
  // The turns that are timed go first on a busy machine.
  setPriority(19);
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  const bytes = Buffer.from(body);
  const statuses = new Map<number, number>();
  let [sent, open] = [0, 0];
  let ending = false;
  const count = (status: number) => {
    open -= 1;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (sent === IN_FLIGHT) process.send?.("begun");
    if (ending && open === 0) process.send?.([...statuses], () => process.exit());
  };
  const timer = setInterval(() => {
    if (open >= IN_FLIGHT) return;
    [sent, open] = [sent + 1, open + 1];
    const headers = {
      authorization: `Bearer ${key.replace("#", String(sent).padStart(20, "0"))}`,
      "content-type": "application/json",
      "content-length": bytes.length,
    };
    const one = request(url, { method: "POST", agent, headers }, (response) => {
      response.resume().once("close", () => count(response.statusCode ?? 0));
    });
    one.once("error", () => count(0));
    one.end(bytes);
  }, 1_000 / perSecond);
  process.once("message", () => {
    clearInterval(timer);
    ending = true;
    if (open === 0) process.send?.([...statuses], () => process.exit());
  });
}

// Where it is the process that was forked.
if (process.argv[1] === import.meta.filename) process.once("message", (flood) => run(flood as Flood));
