/** The headers with which a service key says whom it acts for, on a request whose credential is one person's own. Pure. */
import type { Principal } from "../../session/principal.ts";
import { forbidden, type Problem } from "../problem.ts";

/** They may repeat what the credential says, and claim nothing else. */
export function claimsAnother(headers: Headers, { user, role }: Principal): Problem | undefined {
  const only = "; leave it out, or use a key that acts for others";
  const named = headers.get("x-toolgate-user");
  if (named !== null && named !== user) {
    const message = `this credential stands for one user, whom \`x-toolgate-user\` cannot change${only}`;
    return forbidden("user_header_not_allowed", message, "x-toolgate-user");
  }
  const asked = headers.get("x-toolgate-role");
  if (asked !== null && asked !== role) {
    const message = `this credential has one role, which \`x-toolgate-role\` cannot change${only}`;
    return forbidden("role_header_not_allowed", message, "x-toolgate-role");
  }
  if (headers.has("x-toolgate-connections")) {
    const message = `the connections of this credential cannot be changed by \`x-toolgate-connections\`${only}`;
    return forbidden("connections_header_not_allowed", message, "x-toolgate-connections");
  }
  return undefined;
}
