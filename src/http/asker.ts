/** Who a request is for, once it is admitted and its body is read. */
import { err, ok, type Result } from "../lib/result.ts";
import type { Admission } from "./admission.ts";
import type { AuthenticatedPrincipal, Identity } from "./authenticate/identity.ts";
import { actFor } from "./authenticate/service-key.ts";
import type { Problem } from "./problem.ts";

export interface Asker {
  readonly identity: Identity;
  /** Absent for a credential without a limit. Never rejects. */
  readonly admission?: Promise<Admission>;
}

/**
 * To be awaited before anything is done for the request.
 * @param bodyUser the body's `user`: counts only for a service key whose request has no `x-toolgate-user`.
 */
export async function admittedPrincipal(
  { identity, admission }: Asker,
  bodyUser: unknown,
): Promise<Result<AuthenticatedPrincipal, Problem>> {
  const problem = admission && (await admission).problem;
  if (problem) return err(problem);
  return identity.kind === "known" ? ok(identity.principal) : actFor(identity.service, bodyUser, "user");
}
