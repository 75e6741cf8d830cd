/** Approvals as items: the Responses API has questions and answers of its own, for calls that a person must confirm. Pure. */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";

/** The server of the item: the gateway itself asks. */
const SERVER = "toolgate";

/**
 * Calls that wait for a person, with the question as data.
 * @param approvals of the note of the reply.
 */
export function approvalRequests(approvals: unknown): JsonObject[] {
  if (!Array.isArray(approvals)) return [];
  return approvals.flatMap((approval: unknown) => {
    if (!isObject(approval) || approval.channel !== "native") return [];
    const { id, tool, arguments: args } = approval;
    const item = { id, type: "mcp_approval_request", server_label: SERVER, name: tool };
    return [{ ...item, arguments: JSON.stringify(args ?? {}) }];
  });
}

/** Answers at the end of the input, as `toolgate.approvals` has them. Earlier ones are history: they were acted upon. */
export function approvalResponses(input: readonly JsonObject[]): JsonObject[] {
  const last = input.findLastIndex(({ type }) => type !== "mcp_approval_response");
  return input.slice(last + 1).map(({ approval_request_id: id, approve, reason }) => ({
    id,
    action: approve === true ? "approve" : "deny",
    ...(approve !== true && typeof reason === "string" ? { reason } : {}),
  }));
}
