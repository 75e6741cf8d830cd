/** Which of two roles is the stronger one. Pure. */

/**
 * The place of a role in the policy's own order, weakest first; undefined for a role that the policy does not know, which
 * is never taken for weak or strong. `admin` is the role of operators' surfaces: a policy that does not list it cannot
 * make it weaker than a role that it does list.
 */
export function roleRank(roles: readonly string[], role: string): number | undefined {
  const place = roles.indexOf(role);
  if (place >= 0) return place;
  return role === "admin" ? roles.length : undefined;
}

/** Whether a role may be taken by who may have at most another. */
export function isWithin(roles: readonly string[], role: string, most: string): boolean {
  const rank = roleRank(roles, role);
  const limit = roleRank(roles, most);
  return rank !== undefined && limit !== undefined && rank <= limit;
}
