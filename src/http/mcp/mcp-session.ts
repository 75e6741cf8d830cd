/**
 * The session of an MCP client. Its id contains what the client declared when it opened the session: no isolate knows what another
 * received. A client that forges an id changes only which questions it gets itself. Pure.
 */

import { newId } from "../../lib/ids.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { badRequest, notFound, type Problem } from "../problem.ts";

export const SESSION_HEADER = "mcp-session-id";

export const unknownSession = notFound("session", SESSION_HEADER);

/** For clients that name no session: the user's own, shared by all of them. */
const SHARED = "mcp_shared";

const ID = /^mcp_[a-z0-9]{1,64}(\.[fus]+)?$/;

/** The ways in which a client lets its server ask the person. */
export interface Elicitation {
  /** A form in the client. */
  readonly form: boolean;
  /** A page that the client opens. */
  readonly url: boolean;
}

export interface McpSession extends Elicitation {
  readonly id: string;
  /** The client lets a server ask its model. */
  readonly sampling: boolean;
}

/** @param capabilities as the client declares them; `elicitation: {}` is a form, as it was before there were pages. */
export function elicitationOf(capabilities: unknown): Elicitation {
  const declared = isObject(capabilities) ? capabilities.elicitation : undefined;
  if (!isObject(declared)) return { form: false, url: false };
  const url = isObject(declared.url);
  return { form: isObject(declared.form) || !url, url };
}

export function newMcpSession(capabilities: unknown, now: number): string {
  const { form, url } = elicitationOf(capabilities);
  const sampling = isObject(capabilities) && isObject(capabilities.sampling);
  const ways = `${form ? "f" : ""}${url ? "u" : ""}${sampling ? "s" : ""}`;
  return newId("mcp", now) + (ways === "" ? "" : `.${ways}`);
}

/**
 * The session that a request names: the protocol's header, else `x-toolgate-session`. It is never a chat's session: calls here would
 * not be judged by what the chat's client has read there.
 */
export function readMcpSession(headers: Headers): Result<McpSession, Problem> {
  const own = headers.get(SESSION_HEADER);
  // A client that gets this answer opens a new one.
  if (own !== null) return ID.test(own) ? ok(sessionOf(own)) : err(unknownSession);
  const named = headers.get("x-toolgate-session") ?? SHARED;
  if (ID.test(named)) return ok(sessionOf(named));
  const message = "a session of `/mcp` is named `mcp_` and 1 to 64 lower-case letters and digits";
  return err(badRequest("x-toolgate-session", message));
}

function sessionOf(id: string): McpSession {
  const [, ways = ""] = id.split(".");
  return { id, form: ways.includes("f"), url: ways.includes("u"), sampling: ways.includes("s") };
}
