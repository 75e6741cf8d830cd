/** `GET /openapi.json`: the API's description, which `npm run docs` writes. From the static assets, so that no start pays for it. */

import type { Context } from "hono";
import type { Deps } from "../deps.ts";
import { err, ok } from "../lib/result.ts";
import type { AppEnv } from "./app-env.ts";
import type { HandlerResult } from "./handler.ts";
import { unavailable } from "./problem.ts";

export async function getOpenApi(_c: Context<AppEnv>, { assets }: Deps): Promise<HandlerResult> {
  // The binding looks at the path alone.
  const found = await assets?.fetch("https://assets.invalid/openapi.json");
  if (!found?.ok) return err(unavailable("openapi_missing", "this deployment has no description of its API", 60));
  return ok(new Response(found.body, { headers: { "content-type": "application/json", "cache-control": "no-cache" } }));
}
