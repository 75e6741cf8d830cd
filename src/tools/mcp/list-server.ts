/** Asks a server for its tools, and has the tenant's ledger note what came of it. */
import { describeError, log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { AuthorizeServer, ServerAccess } from "./authorize-server.ts";
import type { KnownServer, ListFailure, McpList, McpPinsPort } from "./known-server.ts";
import { readDefinitions } from "./read-definitions.ts";
import type { McpFault, McpSession, OpenSession, SessionRequest } from "./session.ts";

export interface McpParts {
  readonly pinsOf: (tenant: string) => McpPinsPort;
  readonly door: AuthorizeServer;
  readonly openSession: OpenSession;
  /** Goes on with what no answer waits for. */
  readonly background: (work: Promise<unknown>) => void;
  readonly now: () => number;
}

/**
 * @returns what the ledger knows after it; `not_linked` where this user cannot ask, which says nothing of the server;
 * undefined where nothing could be noted. Never rejects.
 */
export async function listServer(
  asked: ServerAccess,
  parts: McpParts,
): Promise<KnownServer | "not_linked" | undefined> {
  const { server, settings, principal } = asked;
  try {
    const listed = await askForList(asked, parts);
    const pins = parts.pinsOf(principal.tenant);
    const { newTools } = settings;
    if (listed.ok) return await pins.noteList({ server, list: listed.value, newTools, at: parts.now() });
    const error = listed.error;
    if (error.failure === "connection_missing") return "not_linked";
    log("warn", "mcp_list_failed", { tenant: principal.tenant, server, failure: error.failure });
    return await pins.noteFailure({ server, url: settings.url, error, at: parts.now() });
  } catch (error) {
    // Without the message: what is thrown while a request is made may cite its address or headers.
    const { message: _, ...fields } = describeError(error);
    log("error", "mcp_list_failed", { server, ...fields });
    return undefined;
  }
}

async function askForList(asked: ServerAccess, parts: McpParts): Promise<Result<McpList, ListFailure>> {
  const { server, settings } = asked;
  const deadline = parts.now() + settings.timeout;
  const opened = await parts.door(asked, deadline);
  if (!opened.ok) {
    const { failure, detail } = opened.error;
    return err({ failure: failure ?? "unavailable", detail: detail ?? "nothing may be sent to it" });
  }
  const order = { url: settings.url, ...opened.value, deadline, maxBytes: 0, now: parts.now };
  const listed = await openListed(server, order, parts.openSession, parts.background);
  if (!listed.ok) return err({ failure: listed.error.failure, detail: listed.error.detail });
  parts.background(listed.value.session.end());
  return ok(listed.value.list);
}

interface ListedSession {
  readonly session: McpSession;
  readonly list: McpList;
}

export interface ListRequest extends SessionRequest {
  /** What the server is sent, and no model may be told. */
  readonly secrets: readonly string[];
}

/** Before a call was sent, a session that the server has forgotten is opened anew, once. */
export async function openListed(
  server: string,
  order: ListRequest,
  open: OpenSession,
  background: (work: Promise<unknown>) => void,
): Promise<Result<ListedSession, McpFault>> {
  const first = await openOnce(server, order, open, background);
  return !first.ok && first.error.sessionGone ? openOnce(server, order, open, background) : first;
}

async function openOnce(
  server: string,
  order: ListRequest,
  open: OpenSession,
  background: (work: Promise<unknown>) => void,
): Promise<Result<ListedSession, McpFault>> {
  const session = await open(order);
  if (!session.ok) return session;
  const listed = await session.value.list();
  if (listed.ok) {
    const list = { url: order.url, era: session.value.era, ...readDefinitions(server, listed.value, order.secrets) };
    return ok({ session: session.value, list });
  }
  background(session.value.end());
  return err(listed.error);
}
