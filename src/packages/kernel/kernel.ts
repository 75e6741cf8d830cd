/**
 * The gateway's turn in a process: the same policy, turn and stores, without a server. The packages for frameworks give it a request
 * in the form of a chat completion, a model, and a reply.
 */
import { sha256Hex } from "../../lib/digest.ts";
import { newId } from "../../lib/ids.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { once } from "../../lib/once.ts";
import { workForBody } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import type { StoredRecord } from "../../ports/audit-record.ts";
import type { UserGuardPort } from "../../ports/guard-port.ts";
import type { ModelPort } from "../../ports/model-port.ts";
import type { Reply } from "../../ports/reply-port.ts";
import { isMcpSession } from "../../session/conversation-fingerprint.ts";
import type { Principal } from "../../session/principal.ts";
import { toolsOf } from "../../tool-deps.ts";
import type { ToolRunner } from "../../tools/tool-runner.ts";
import { runTurn } from "../../turn/run-turn.ts";
import type { TurnInput } from "../../turn/turn.ts";
import { chatTurnInput } from "../../turn/turn-input.ts";
import type { NativeAnswer } from "../../wire/approval-answers.ts";
import { readChatRequest } from "../../wire/chat-request.ts";
import { memoryStores } from "../stores/late-stores.ts";
import type { Detection, Stores } from "../stores/stores.ts";
import { compiledPolicy } from "./compiled-policy.ts";
import { ToolgateError } from "./toolgate-error.ts";

/** The user that the model acts for. */
export interface ToolgatePrincipal {
  /** At most 128 characters. Limits, consents and approvals are this user's. */
  readonly user: string;
  /** Default `default`. */
  readonly tenant?: string;
  /** One of the policy's roles. Default: the weakest. */
  readonly role?: string;
  /** False for a user who is not signed in. Default true. */
  readonly authenticated?: boolean;
  /** The providers that the user has linked. */
  readonly connections?: readonly string[];
}

