import { applyD1Migrations, env } from "cloudflare:test";
import { afterAll, beforeAll, vi } from "vitest";

/** What a test that failed left renamed or refused must not fail the files after it. */
async function mendTrail(): Promise<void> {
  const select = "SELECT type, name FROM sqlite_master WHERE type = 'trigger' OR name GLOB '*_away'";
  const { results } = await env.AUDIT_DB.prepare(select).all<{ type: string; name: string }>();
  for (const { type, name } of results) {
    const back = `ALTER TABLE ${name} RENAME TO ${name.replace(/_away$/, "")}`;
    await env.AUDIT_DB.exec(type === "trigger" ? `DROP TRIGGER ${name}` : back);
  }
}

beforeAll(async () => {
  await mendTrail();
  await applyD1Migrations(env.AUDIT_DB, env.TEST_MIGRATIONS ?? []);
  if (env.TOOLS_DB) await applyD1Migrations(env.TOOLS_DB, env.TEST_TOOLS_MIGRATIONS ?? []);
});

const { log, warn, error } = console;
const written = { log, warn, error };
for (const method of ["log", "warn", "error"] as const) {
  console[method] = (...words: unknown[]) => {
    // A line for each turn and request of each test would bury what matters.
    if (!/"event":"(turn|request)"/.test(String(words[0]))) written[method](...words);
  };
}

// The next file is run in the same isolate.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  Object.assign(console, written);
});
