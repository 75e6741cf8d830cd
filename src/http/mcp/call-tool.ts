/** `tools/call`: the call's turn, and how a person is asked if one must be. */
import type { Approval } from "../../approvals/approval.ts";
import type { Deps } from "../../deps.ts";
import { newId } from "../../lib/ids.ts";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { mcpTarget } from "../../tools/managed-tools.ts";
import type { McpRelay, ToolRunner } from "../../tools/tool-runner.ts";
import { approvalLink } from "../../turn/confirm/question-links.ts";
import { runToolCall, type ToolCallOutcome } from "../../turn/tool-call/run-tool-call.ts";
import type { ToolSession } from "../../turn/tool-call/tool-call-turn.ts";
import { formFor, pageFor, readElicited, takeElicited } from "./elicit.ts";
import type { CalledTool } from "./mcp-server.ts";
import { elicitationOf, type McpSession } from "./mcp-session.ts";
import type { ReadCall } from "./relay.ts";
import { withOuterUris } from "./relayed-uris.ts";
import { INVALID_PARAMS, type RpcFault, rpcFault, SERVER_ERROR } from "./rpc-error.ts";
import { noteRunning } from "./running-calls.ts";
import { type CallContext, questionsFor } from "./server-questions.ts";
import { blocksBesides, isTakenWhole, toolResult, wholeOf } from "./tool-results.ts";

/** Milliseconds between progress messages to a client that waits for a person: many give up after a minute of silence. */
const PROGRESS_MS = 10_000;

export async function callTool(context: CallContext, call: CalledTool): Promise<Result<JsonObject, RpcFault>> {
  const { deps, at } = context;
  const { outcome, id, whole } = await takeTurn(context, call);
  if (outcome.kind === "failed") return err(rpcFault(outcome.ending.error as OpenAiError));
  if (outcome.kind === "selected") await call.listChanged();
  const question = outcome.kind === "asked" && inputFor(at, call, outcome.approval);
  if (question) return ok(question);
  const result = toolResult(outcome, id, inboxOf(deps));
  const server = mcpTarget(at.policy, call.name)?.server;
  if (server === undefined || !whole) return ok(result);
  const outer = withOuterUris(server, whole);
  if (isTakenWhole(outcome)) return ok({ ...result, ...wholeOf(outer) });
  return ok({ ...result, content: [...result.content, ...blocksBesides(outer)] });
}

/** @returns the server's own result, if it was read. */
export async function callRead(
  context: CallContext,
  { server, tool, arguments: args, about }: ReadCall,
  call: CalledTool,
): Promise<Result<JsonObject, RpcFault>> {
  const { deps, at } = context;
  // A server may list a tool of that name: then nothing of it is relayed.
  const isRead = mcpTarget(at.policy, tool)?.method !== undefined || !at.managed.names.has(tool);
  if (!isRead) return err({ code: INVALID_PARAMS, message: "the server relays none" });
  const named = { ...call, name: tool, arguments: JSON.stringify(args) };
  const { outcome, id, whole } = await takeTurn(context, named);
  if (outcome.kind === "failed") return err(rpcFault(outcome.ending.error as OpenAiError));
  const question = outcome.kind === "asked" && inputFor(at, named, outcome.approval);
  if (question) return ok(question);
  const { content, isError, _meta } = toolResult(outcome, id, inboxOf(deps));
  if (isError || !whole)
    return err({ code: codeOf(outcome), message: content[0]?.text ?? "", data: { ...about, ..._meta } });
  return ok({ ...withOuterUris(server, whole), _meta: { ...(isObject(whole._meta) ? whole._meta : {}), ..._meta } });
}

/** Resources and prompts that the server itself reports as missing. */
const codeOf = (outcome: ToolCallOutcome): number =>
  outcome.kind === "ran" && outcome.run.outcome?.failure === "tool_failed" ? INVALID_PARAMS : SERVER_ERROR;

interface TakenTurn {
  readonly outcome: ToolCallOutcome;
  readonly id: string;
  /** An MCP server's result, unchanged. */
  readonly whole: JsonObject | undefined;
}

async function takeTurn({ c, deps, at, session }: CallContext, call: CalledTool): Promise<TakenTurn> {
  const { watch } = c.var;
  const { name: tool, arguments: args } = call;
  await takeAnswers(deps, at, call);
  const asking = askingFor(at, session, call);
  const id = newId("turn", deps.now());
  watch.turnBegan(id, "");
  const { model, detector, now } = deps;
  let whole: JsonObject | undefined;
  const relay: McpRelay = {
    result(result) {
      whole = result;
    },
    progress: call.relayProgress,
    message: call.message,
    questions: questionsFor({ c, deps, at, session }, call),
  };
  const tools: ToolRunner = { ...deps.tools, run: (run) => deps.tools.run({ ...run, relay }) };
  const parts = { guard: deps.guardOf(at.principal), model, detector, tools, now, observer: watch };
  const channel = asking.holds ? "hold" : at.channel;
  const running = noteRunning(at.principal, at.session, call.id, call.signal);
  const { signal } = running;
  const done = runToolCall(parts, { ...at, channel, id, tool, arguments: args, signal, ...asking });
  // A call that has begun is recorded, also if the client goes away.
  c.executionCtx.waitUntil(done);
  c.var.bodyLease?.outlives(done);
  const outcome = await done;
  running.ended();
  return { outcome, id, whole };
}

/** Only the gateway itself ends a turn without a model. */
type OpenAiError = Parameters<typeof rpcFault>[0];

const inboxOf = ({ webhooks: { publicUrl } }: Deps): string | undefined =>
  publicUrl === undefined ? undefined : `${publicUrl}/console`;

interface CallQuestions {
  /** The call waits in its stream. */
  readonly holds: boolean;
  readonly onAsked: (approval: Approval) => void;
  readonly onAnswered: (approval: Approval) => void;
}

/** The protocol of 2025: the question goes out on the stream of the call, which waits. */
function askingFor(at: ToolSession, session: McpSession, call: CalledTool): CallQuestions {
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
  // A page that was opened and not answered: with another question the client would open it again.
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
