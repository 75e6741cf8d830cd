/** Reads a server's list of tools, and stores the outcome in the tenant's ledger. */
import { describeError, log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { McpRelay } from "../tool-runner.ts";
import { authorizeServer, type ServerAccess, type ServerPorts } from "./authorize-server.ts";
import type { KnownServer, ListFailure, McpList, McpPinsPort } from "./known-server.ts";
import { readDefinitions } from "./read-definitions.ts";
import { relayedQuestions } from "./relayed-questions.ts";
import type { McpFault, McpSession, SessionRequest } from "./session.ts";

export interface McpParts extends ServerPorts {
  readonly pinsOf: (tenant: string) => McpPinsPort;
  /** Keeps the Worker alive for work after the answer. */
  readonly background: (work: Promise<unknown>) => void;
  readonly now: () => number;
}

/**
 * @returns what the ledger knows afterwards; `not_linked` if this user may not read the list, which says nothing about the
 * server; undefined if nothing could be stored. Never rejects.
 */
export async function listServer(
  access: ServerAccess,
  parts: McpParts,
): Promise<KnownServer | "not_linked" | undefined> {
  const { server, settings, principal } = access;
  try {
    const listed = await readList(access, parts);
    const pins = parts.pinsOf(principal.tenant);
    const at = parts.now();
    if (listed.ok) return await pins.noteList({ server, list: listed.value, newTools: settings.newTools, at });
    const { error } = listed;
    if (error.failure === "connection_missing") return "not_linked";
    log("warn", "mcp_list_failed", { tenant: principal.tenant, server, failure: error.failure });
    return await pins.noteFailure({ server, url: settings.url, error, at });
  } catch (error) {
    // Without the message: an exception of a request may cite its address or headers.
    const { message: _, ...fields } = describeError(error);
    log("error", "mcp_list_failed", { server, ...fields });
    return undefined;
  }
}

async function readList(access: ServerAccess, parts: McpParts): Promise<Result<McpList, ListFailure>> {
  const { server, settings } = access;
  const deadline = parts.now() + settings.timeout;
  const authorized = await authorizeServer(parts, access, deadline);
  if (!authorized.ok) {
    const { failure, detail } = authorized.error;
    return err({ failure: failure ?? "unavailable", detail: detail ?? "nothing may be sent to it" });
  }
  const request = {
    url: settings.url,
    ...authorized.value,
    deadline,
    maxBytes: 0,
    now: parts.now,
    questions: relayedQuestions(access),
    lists: true,
  };
  const listed = await openListed(server, request, parts.background);
  if (!listed.ok) return err({ failure: listed.error.failure, detail: listed.error.detail });
  parts.background(listed.value.session.end());
  return ok(listed.value.list);
}

interface ListedSession {
  readonly session: McpSession;
  readonly list: McpList;
}

export interface ListRequest extends SessionRequest {
  readonly relay?: McpRelay | undefined;
  /** Sent to the server, and kept from the model. */
  readonly secrets: readonly string[];
}

export const openSession = (request: SessionRequest): Promise<Result<McpSession, McpFault>> =>
  repeatOnce(() => openBySdk(request));

/** A new session, and the server's list in it. */
export const openListed = (
  server: string,
  request: ListRequest,
  background: McpParts["background"],
): Promise<Result<ListedSession, McpFault>> =>
  repeatOnce(async () => {
    const session = await openBySdk(request);
    if (!session.ok) return session;
    const { era, list, end } = session.value;
    const listed = await list();
    if (listed.ok) {
      const read = readDefinitions(server, listed.value, request.secrets);
      return ok({ session: session.value, list: { url: request.url, era, ...read } });
    }
    background(end());
    return err(listed.error);
  });

/** Before a call was sent, a session that the server has forgotten is opened again, once. */
async function repeatOnce<T>(work: () => Promise<Result<T, McpFault>>): Promise<Result<T, McpFault>> {
  const first = await work();
  return !first.ok && first.error.sessionGone ? work() : first;
}

let sdk: typeof import("./sdk-session.ts") | undefined;

/** The SDK is evaluated with the first session. The module is cached, not its promise, which belongs to one request. */
async function openBySdk(request: SessionRequest): Promise<Result<McpSession, McpFault>> {
  sdk ??= await import("./sdk-session.ts");
  return sdk.openSession(request);
}
