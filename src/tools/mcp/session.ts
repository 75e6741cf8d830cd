/** The port to a session with an MCP server. */

import type { JsonObject } from "../../lib/json/json-value.ts";
import type { Result } from "../../lib/result.ts";
import type { RunFailure } from "../run.ts";
import type { McpRelay, QuestionKind } from "../tool-runner.ts";
import type { Wire } from "./channel.ts";
import type { McpEra } from "./known-server.ts";
import type { McpResult } from "./result-text.ts";

export interface SessionRequest {
  readonly url: string;
  /** Guards where requests go, and fills in their headers. */
  readonly fetch: typeof fetch;
  /** Milliseconds since the epoch: nothing is waited for beyond it. */
  readonly deadline: number;
  /** Fires when the client goes away. */
  readonly signal?: AbortSignal;
  /** Found before: saves a request. */
  readonly era?: McpEra | undefined;
  /** Bytes of the answer to a call. */
  readonly maxBytes: number;
  readonly now: () => number;
  /** Receives progress, and the server's log. */
  readonly relay?: Pick<McpRelay, "progress" | "message"> | undefined;
  /** Absent: the server gets an error if it asks for something. */
  readonly questions?: SessionQuestions | undefined;
  /** It only reads lists: the server asks no question. */
  readonly lists?: boolean;
  /** Absent: the session ends with what it was opened for. */
  readonly updates?: SessionUpdates | undefined;
}

/** Notifications for a session that listens. */
export interface SessionUpdates {
  /** A resource of the server has changed. */
  updated(uri: string): void;
  /** No notification follows. May be called more than once. */
  ended(): void;
}

export interface SessionQuestions {
  readonly kinds: ReadonlySet<QuestionKind>;
  ask(kind: QuestionKind, params: JsonObject): Promise<JsonObject>;
}

export interface McpSession {
  readonly era: McpEra;
  /** All that the server lists, unread. */
  list(): Promise<Result<readonly unknown[], McpFault>>;
  /** Asks once. */
  ask(method: string, params: JsonObject): Promise<Result<JsonObject, McpFault>>;
  /** Asks once, whatever the outcome. @param inputSchema of the tool, which may have arguments sent in headers. */
  call(tool: CalledTool): Promise<Result<McpResult, McpFault>>;
  /** Asks the server to say when one of these resources changes; a fault if it says that it cannot. */
  subscribe(uris: readonly string[]): Promise<Result<void, McpFault>>;
  /** Ends it at the server too. Never rejects; need not be awaited. */
  end(): Promise<void>;
}

interface CalledTool {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface McpFault {
  readonly failure: RunFailure;
  readonly detail: string;
  readonly httpStatus: number | null;
  /** The server's own words, for the model; as untrusted as a result. */
  readonly serverWords?: string;
  /** Whether a call went out before. */
  readonly callSent: boolean;
  /** Whether the server does not know the session any more. */
  readonly sessionGone: boolean;
}

/** What ended a request from outside. */
interface EndReason {
  readonly clientGone: boolean;
  readonly timeUp: boolean;
}

/** @param error the SDK's; only the number and the words of a JSON-RPC error are used. */
export function faultOf(wire: Wire, error: unknown, { clientGone, timeUp }: EndReason): McpFault {
  const { status, thrown } = wire;
  const fault = (failure: RunFailure, detail: string, serverWords?: string): McpFault => {
    const { callSent, session } = wire;
    return { failure, detail, httpStatus: status, serverWords, callSent, sessionGone: status === 404 && session };
  };
  if (clientGone) return fault("cancelled", "the client went away");
  if (wire.tooLarge) return fault("too_large", "the MCP server sent more than is taken");
  const refused = refusal(thrown);
  if (refused) return fault(refused.failure, refused.detail);
  if (timeUp) return fault("timeout", "the MCP server did not answer in time");
  if (thrown !== undefined) return fault("unavailable", "the MCP server could not be reached");
  const known = protocolError(error);
  if (known) return fault("tool_failed", `the MCP server answered with the error ${known.code}`, known.message);
  if (status !== null && status >= 300 && status < 400)
    return fault("redirect_forbidden", `the MCP server answered with a redirect (${status})`);
  if (status !== null && status >= 400) return fault("unavailable", `the MCP server answered with status ${status}`);
  return fault("unreadable", "what the MCP server answered is not MCP");
}

/** Errors of the guarded fetch, and of its bounded bodies, have their own reason. */
function refusal(thrown: unknown): { readonly failure: RunFailure; readonly detail: string } | undefined {
  if (!(thrown instanceof Error) || !("failure" in thrown) || typeof thrown.failure !== "string") return undefined;
  return { failure: thrown.failure as RunFailure, detail: thrown.message };
}

/** The SDK marks them by name; their number is JSON-RPC's. */
function protocolError(error: unknown): { readonly code: number; readonly message: string } | undefined {
  if (!(error instanceof Error) || error instanceof DOMException || !("code" in error)) return undefined;
  if (!Number.isSafeInteger(error.code)) return undefined;
  return { code: error.code as number, message: error.message };
}