export interface ToolgateOptions {
  /** The policy document, as `npm run policy -- check` takes it. Throws if it is not valid. */
  readonly policy: unknown;
  readonly principal: ToolgatePrincipal;
  /** Names the conversation. Default: one conversation for this object. */
  readonly sessionId?: string;
  /** One of the policy's modes. */
  readonly mode?: string;
  /**
   * How a person is asked. `inline`: by the model's reply, which the next message of the user answers. `native`: by the framework's own
   * approvals. Default `inline`.
   */
  readonly approvals?: "inline" | "native";
  /** Default: in the memory of this process, shared by all toolgates without stores of their own. */
  readonly stores?: Stores | Promise<Stores>;
  /** For tools that the policy runs itself: the gateway's settings `TOOL_SECRETS`, `SECRET_…` and `TOOL_DNS`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A request in the form of a chat completion. */
export interface ChatTurn {
  readonly model: string;
  readonly messages: readonly JsonObject[];
  /** OpenAI's form. */
  readonly tools: readonly JsonObject[];
  /** The turn's tools if the caller brings none; they are not pinned. */
  readonly ownTools?: readonly ToolDefinition[];
  readonly toolChoice?: unknown;
  readonly stream: boolean;
  readonly jsonMode: boolean;
  /** Approvals that the request answers. */
  readonly answers?: readonly NativeAnswer[];
  /** Absent: as the options say. */
  readonly approvals?: "inline" | "native";
  /** The request only answers: it belongs to the conversation of the question, whatever its messages show of it. */
  readonly onlyAnswers?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Methods of the kernel and of every framework's toolgate. */
export interface GovernedToolgate<Self> {
  /** For another person, conversation or mode, with the same policy and stores. */
  with(change: Partial<Pick<ToolgateOptions, "principal" | "sessionId" | "mode" | "approvals">>): Self;
  /** The audit records of the principal, oldest first. */
  audit(): Promise<readonly StoredRecord[]>;
  /** Trains the model of the policy's trained layer. Until it is ready, the other layers decide. */
  prepare(): Promise<void>;
}

export interface Kernel extends GovernedToolgate<Kernel> {
  readonly policy: CompiledPolicy;
  readonly principal: Principal;
  readonly sessionId: string;
  readonly approvals: "inline" | "native";
  /** Throws if the request is not valid; every other failure is the reply's ending. */
  run(request: ChatTurn, model: ModelPort, reply: Reply): Promise<void>;
  guard(): Promise<UserGuardPort>;
}

/** @param over makes the framework's toolgate of another kernel. */
export const governedToolgate = <Self>(kernel: Kernel, over: (kernel: Kernel) => Self): GovernedToolgate<Self> => ({
  with: (change) => over(kernel.with(change)),
  audit: kernel.audit,
  prepare: kernel.prepare,
});

const shared = once(() => memoryStores());

interface OpenedStores {
  readonly stores: Stores;
  readonly tools: ToolRunner;
  readonly detection: Detection;
}

export function createKernel(options: ToolgateOptions): Kernel {
  const policy = compiledPolicy(options.policy);
  const opened = once(() => openStores(options));
  return kernelOver(options, policy, opened);
}

async function openStores({ stores: given, settings = {}, fetch: fetcher = fetch, now = Date.now }: ToolgateOptions) {
  const stores = await (given ?? shared());
  const background = (work: Promise<unknown>): void => void work.catch(() => {});
  const { guardOf, pinsOf, toolsDb } = stores;
  const variables = { ...settings, ...(toolsDb ? { TOOLS_DB: toolsDb as D1Database } : {}) };
  const tools = toolsOf(variables, { fetch: fetcher, now, guardOf, pinsOf, background });
  if (tools.problems.length > 0) throw new ToolgateError(tools.problems.join("; "), "misconfigured", 503);
  return { stores, tools: tools.deps.tools, detection: stores.detection ?? (await ownDetection(stores, now)) };
}

/** Detection from the package's files, loaded only if the stores bring none. */
async function ownDetection({ models }: Stores, now: () => number): Promise<Detection> {
  const { processDetection } = await import("./detection.ts");
  return processDetection(models, now);
}

function kernelOver(options: ToolgateOptions, policy: CompiledPolicy, opened: () => Promise<OpenedStores>): Kernel {
  const principal = principalOf(options.principal, policy);
  const { mode, approvals = "inline", sessionId = newId("sess", Date.now()) } = options;
  checkMode(mode, policy, principal);
  if (isMcpSession(sessionId))
    throw new ToolgateError("a session whose id begins with `mcp_` is one of `/mcp`", "invalid_value", 400);
  return {
    policy,
    principal,
    sessionId,
    approvals,
    run: async (request, model, reply) =>
      runChat({ policy, principal, mode, opened: await opened(), now: options.now ?? Date.now }, request, {
        sessionId,
        approvals,
        model,
        reply,
      }),
    guard: async () => (await opened()).stores.guardOf(principal),
    audit: async () => (await opened()).stores.audit(principal),
    prepare: async () => {
      const ready = await (await opened()).detection.prepare(policy);
      if (ready.kind === "unavailable") throw new ToolgateError(ready.why, "semantic_unavailable", 503);
    },
    with: (change) => kernelOver({ ...options, sessionId, ...change }, policy, opened),
  };
}

interface RunParts {
  readonly policy: CompiledPolicy;
  readonly principal: Principal;
  readonly mode: string | undefined;
  readonly opened: OpenedStores;
  readonly now: () => number;
}

interface RunTarget extends Pick<Kernel, "sessionId" | "approvals"> {
  readonly model: ModelPort;
  readonly reply: Reply;
}

async function runChat(parts: RunParts, request: ChatTurn, target: RunTarget): Promise<void> {
  const { principal, mode, now } = parts;
  const { stores, tools, detection } = parts.opened;
  const { body, chat } = readBody(request);
  const given = await chatTurnInput(tools, parts.policy, principal, chat, request.ownTools);
  if (!given.ok) throw new ToolgateError(given.error.message, given.error.code);
  const { managed, conversation } = given.value;
  const text = JSON.stringify(body);
  const input: TurnInput = {
    ...given.value,
    id: newId("turn", now()),
    principal,
    ...(request.ownTools ? { ownTools: request.ownTools } : {}),
    includeRuns: true,
    request: request.answers ? { ...chat, answers: request.answers } : chat,
    conversation: request.onlyAnswers
      ? { ...conversation, conversationKey: undefined, fingerprint: undefined }
      : conversation,
    digest: sha256Hex(text),
    clientRetry: false,
    sessionId: request.onlyAnswers ? undefined : target.sessionId,
    mode,
    reset: false,
    work: workForBody(text.length),
    // A framework cannot answer questions about tools that it does not have.
    channel: managed ? "inline" : (request.approvals ?? target.approvals),
    headers: {},
    signal: request.signal ?? new AbortController().signal,
  };
  const deps = { guard: stores.guardOf(principal), model: target.model, detector: detection.detector, tools, now };
  await runTurn(deps, input, target.reply);
}

function readBody({ model, messages, tools, toolChoice, stream, jsonMode, answers }: ChatTurn) {
  const body: JsonObject = {
    model: model === "" ? "model" : model,
    messages,
    ...(tools.length > 0 ? { tools } : {}),
    ...(toolChoice === undefined ? {} : { tool_choice: toolChoice }),
    stream,
    ...(jsonMode ? { response_format: { type: "json_object" } } : {}),
  };
  const chat = readChatRequest(body, false);
  if (!chat.ok) throw new ToolgateError(chat.error.message, chat.error.code);
  // The answers are part of the body, because a request with another answer is another request.
  return { body: answers ? { ...body, answers } : body, chat: chat.value };
}

const MAX_USER = 128;

function principalOf(
  { user, tenant = "default", role, authenticated = true, connections = [] }: ToolgatePrincipal,
  { roles }: CompiledPolicy,
): Principal {
  if (typeof user !== "string" || user === "" || user.length > MAX_USER || !user.isWellFormed())
    throw new ToolgateError(`\`principal.user\` must have 1 to ${MAX_USER} characters`, "invalid_request");
  const named = role ?? roles[0] ?? "";
  if (!roles.includes(named))
    throw new ToolgateError(
      `\`principal.role\` must be one of the policy's roles: ${roles.join(", ")}`,
      "invalid_request",
    );
  return { tenant, user, role: named, authenticated, connections };
}

function checkMode(mode: string | undefined, { modes }: CompiledPolicy, { role }: Principal): void {
  const known = mode === undefined ? undefined : modes.get(mode);
  if (mode === undefined || (known && (!known.roles || known.roles.has(role)))) return;
  throw new ToolgateError(`there is no mode \`${mode}\` for the role \`${role}\``, "mode_forbidden", 403);
}
