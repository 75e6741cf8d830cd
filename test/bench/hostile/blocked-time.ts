/**
 * How long a request holds the isolate up, in CPU time of the runtime's thread: on a busy machine it also waits, which says nothing
 * of the work. All that a request costs bounds it from above. Where that is too much to tell, other requests are sent meanwhile:
 * what the thread works while one of them waits is the longest stretch without a pause. Noise only makes either longer, so the
 * least of several tries counts.
 */
import { readFileSync } from "node:fs";
import { request } from "node:http";
import type { Gateway, Measurable } from "./gateway.ts";
import type { HostileInput, Sent } from "./hostile-input.ts";

export interface Measured extends Sent {
  readonly name: string;
  /** Milliseconds, of the try that took the least. */
  readonly cpuMs: number;
  readonly blockedMs: number;
}

const WARM = 2;
const TRIES = 3;
const WATCHED = 4;

/** @param limitMs beyond it the stretch is looked for. */
export async function measure(gateway: Gateway, input: HostileInput, limitMs: number): Promise<Measured> {
  let cpuMs = Number.POSITIVE_INFINITY;
  let last: Sent = { bytes: 0, outcome: "" };
  for (let round = -WARM; round < TRIES; round += 1) {
    const one = await attempt(gateway, input);
    last = one.sent;
    // What takes seconds is told apart without a second try.
    if (round >= 0 || one.cpuMs > 10 * limitMs) cpuMs = Math.min(cpuMs, one.cpuMs);
    if (one.cpuMs > 10 * limitMs && round >= -1) break;
  }
  const found = { name: input.name, ...last, cpuMs };
  if (cpuMs <= limitMs) return { ...found, blockedMs: cpuMs };
  let longest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < WATCHED && longest > limitMs; round += 1) {
    longest = Math.min(longest, await longestWait(gateway, input));
  }
  return { ...found, blockedMs: Math.min(cpuMs, longest) };
}

/** The thread that runs the Worker is the process's first. The first number is the time that it ran, in nanoseconds. */
const cpuOf = ({ pid }: Measurable): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;

const measuredIn = (gateway: Gateway, { isPure }: HostileInput): Measurable => (isPure ? gateway.functions : gateway);

let salts = 0;
const newSalt = (): string => `${process.pid.toString(36)}${(salts++).toString(36)}`;

export async function attempt(gateway: Gateway, input: HostileInput): Promise<{ sent: Sent; cpuMs: number }> {
  const salt = newSalt();
  const prepared = await input.prepare?.(gateway, salt);
  const measured = measuredIn(gateway, input);
  await quiet(measured);
  const before = cpuOf(measured);
  const sent = await input.send(gateway, salt, prepared);
  await quiet(measured);
  return { sent, cpuMs: cpuOf(measured) - before };
}

/** Until what a request leaves to be done after its reply is done. */
async function quiet(gateway: Measurable): Promise<void> {
  let cpu = cpuOf(gateway);
  for (let still = 0; still < 2; ) {
    await new Promise((resolve) => setTimeout(resolve, 15));
    const now = cpuOf(gateway);
    still = now - cpu < 0.5 ? still + 1 : 0;
    cpu = now;
  }
}

async function longestWait(gateway: Gateway, input: HostileInput): Promise<number> {
  const salt = newSalt();
  const prepared = await input.prepare?.(gateway, salt);
  const measured = measuredIn(gateway, input);
  await quiet(measured);
  let over = false;
  let longest = 0;
  const watching = (async () => {
    while (!over) longest = Math.max(longest, await ping(measured));
  })();
  await input.send(gateway, salt, prepared);
  over = true;
  await watching;
  return longest;
}

/** What the thread works until it answers, in milliseconds. */
function ping(gateway: Measurable): Promise<number> {
  const { url, agent } = gateway;
  const began = cpuOf(gateway);
  return new Promise((resolve, reject) => {
    request(`${url}/health`, { agent }, (response) => {
      resolve(cpuOf(gateway) - began);
      response.resume();
    })
      .on("error", reject)
      .end();
  });
}
