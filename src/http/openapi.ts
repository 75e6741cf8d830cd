/** `GET /openapi.json`: the API's description, which `npm run docs` writes. From the static assets, so that no start pays for it. */
import type { Deps } from "../deps.ts";
import { problemResponse, unavailable } from "./problem.ts";

export async function getOpenApi({ assets }: Pick<Deps, "assets">): Promise<Response> {
  // The binding looks at the path alone.
  const found = await assets?.fetch("https://assets.invalid/openapi.json");
  if (!found?.ok)
    return problemResponse(unavailable("openapi_missing", "this deployment has no description of its API", 60));
  return new Response(found.body, { headers: { "content-type": "application/json", "cache-control": "no-cache" } });
}
