import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { TEST_TAGS } from "./attack-count.ts";
import { ShuffledFiles } from "./shuffled-files.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const data = process.env.TOOLGATE_DATA ?? join(root, "../shared/data");

/** Recorded streams for tests that run where there is no disk; 404 for what is not there. */
async function readStream(request: { readonly url: string }) {
  const path = normalize(decodeURIComponent(new URL(request.url).pathname));
  const file = await readFile(join(data, "streams", path)).catch(() => undefined);
  return file ? new Response(new Uint8Array(file)) : new Response("not found", { status: 404 });
}

/** The gateway's runtime, for tests inside it. */
const workerd = () =>
  cloudflareTest(async () => ({
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: {
      serviceBindings: { TEST_STREAMS: readStream },
      // Of deployments with TRAIL=queued; tests give the queue themselves.
      r2Buckets: ["ARCHIVE"],
      bindings: {
        TEST_MIGRATIONS: await readD1Migrations(`${root}src/stores/migrations`),
        TEST_TOOLS_MIGRATIONS: await readD1Migrations(`${root}src/stores/migrations/tools`),
        TOOLGATE_DEV: "1",
        AUDIT_KEY: "test:0123456789abcdef0123456789abcdef",
        // No such host: tests script what it answers.
        UPSTREAM_BASE_URL: "https://upstream.test/v1",
      },
    },
  }));

/** These run their runtime's timers by hand: in that of other files they would wait for each timer that those have left behind. */
const ownTimers = ["turn/client-silence", "admin/key-ledger", "audit/store-failures"].map(
  (name) => `test/worker/${name}.test.ts`,
);

export default defineConfig({
  root,
  test: {
    // Of two cores vitest would use one. Much of the time goes in waiting for processes and pages: two more than there are cores.
    maxWorkers: availableParallelism() + 2,
    // A line for each turn and request of each test would bury what matters.
    onConsoleLog: (line) => !/^\{"time":"[^"]+","level":"\w+","event":"(turn|request)"/.test(line),
    tags: TEST_TAGS.map((name) => ({ name })),
    sequence: { sequencer: ShuffledFiles, seed: Number(process.env.TOOLGATE_ORDER_SEED ?? randomInt(1_000_000)) },
    provide: { lawSeed: Number(process.env.TOOLGATE_LAW_SEED ?? 1) },
    projects: [
      {
        test: {
          name: "unit",
          root,
          // They share nothing that a test changes: a process for each would load the same modules again and again.
          isolate: false,
          // Properties are tried many times, on machines that may have other work: limits are for what hangs.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          include: ["test/**/*.test.ts"],
          exclude: ["test/worker/**", "test/clients/**", "test/browser/**"],
          setupFiles: ["./test/laws.setup.ts"],
        },
      },
      {
        plugins: [workerd()],
        test: {
          name: "worker",
          root,
          // A runtime for each file would take longer than the tests: files that it runs in turn share their storage.
          isolate: false,
          // What an object writes as the last of a file would wait for the file to say more, and the file for it.
          disableConsoleIntercept: true,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          include: ["test/worker/**/*.test.ts"],
          exclude: ownTimers,
          globalSetup: ["./test/worker/support/build-console.ts"],
          setupFiles: ["./test/laws.setup.ts", "./test/worker/support/setup.ts"],
        },
      },
      {
        plugins: [workerd()],
        test: {
          name: "timers",
          root,
          isolate: false,
          disableConsoleIntercept: true,
          testTimeout: 60_000,
          include: ownTimers,
          globalSetup: ["./test/worker/support/build-console.ts"],
          setupFiles: ["./test/worker/support/setup.ts"],
        },
      },
      {
        test: {
          name: "clients",
          root,
          include: ["test/clients/**/*.test.ts"],
          globalSetup: ["./test/clients/support/bundle-gateway.ts"],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "browser",
          // A page answers when the machine lets it: a second is short where three files are run on two cores.
          expect: { poll: { timeout: 10_000 } },
          root,
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["./test/clients/support/bundle-gateway.ts"],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
