/** Requests to MCP servers by the one guarded fetch. */
import { ok } from "../../lib/result.ts";
import { fillHeaders } from "../fill-headers.ts";
import { guardedFetch, type ReachFault, type ReachParts } from "../reach/guarded-fetch.ts";
import type { SecretPort } from "../secret-port.ts";
import type { TokenPort } from "../token-port.ts";
import type { McpDoor } from "./door.ts";

interface DoorParts {
  readonly reach: ReachParts;
  readonly secrets: SecretPort;
  readonly tokens: TokenPort;
}

/** A list's pages may be longer than a result; the session counts what each may take. */
const MAX_BYTES = 1_048_576;
/** For what is sent when the time of the call is over: that it is cancelled, and the session's end. */
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

export const guardedDoor =
  (parts: DoorParts): McpDoor =>
  async ({ settings, principal }, deadline) => {
    const connections = settings.connection === undefined ? [] : [settings.connection];
    const filled = await fillHeaders(settings, { principal, connections, arguments: {}, system: {} }, parts);
    if (!filled.ok) return filled;
    const { allowHosts, allowPrivate } = settings;
    const maxResponseBytes = Math.max(settings.maxResponseBytes, MAX_BYTES);
    const bounds = { allowHosts, allowPrivate, policyUrl: settings.url, maxResponseBytes };
    const send = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
      const headers = new Headers(filled.value.headers);
      headers.set("user-agent", "Toolgate");
      // The protocol's own count.
      for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
      const request = {
        url: String(input),
        method: init.method ?? "GET",
        headers,
        body: typeof init.body === "string" ? init.body : undefined,
      };
      const until = Math.max(deadline, parts.reach.now() + ENDING_MS);
      const reached = await guardedFetch(parts.reach, request, {
        ...bounds,
        deadline: until,
        signal: init.signal ?? undefined,
      });
      if (reached.ok) return reached.value;
      throw new ReachError(reached.error);
    };
    return ok({ fetch: send as typeof fetch, secrets: filled.value.secrets });
  };
