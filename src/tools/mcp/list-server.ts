/** Asks a server for its tools, and has the tenant's ledger note what came of it. */
import { describeError } from "../../lib/describe-error.ts";
import { log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { AtDoor, McpDoor } from "./door.ts";
import type { KnownServer, ListFailure, McpList } from "./known-server.ts";
import { openListed } from "./listed-session.ts";
import type { McpPinsPort } from "./pins-port.ts";
import type { OpenSession } from "./session.ts";

export interface McpParts {
  readonly pinsOf: (tenant: string) => McpPinsPort;
  readonly door: McpDoor;
  readonly openSession: OpenSession;
  /** Goes on with what no answer waits for. */
  readonly background: (work: Promise<unknown>) => void;
  readonly now: () => number;
}

/**
 * @returns what the ledger knows after it; `not_linked` where this user cannot ask, which says nothing of the server;
 * undefined where nothing could be noted. Never rejects.
 */
export async function listServer(asked: AtDoor, parts: McpParts): Promise<KnownServer | "not_linked" | undefined> {
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

async function askForList(asked: AtDoor, parts: McpParts): Promise<Result<McpList, ListFailure>> {
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
