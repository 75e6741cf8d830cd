import { applyD1Migrations, env } from "cloudflare:test";
import { beforeAll } from "vitest";

beforeAll(async () => {
  await applyD1Migrations(env.AUDIT_DB, env.TEST_MIGRATIONS ?? []);
  if (env.TOOLS_DB) await applyD1Migrations(env.TOOLS_DB, env.TEST_TOOLS_MIGRATIONS ?? []);
});
