/** The headers of a request that control a turn. Pure. */

import { err, ok, type Result } from "../../lib/result.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { type Channel, channels } from "../../policy/document/channels.ts";
import type { ConcurrencyLimits } from "../../ports/turns/open-turn-request.ts";
import { rootSession } from "../../session/conversation-fingerprint.ts";
import type { Principal } from "../../session/principal.ts";
import type { Limits } from "../../settings/limits.ts";
import type { ChatRequest } from "../../wire/chat-request.ts";
import { badRequest, forbidden, type Problem } from "../problem.ts";

interface TurnHeaders {
  readonly sessionId: string | undefined;
  readonly mode: string | undefined;
  readonly reset: boolean;
  readonly clientRetry: boolean;
  /** The reply continues if the client goes away, so that it may come back. */
  readonly resumes: boolean;
  /** How a person is asked, if one must be. */
  readonly channel: Channel;
  /** The reply lists managed calls. */
  readonly includeRuns: boolean;
  /** And their results. */
  readonly includeResults: boolean;
}

const MAX_SESSION_ID = 128;

export const ceilingsOf = ({ maxUserTurns: turns, maxUserHolds: holds }: Limits): ConcurrencyLimits => ({
  turns,
  holds,
});

export function readTurnHeaders(
  headers: Headers,
  request: ChatRequest,
  policy: CompiledPolicy,
  principal: Principal,
): Result<TurnHeaders, Problem> {
  const sessionId = decoded(headers.get("x-toolgate-session")) ?? request.sessionId;
  if (sessionId !== undefined && !isSessionId(sessionId)) {
    return err(badRequest("x-toolgate-session", `a session id has 1 to ${MAX_SESSION_ID} characters`));
  }
  const mode = headers.get("x-toolgate-mode") ?? undefined;
  const problem = mode === undefined ? undefined : checkMode(mode, policy, principal, "x-toolgate-mode");
  if (problem) return err(problem);
  const channel = readChannel(headers.get("x-toolgate-approvals"), policy);
  if (!channel.ok) return channel;
  const reset = readFlag(headers, "x-toolgate-reset");
  if (!reset.ok) return reset;
  const resumes = readFlag(headers, "x-toolgate-resume");
  if (!resumes.ok) return resumes;
  if (resumes.value && sessionId === undefined)
    return err(badRequest("x-toolgate-resume", "a reply can be resumed by the name of its session: name one"));
  const tell = headers.get("x-toolgate-runs");
  if (tell !== null && tell !== "tell" && tell !== "results")
    return err(
      badRequest("x-toolgate-runs", "the header `x-toolgate-runs` must be `tell` or `results`, or be left out"),
    );
  return ok({
    sessionId,
    mode,
    reset: reset.value,
    // What the official clients send with a retry.
    clientRetry: Number(headers.get("x-stainless-retry-count") ?? 0) > 0,
    resumes: resumes.value,
    channel: channel.value,
    includeRuns: tell !== null || policy.execution.tellRuns,
    includeResults: tell === "results",
  });
}

/** A misspelt value must not pass for `false`: its sender relies on it. */
function readFlag(headers: Headers, name: string): Result<boolean, Problem> {
  const value = headers.get(name) ?? "false";
  if (value === "true" || value === "false") return ok(value === "true");
  return err(badRequest(name, `the header \`${name}\` must be \`true\` or \`false\`, in lower case`));
}

/** The policy's own channel, unless the request chooses another that the policy permits. */
export function readChannel(named: string | null, { confirmation }: CompiledPolicy): Result<Channel, Problem> {
  if (named === null) return ok(confirmation.channel);
  const permitted = channels.filter((name) => name === confirmation.channel || confirmation.channels.includes(name));
  const channel = permitted.find((name) => name === named);
  if (channel !== undefined) return ok(channel);
  const names = permitted.map((name) => `\`${name}\``).join(", ");
  return err(
    badRequest(
      "x-toolgate-approvals",
      `the header \`x-toolgate-approvals\` must be one of ${names}: those the policy permits`,
    ),
  );
}

/**
 * Lone surrogates do not fit into a header; an empty id would mean no session, or every one; only the gateway makes keys of side
 * sessions.
 */
export const isSessionId = (value: unknown): value is string =>
  typeof value === "string" &&
  value !== "" &&
  value.length <= MAX_SESSION_ID &&
  value.isWellFormed() &&
  rootSession(value) === value;

/** @param param where the mode was named. */
export function checkMode(
  mode: string,
  policy: CompiledPolicy,
  principal: Principal,
  param = "mode",
): Problem | undefined {
  const known = policy.modes.get(mode);
  if (!known)
    return badRequest(
      param,
      `there is no mode \`${mode}\`; the policy has ${[...policy.modes.keys()].map((name) => `\`${name}\``).join(", ")}`,
    );
  if (known.roles && !known.roles.has(principal.role))
    return forbidden("mode_forbidden", `the mode \`${mode}\` is not for the role \`${principal.role}\``, param);
  return undefined;
}

/**
 * We send session ids percent-encoded, so that any id fits a header; a client may send it back so. Only what we would have written
 * ourselves is decoded: otherwise `%41` in a header would be the session `A` of `metadata.session_id`.
 */
function decoded(value: string | null): string | undefined {
  if (value === null) return undefined;
  try {
    const id = decodeURIComponent(value);
    return encodeURIComponent(id) === value ? id : value;
  } catch {
    return value;
  }
}
