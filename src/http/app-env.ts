import type { RequestWatch } from "../telemetry/request-watch.ts";
import type { AuthenticatedPrincipal } from "./authenticate.ts";

/** What the app's middleware sets for its routes. */
export interface AppEnv {
  Variables: { principal: AuthenticatedPrincipal; watch: RequestWatch };
}
