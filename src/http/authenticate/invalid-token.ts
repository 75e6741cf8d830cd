/** A token that is not believed, as a 401 whose code clients may rely on. Pure. */
import { type Problem, unauthorized } from "../problem.ts";

/** As RFC 6750 has it, so that a client knows to get another token. */
export function invalidToken(code: string, message: string): Problem {
  const headers = { "www-authenticate": 'Bearer realm="toolgate", error="invalid_token"' };
  return { ...unauthorized(code, `${message}; sign in again or ask an operator`), headers };
}
