/** A session, and the list of tools in it. */
import { err, ok, type Result } from "../../lib/result.ts";
import type { McpFault } from "./fault.ts";
import type { McpList } from "./known-server.ts";
import { readDefinitions } from "./read-definitions.ts";
import type { McpSession, OpenSession, SessionOrder } from "./session.ts";

interface ListedSession {
  readonly session: McpSession;
  readonly list: McpList;
}

export interface ListOrder extends SessionOrder {
  /** What the server is sent, and no model may be told. */
  readonly secrets: readonly string[];
}

/** Before a call was sent, a session that the server has forgotten is opened anew, once. */
export async function openListed(
  server: string,
  order: ListOrder,
  open: OpenSession,
  background: (work: Promise<unknown>) => void,
): Promise<Result<ListedSession, McpFault>> {
  const first = await openOnce(server, order, open, background);
  return !first.ok && first.error.sessionGone ? openOnce(server, order, open, background) : first;
}

async function openOnce(
  server: string,
  order: ListOrder,
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
