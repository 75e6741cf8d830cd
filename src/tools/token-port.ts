/** The port to the tokens of the providers that users have linked. */
import type { Principal } from "../session/principal.ts";

export interface TokenPort {
  /**
   * The user's own, in clear: it goes into a request to that host and nowhere else.
   * @returns undefined where there is none, it has expired, it cannot be unsealed, or it may not go to that host.
   */
  connectionToken(principal: Principal, provider: string, host: string): Promise<string | undefined>;
}
