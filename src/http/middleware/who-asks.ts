/** The middleware that every route but `/health` stands behind: who asks, and whether they may ask so often. */
import type { MiddlewareHandler } from "hono";
import type { Deps } from "../../deps.ts";
import { err, ok } from "../../lib/result.ts";
import type { AppEnv } from "../app-env.ts";
import { type AuthenticateDeps, authenticate } from "../authenticate/authenticate.ts";
import type { Metered } from "../authenticate/identity.ts";
import { loadPolicy } from "../load-policy.ts";
import { problemResponse } from "../problem.ts";
import { type Admission, admit } from "./admission.ts";
import { principalFor, refusalOf } from "./asker.ts";

/** Routes that read the whole body anyway: they await the meter beside it, and may find the user in it. */
const READS_BODY = new Set(["POST /v1/chat/completions"]);

export function whoAsks(deps: Deps): MiddlewareHandler<AppEnv> {
  const asks = authenticateDeps(deps);
  const askMeter = ({ meter, limit }: Metered) => deps.meterOf(meter).take(limit);
  return async (c, next) => {
    const identity = await authenticate(c.req.raw, asks, deps.now());
    if (!identity.ok) return problemResponse(identity.error);
    const { metered } = identity.value;
    const admission = metered && admit(metered, askMeter);
    const asker = { identity: identity.value, admission };
    c.set("asker", asker);
    if (identity.value.kind === "known") {
      c.set("principal", identity.value.principal);
      c.var.watch.authenticated(identity.value.principal);
    }
    if (READS_BODY.has(`${c.req.method} ${c.req.path}`)) {
      await next();
      return admission && tellLimit(c.res, await admission);
    }
    const refusal = await refusalOf(asker);
    const principal = refusal ? err(refusal) : principalFor(asker, undefined);
    if (!principal.ok) c.res = problemResponse(principal.error);
    else await next();
    return admission && tellLimit(c.res, await admission);
  };
}

/** On every answer, in place of what the upstream says of the gateway's own limit. */
function tellLimit(response: Response, { headers }: Admission): void {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
}

export function authenticateDeps(deps: Deps): AuthenticateDeps {
  const { keys, dev, access, issuerKeys } = deps;
  return {
    keys,
    dev,
    access,
    issuerKeys,
    async rolesOf(tenant) {
      const policy = await loadPolicy(deps, tenant);
      return policy.ok ? ok(policy.value.roles) : policy;
    },
  };
}
