/** The built-in tools' D1 in workerd, with its migrations as wrangler would apply them. */
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

export async function openToolsDatabase(): Promise<{ readonly db: D1Database; dispose(): Promise<void> }> {
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default {}",
      compatibilityDate: "2026-10-01",
      d1Databases: ["TOOLS_DB"],
    }),
  );
  const db: D1Database = await mf.getD1Database("TOOLS_DB");
  for (const { queries } of await readD1Migrations("src/stores/migrations/tools")) {
    for (const query of queries) await db.prepare(query).run();
  }
  return { db, dispose: () => mf.dispose() };
}
