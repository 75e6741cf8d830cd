/** `tools/call`: the call's turn, and how the person is asked where one must be. */
import type { Context } from "hono";
import type { Approval } from "../../approvals/approval.ts";
import type { Deps } from "../../deps.ts";
import { newId } from "../../lib/ids.ts";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { approvalLink } from "../../turn/confirm/question-links.ts";
import { runToolCall } from "../../turn/tool-call/run-tool-call.ts";
import type { ToolSession } from "../../turn/tool-call/tool-call-turn.ts";
import type { AppEnv } from "../app-env.ts";
import { formFor, pageFor, readElicited, takeElicited } from "./elicit.ts";
import type { CalledTool } from "./mcp-server.ts";
import { elicitationOf, type McpSession } from "./mcp-session.ts";
import { type RpcFault, rpcFault } from "./rpc-error.ts";
import { toolResult } from "./tool-results.ts";

/** How often a client that waits for a person hears that the call goes on: many give up after a minute of silence. */
const PROGRESS_MS = 10_000;

export async function callTool(
  c: Context<AppEnv>,
  deps: Deps,
  at: ToolSession,
  session: McpSession,
  call: CalledTool,
): Promise<Result<JsonObject, RpcFault>> {
  const { watch } = c.var;
  const { name: tool, arguments: args, signal } = call;
  await takeAnswers(deps, at, call);
  const asking = askingFor(at, session, call);
  const id = newId("turn", deps.now());
  watch.turnBegan(id, "");
  const { model, detector, tools, now } = deps;
  const parts = { guard: deps.guardOf(at.principal), model, detector, tools, now, watch };
  const channel = asking.holds ? "hold" : at.channel;
  const done = runToolCall(parts, { ...at, channel, id, tool, arguments: args, signal, ...asking });
  // What has begun is recorded, also where the client goes away.
  c.executionCtx.waitUntil(done);
  c.var.bodyLease?.outlives(done);
  const outcome = await done;
  if (outcome.kind === "failed") return err(rpcFault(outcome.ending.error as OpenAiError));
  if (outcome.kind === "selected") await call.listChanged();
  const asked = outcome.kind === "asked" && inputFor(at, call, outcome.approval);
  return ok(asked || toolResult(outcome, id, inboxOf(deps)));
}

/** What the gateway itself ends a turn with: nothing else ends one that has no model. */
type OpenAiError = Parameters<typeof rpcFault>[0];

const inboxOf = ({ webhooks: { publicUrl } }: Deps): string | undefined =>
  publicUrl === undefined ? undefined : `${publicUrl}/console`;

interface Asking {
  /** The call waits in its stream. */
  readonly holds: boolean;
  readonly onAsked: (approval: Approval) => void;
  readonly onAnswered: (approval: Approval) => void;
}

/** The protocol of 2025: the question goes out on the stream of the call, which waits. */
function askingFor(at: ToolSession, session: McpSession, call: CalledTool): Asking {
  const { client } = call;
  const paramsFor = (approval: Approval): JsonObject | undefined => {
    if (client.era !== "legacy") return undefined;
    if (session.form) return formFor(approval);
    const url = session.url ? approvalLink(at, approval) : undefined;
    return url === undefined ? undefined : pageFor(approval, url);
  };
  const canAsk = client.era === "legacy" && (session.form || (session.url && at.links !== undefined));
  let beat: ReturnType<typeof setInterval> | undefined;
  return {
    holds: canAsk && (session.form || at.policy.confirmation.link),
    onAsked(approval) {
      const params = paramsFor(approval);
      if (params) call.request(approval.id, "elicitation/create", params);
      let beats = 0;
      beat = setInterval(() => call.progress(++beats, "a person is asked"), PROGRESS_MS);
    },
    onAnswered(approval) {
      clearInterval(beat);
      const params = paramsFor(approval);
      if (params?.mode === "url") call.notify("notifications/elicitation/complete", { elicitationId: approval.id });
      else if (params && approval.answer?.via !== "native")
        call.notify("notifications/cancelled", { requestId: approval.id, reason: "the question is no longer open" });
    },
  };
}

const KEY = "approval";

/** The protocol of 2026: the call ends with the question, and is made again with the answer. */
function inputFor(at: ToolSession, { client }: CalledTool, approval: Approval): JsonObject | undefined {
  if (client.era !== "modern") return undefined;
  const { form, url: opens } = elicitationOf(client.capabilities);
  const url = opens ? approvalLink(at, approval) : undefined;
  // A page that was opened, and has not been answered: asked again, the client would open it again.
  if (!form && (url === undefined || client.responses !== undefined)) return undefined;
  const params = form ? formFor(approval) : pageFor(approval, String(url));
  return {
    resultType: "input_required",
    inputRequests: { [KEY]: { method: "elicitation/create", params } },
    requestState: approval.id,
  };
}

async function takeAnswers(deps: Deps, at: ToolSession, { client, name: tool }: CalledTool): Promise<void> {
  const { responses, state } = client;
  const result = responses?.[KEY];
  if (state === undefined || !isObject(result)) return;
  const answer = readElicited(result, elicitationOf(client.capabilities));
  await takeElicited(deps, at.principal, { approval: state, session: at.session, answer, tool });
}
