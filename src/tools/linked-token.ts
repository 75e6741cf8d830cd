/** The token of the provider that a tool needs, for the host that it goes to. */
import { err, ok, type Result } from "../lib/result.ts";
import type { Principal } from "../session/principal.ts";
import { notStarted, type Ran } from "./ran.ts";
import type { TokenPort } from "./token-port.ts";

export interface TokenAsked {
  readonly principal: Principal;
  /** Providers that the tool needs. */
  readonly connections: readonly string[];
  /** Where it would go. */
  readonly host: string | undefined;
}

export async function linkedToken(
  tokens: TokenPort,
  { principal, connections, host }: TokenAsked,
): Promise<Result<string, Ran>> {
  const [provider, another] = connections;
  if (provider === undefined) return missing("the tool names no `connection` whose token it could send");
  if (another !== undefined) return missing("the tool has several connections: which token is meant is not known");
  if (host === undefined) return missing("there is no host that a token could go to");
  let token: string | undefined;
  try {
    token = await tokens.connectionToken(principal, provider, host);
  } catch {
    return err(notStarted("unavailable", "what the user has linked cannot be looked up at present"));
  }
  return token === undefined
    ? missing(`the user has linked no \`${provider}\` whose token may go to ${host}`)
    : ok(token);
}

const missing = (detail: string) => err(notStarted("connection_missing", detail));
