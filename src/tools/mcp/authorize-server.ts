/** Makes the fetch for requests to an MCP server: guarded, and with the headers that the policy sets. */
import { ok, type Result } from "../../lib/result.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { McpServer } from "../../policy/document/run-parts.ts";
import type { Principal } from "../../session/principal.ts";
import { fillHeaders, type SecretPort, type TokenPort } from "../credentials.ts";
import { guardedFetch, type ReachFault, type ReachParts } from "../reach/guarded-fetch.ts";
import type { ExecutionResult } from "../run.ts";

export interface ServerAccess {
  readonly policy: CompiledPolicy;
  /** Its name in the policy. */
  readonly server: string;
  readonly settings: McpServer;
  readonly principal: Principal;
}

interface AuthorizedServer {
  /** Only for that server, with the principal's headers. Its errors have the reason as `failure`. */
  readonly fetch: typeof fetch;
  /** The secrets in the headers, to be masked in answers. */
  readonly secrets: readonly string[];
}

export interface ServerPorts {
  readonly reach: ReachParts;
  readonly secrets: SecretPort;
  readonly tokens: TokenPort;
}

/** A list's pages may be longer than a result; the session counts what each may take. */
const MAX_BYTES = 1_048_576;
/** For messages after the deadline of the call: its cancellation, and the session's end. */
const ENDING_MS = 5_000;

class ReachError extends Error {
  readonly failure: ReachFault["failure"];
  readonly sent: boolean;

  constructor({ failure, detail, sent }: ReachFault) {
    super(detail);
    this.failure = failure;
    this.sent = sent;
  }
}

/** @param deadline milliseconds since the epoch. @returns why nothing may be sent; undefined if it may. */
export async function authorizeServer(
  ports: ServerPorts,
  { settings, principal }: ServerAccess,
  deadline: number,
): Promise<Result<AuthorizedServer, ExecutionResult>> {
  const { url, connection, allowHosts, allowPrivate } = settings;
  const connections = connection === undefined ? [] : [connection];
  const filled = await fillHeaders(settings, { principal, connections, arguments: {}, system: {} }, ports);
  if (!filled.ok) return filled;
  const maxResponseBytes = Math.max(settings.maxResponseBytes, MAX_BYTES);
  const send = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(filled.value.headers);
    headers.set("user-agent", "Toolgate");
    // The protocol's own headers win.
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const body = typeof init.body === "string" ? init.body : undefined;
    const reached = await guardedFetch(
      ports.reach,
      { url: String(input), method: init.method ?? "GET", headers, body },
      {
        allowHosts,
        allowPrivate,
        policyUrl: url,
        maxResponseBytes,
        deadline: Math.max(deadline, ports.reach.now() + ENDING_MS),
        signal: init.signal ?? undefined,
      },
    );
    if (reached.ok) return reached.value;
    throw new ReachError(reached.error);
  };
  return ok({ fetch: send as typeof fetch, secrets: filled.value.secrets });
}
