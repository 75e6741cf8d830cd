/** `GET /health`: for probes, without a key. Says what is degraded, and nothing of whom it concerns. */
import type { Deps } from "../deps.ts";

/** 200 also where it is degraded: turns go on, and a probe that took the gateway away would stop them. */
export async function getHealth({ policies, trailHealth }: Deps): Promise<Response> {
  const audit = await trailHealth();
  const status = policies.degraded() || audit !== "ok" ? "degraded" : "ok";
  return Response.json({ status, audit });
}
