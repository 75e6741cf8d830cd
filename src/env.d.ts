/** The bindings as `wrangler.toml` and the settings give them, for `cloudflare:test` and `cloudflare:workers`. */
declare namespace Cloudflare {
  type GatewayEnv = import("./deps.ts").Env;
  interface Env extends GatewayEnv {
    /** Only in tests. */
    readonly TEST_MIGRATIONS?: { name: string; queries: string[] }[];
    readonly TEST_TOOLS_MIGRATIONS?: { name: string; queries: string[] }[];
  }
}
