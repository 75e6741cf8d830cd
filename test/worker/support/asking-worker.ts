/** The Worker as it is deployed, and a place where a test has a call wait for a person: `POST /ask`. */
import gateway, { type UserGuard } from "../../../src/index.ts";
import { askFor } from "../approvals/asking.ts";
import { portsOf } from "./object-ports.ts";

export { KeyMeter, MetricsHub, SemanticTrainer, TenantLedger, UserGuard } from "../../../src/index.ts";

type GatewayEnv = Parameters<typeof gateway.fetch>[1];

// biome-ignore lint/style/noDefaultExport: the runtime looks for the Worker's handlers in the default export
export default {
  async fetch(request: Request, env: GatewayEnv, ctx: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname !== "/ask") return gateway.fetch(request as never, env, ctx);
    const objects: DurableObjectNamespace<UserGuard> = env.USER_GUARD;
    const guard = objects.get(objects.idFromName("4:acme3:ada"));
    return Response.json(await askFor(portsOf(guard), { tenant: "acme", user: "ada" }));
  },
};
