/** A gateway that is held at a place of the test's choice, killed there with SIGKILL, and started again on what it left. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, vi } from "vitest";

export interface Points {
  readonly url: string;
  /** The first to come to the place stays there; who was held before goes on. */
  hold(name: string | undefined): void;
  /** Likewise, and who was held before stays. */
  holdToo(name: string): void;
  /** Resolves once somebody is held at the last place. */
  readonly held: () => Promise<void>;
  stop(): Promise<void>;
}

export async function startPoints(): Promise<Points> {
  let place: string | undefined;
  let held = Promise.withResolvers<void>();
  let waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url !== `/${place}`) return void response.end();
    place = undefined;
    waiting.push(response);
    held.resolve();
  });
  const holdToo = (name: string | undefined): void => {
    place = name;
    held = Promise.withResolvers();
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold(name) {
      for (const response of waiting) response.destroy();
      waiting = [];
      holdToo(name);
    },
    holdToo,
    held: () => held.promise,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The runtime of this test file: the tests of another run below another process. */
function workerdOf(parent: number): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const above = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
      return above === parent && command.includes("workerd") && command.includes("serve") ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** Resolves once it is dead; nobody is held any more. */
export async function killWorkerd(points: Points): Promise<void> {
  const pids = workerdOf(process.pid);
  expect(pids.length).toBe(1);
  for (const pid of pids) process.kill(pid, "SIGKILL");
  await vi.waitUntil(() => !workerdOf(process.pid).some((pid) => pids.includes(pid)), { timeout: 10_000 });
  points.hold(undefined);
}
