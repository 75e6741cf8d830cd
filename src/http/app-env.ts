import type { RequestWatch } from "../telemetry/request-watch.ts";
import type { AuthenticatedPrincipal } from "./authenticate/identity.ts";
import type { BytesInFlight, BytesLease } from "./large-body.ts";
import type { Authentication } from "./middleware/authentication.ts";

/** What the app's middleware sets for its routes. */
export interface AppEnv {
  Variables: {
    /** Set but where a service key leaves the user to the body: only routes that read it there are reached then. */
    principal: AuthenticatedPrincipal;
    authentication: Authentication;
    watch: RequestWatch;
    bytesInFlight: BytesInFlight;
    /** What the isolate holds of the body, where that may be large. */
    bodyLease?: BytesLease;
  };
}
