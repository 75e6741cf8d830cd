/** A gateway whose audit records grow old: what the files on retention share. */
import { env, runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { runInGuard, workAt } from "../support/run-in-guard.ts";
import { ask, call, says, user } from "../support/script.ts";

export const days = (n: number) => n * 24 * 3600_000;

export const policyOf = (retentionDays: number) => ({
  handshake: { select: "off" },
  tools: { read_file: { category: "read_only" } },
  audit: { retentionDays },
});

/** Each turn of it releases a call: a decision and a turn are recorded. */
export const started = (retentionDays: number): Promise<Gateway> =>
  gateway({ policy: policyOf(retentionDays), upstream: says({ calls: [call("c", "read_file")] }) });

let asked = 0;
export async function turn(gate: Gateway): Promise<void> {
  const messages = [user(`go ${++asked}`)];
  await ask(gate, { messages, tools: [tool("read_file")] }, { "x-toolgate-session": "s" });
  await gate.settle();
}

export const storageOf = <T>(gate: Gateway, read: (storage: DurableObjectStorage) => T | Promise<T>): Promise<T> =>
  runInGuard(gate.stub, (_, { storage }) => read(storage));

export const alarmAt = (gate: Gateway) => workAt(gate.stub);

export const ring = (gate: Gateway) => runInDurableObject(gate.stub, (instance) => instance.alarm());

/** Rings the alarm whenever it is due, until the clock has come to `at`. @returns how often it rang. */
export async function passTo(gate: Gateway, at: number): Promise<number> {
  let rings = 0;
  for (let armed = await alarmAt(gate); armed !== null && armed <= at; armed = await alarmAt(gate)) {
    vi.setSystemTime(Math.max(armed, Date.now()));
    // Rung by hand an alarm stays as it was, unless it is armed again.
    await storageOf(gate, (storage) => storage.deleteAlarm());
    await ring(gate);
    rings += 1;
    if (rings > 1500) throw new Error("the alarm rings for ever");
  }
  vi.setSystemTime(at);
  return rings;
}

export async function verification(gate: Gateway, query = ""): Promise<Record<string, unknown>> {
  const response = await gate.fetch(`/v1/audit/verify?user=ada${query}`, { key: await gate.keyFor("op", "admin") });
  return (await response.json()) as Record<string, unknown>;
}

/** Past the gateway, as somebody who can write to the database. */
export const change = (sql: string, ...values: unknown[]) =>
  env.AUDIT_DB.prepare(sql)
    .bind(...values)
    .run();
