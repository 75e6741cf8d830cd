/** Who a request is for, once it is admitted and its body is read. */
import { ok, type Result } from "../lib/result.ts";
import type { Admission } from "./admission.ts";
import type { AuthenticatedPrincipal, Identity } from "./authenticate/identity.ts";
import { actFor } from "./authenticate/service-key.ts";
import type { Problem } from "./problem.ts";

export interface Asker {
  readonly identity: Identity;
  /** Absent for a credential without a limit. Never rejects. */
  readonly admission?: Promise<Admission>;
}

/** Why the request is not admitted. To be awaited before any work is done for it, a body's parsing included. */
export const refusalOf = async ({ admission }: Asker): Promise<Problem | undefined> => (await admission)?.problem;

/** @param bodyUser the body's `user`: counts only for a service key whose request has no `x-toolgate-user`. */
export const principalFor = ({ identity }: Asker, bodyUser: unknown): Result<AuthenticatedPrincipal, Problem> =>
  identity.kind === "known" ? ok(identity.principal) : actFor(identity.service, bodyUser, "user");
