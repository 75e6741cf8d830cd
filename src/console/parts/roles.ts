/** The roles of a policy, the weakest first. Pure. */

/** The roles of a policy that names none. */
const ROLES = ["guest", "user", "premium", "admin"];

export function rolesOf(document: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const roles = document?.roles;
  return Array.isArray(roles) ? roles.filter((role) => typeof role === "string") : ROLES;
}
