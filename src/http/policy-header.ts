/** Tells which policy a reply was made under: `x-toolgate-policy: <first 12 digits of its version>`, and `; stale` after it where KV failed. */
import type { ServedPolicy } from "./load-policy.ts";

export function namePolicy(response: Response, { policy, stale }: ServedPolicy): Response {
  response.headers.set("x-toolgate-policy", `${policy.version.slice(0, 12)}${stale ? "; stale" : ""}`);
  return response;
}
