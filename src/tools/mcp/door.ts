/** The port to what guards requests to others' servers, and fills in their headers. */
import type { Result } from "../../lib/result.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { McpServer } from "../../policy/run-parts.ts";
import type { Principal } from "../../session/principal.ts";
import type { Ran } from "../ran.ts";

export interface AtDoor {
  readonly policy: CompiledPolicy;
  /** Its name in the policy. */
  readonly server: string;
  readonly settings: McpServer;
  readonly principal: Principal;
}

/**
 * @returns a `fetch` for that server alone, with the principal's headers; or why nothing may be sent. What that `fetch`
 * throws may have `failure` and `detail`, which are told as they are.
 */
export type McpDoor = (asked: AtDoor) => Promise<Result<typeof fetch, Ran>>;
