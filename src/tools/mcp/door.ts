/** The port to what guards requests to others' servers, and fills in their headers. */
import type { Result } from "../../lib/result.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { McpServer } from "../../policy/document/run-parts.ts";
import type { Principal } from "../../session/principal.ts";
import type { Ran } from "../ran.ts";

export interface AtDoor {
  readonly policy: CompiledPolicy;
  /** Its name in the policy. */
  readonly server: string;
  readonly settings: McpServer;
  readonly principal: Principal;
}

export interface OpenDoor {
  /** For that server alone, with the principal's headers. What it throws tells why, as `failure`. */
  readonly fetch: typeof fetch;
  /** What stands in the headers and must be told to nobody. */
  readonly secrets: readonly string[];
}

/** @param deadline milliseconds since the epoch. @returns why nothing may be sent, where nothing may. */
export type McpDoor = (asked: AtDoor, deadline: number) => Promise<Result<OpenDoor, Ran>>;
