/** The result of a call that its server did not answer. Pure, but for what it awaits. */
import { err, type Result } from "../../lib/result.ts";
import { utf8Bytes } from "../../lib/text/characters.ts";
import { type ExecutionResult, failed, notStarted, type RunFailure, unknown } from "../run.ts";
import type { McpFault } from "./session.ts";

/** UTF-16 units of the server's error message. */
export const MAX_SERVER_WORDS = 2_000;

export const beforeCallOf = async <T>(opening: Promise<Result<T, McpFault>>): Promise<Result<T, ExecutionResult>> => {
  const opened = await opening;
  return opened.ok ? opened : err(beforeCall(opened.error));
};

/** Before the call was sent nothing was done. */
const beforeCall = ({ failure, detail }: McpFault): ExecutionResult =>
  failure === "timeout" || failure === "too_large" || failure === "unreadable" || failure === "tool_failed"
    ? notStarted("unavailable", detail)
    : notStarted(failure, detail);

/** Refused before anything was sent. */
const refusals: readonly RunFailure[] = ["host_forbidden", "address_forbidden", "secret_unbound", "connection_missing"];

/** @param safe whether the tool changes nothing: then it does not matter whether it ran. */
export function faultResult(fault: McpFault, safe: boolean): ExecutionResult {
  const { failure, detail, httpStatus, serverWords = "", callSent } = fault;
  if (!callSent || refusals.includes(failure)) return beforeCall(fault);
  const more = { content: serverWords, bytes: utf8Bytes(serverWords), httpStatus };
  const refused = failure === "tool_failed" || (httpStatus !== null && httpStatus >= 300 && httpStatus < 500);
  return refused || safe ? failed(failure, detail, more) : unknown(failure, detail, more);
}
