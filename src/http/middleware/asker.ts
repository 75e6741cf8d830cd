/** Who a request is for, once it is admitted and its body is read. */

import { hasMemberTwice } from "../../lib/json/strict-json.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { AuthenticatedPrincipal, Identity } from "../authenticate/identity.ts";
import { actFor } from "../authenticate/service-key.ts";
import { badRequest, type Problem } from "../problem.ts";
import type { Admission } from "./admission.ts";

export interface Asker {
  readonly identity: Identity;
  /** Absent for a credential without a limit. Never rejects. */
  readonly admission?: Promise<Admission>;
}

/** Why the request is not admitted. To be awaited before any work is done for it, a body's parsing included. */
export const refusalOf = async ({ admission }: Asker): Promise<Problem | undefined> => (await admission)?.problem;

/**
 * @param bodyUser the body's `user`: counts only for a service key whose request has no `x-toolgate-user`.
 * @param body the JSON text that holds it.
 */
export function principalFor(
  { identity }: Asker,
  bodyUser: unknown,
  body = "",
): Result<AuthenticatedPrincipal, Problem> {
  if (identity.kind === "known") return ok(identity.principal);
  // Whoever put the second one there, or reads the first, means another user.
  if (hasMemberTwice(body, "user")) return err(badRequest("user", "the body holds `user` twice: remove one of them"));
  return actFor(identity.service, bodyUser, "user");
}
