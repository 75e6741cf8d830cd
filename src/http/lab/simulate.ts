/**
 * `POST /admin/policies/:tenant/simulate`: what a turn would do with a message, a list of tools and the calls that a model might
 * make, under the policy in force or another one. Nothing is stored, run, asked or recorded.
 */
import type { Context } from "hono";
import * as z from "zod";
import type { Deps } from "../../deps.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { newId } from "../../lib/ids.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { once } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { workForBody } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { Principal } from "../../session/principal.ts";
import { type SimulatedConversation, simulateTurn } from "../../turn/simulate/simulate-turn.ts";
import type { TurnInput } from "../../turn/turn.ts";
import { chatTurnInput } from "../../turn/turn-input.ts";
import { readChatRequest } from "../../wire/chat-request.ts";
import { MAX_POLICY_BYTES } from "../admin/policy-body.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { badRequest, type Problem, problemOf } from "../problem.ts";
import { readJson } from "../read-json.ts";
import { checkMode } from "../surface/turn-headers.ts";
import { policyFor } from "./policy-for.ts";
import { simulationView } from "./simulation-view.ts";

const MAX_BYTES = 2 * MAX_POLICY_BYTES;
const MAX_CALLS = 64;

const args = () => z.union([z.record(z.string(), z.unknown()), z.string()], "must be an object, or its JSON text");
const simulateBody = {
  schema: once(() =>
    z.strictObject({
      /** The user's message. */
      user: z.string().min(1),
      role: z.string().optional(),
      mode: z.string().optional(),
      /** As in a chat completion. */
      tools: z.array(z.record(z.string(), z.unknown())).max(1000).default([]),
      /** Results that are in the conversation since the message: text of an unknown tool, or a call and its result, or several. */
      after: z
        .union(
          [
            z.string().transform((result) => [{ tool: "unknown_tool", result, arguments: {} }]),
            earlier().array().max(MAX_CALLS),
            earlier().transform((one) => [one]),
          ],
          "must be a text, or `{ tool, result, arguments? }`, or a list of these",
        )
        .optional(),
      /** What the model calls, in order. */
      calls: z
        .array(z.strictObject({ name: z.string().min(1).max(128), arguments: args().default({}) }))
        .max(MAX_CALLS)
        .default([]),
      /** A document in place of the one in force. */
      policy: z.unknown().optional(),
      connections: z.array(z.string().min(1).max(128)).max(64).default([]),
      authenticated: z.boolean().default(true),
    }),
  ),
  example: '`{ "user": "…", "role"?, "mode"?, "tools"?, "after"?, "calls"?, "policy"? }`',
  numbers: "nearest",
} as const;

const earlier = () =>
  z.strictObject({ tool: z.string().min(1).max(128), result: z.string(), arguments: args().default({}) });

type SimulateBody = z.output<ReturnType<(typeof simulateBody)["schema"]>>;

export async function simulatePolicy(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const tenant = c.req.param("tenant") ?? "";
  const read = await readJson(c.req.raw, MAX_BYTES, simulateBody);
  if (!read.ok) return read;
  const body = read.value;
  const policy = await policyFor(deps, tenant, body.policy);
  if (!policy.ok) return policy;
  const principal = principalFor(tenant, body, policy.value);
  if (!principal.ok) return principal;
  const refused = body.mode === undefined ? undefined : checkMode(body.mode, policy.value, principal.value);
  if (refused) return err(refused);
  const conversation = await conversationFor(deps, body, policy.value, principal.value, c.req.raw.signal);
  if (!conversation.ok) return conversation;
  const { detector, tools, now } = deps;
  const simulation = await simulateTurn({ detector, tools, now }, conversation.value);
  return ok(simulationView(simulation, conversation.value, body.policy === undefined));
}

function principalFor(
  tenant: string,
  { role, connections, authenticated }: SimulateBody,
  { roles }: CompiledPolicy,
): Result<Principal, Problem> {
  const named = role ?? roles[0] ?? "";
  if (!roles.includes(named))
    return err(badRequest("role", `\`role\` must be one of the policy's: ${roles.join(", ")}`));
  return ok({ tenant, user: "simulated", role: named, authenticated, connections });
}

async function conversationFor(
  deps: Deps,
  body: SimulateBody,
  inForce: CompiledPolicy,
  principal: Principal,
  signal: AbortSignal,
): Promise<Result<SimulatedConversation, Problem>> {
  const userMessage: JsonObject = { role: "user", content: body.user };
  const inputFor = async (messages: readonly JsonObject[]): Promise<Result<TurnInput, Problem>> => {
    const wire = { model: "simulated", messages, ...(body.tools.length > 0 ? { tools: body.tools } : {}) };
    const request = readChatRequest(wire, false);
    if (!request.ok) return err(problemOf(request.error));
    const input = await chatTurnInput(deps.tools, inForce, principal, request.value);
    if (!input.ok) return err(problemOf(input.error));
    const text = JSON.stringify(wire);
    return ok({
      ...input.value,
      id: newId("turn", deps.now()),
      principal,
      includeRuns: false,
      digest: sha256Hex(text),
      clientRetry: false,
      sessionId: "simulated",
      mode: body.mode,
      reset: false,
      work: workForBody(text.length),
      channel: inForce.confirmation.channel,
      headers: {},
      signal,
    });
  };
  const begins = await inputFor([userMessage]);
  if (!begins.ok) return begins;
  const calls = body.calls.map(({ name, arguments: given }, index) => modelCall(`call_${index + 1}`, name, given));
  if (!body.after) return ok({ begins: begins.value, calls });
  const after = body.after.map(({ tool, result, arguments: given }, index) => ({
    call: modelCall(`earlier_${index + 1}`, tool, given),
    result,
  }));
  const input = await inputFor([userMessage, ...after.flatMap(({ call, result }) => exchange(call, result))]);
  if (!input.ok) return input;
  const earlierCalls = after.map(({ call: { id, name } }) => ({
    callId: id,
    tool: name,
    families: [...traitsOf(input.value.policy, name).families],
  }));
  return ok({ begins: begins.value, continues: { input: input.value, earlier: earlierCalls }, calls });
}

const modelCall = (id: string, name: string, given: unknown) => ({
  id,
  name,
  arguments: typeof given === "string" ? given : JSON.stringify(given),
  extra: undefined,
});

const exchange = (call: ReturnType<typeof modelCall>, result: string): JsonObject[] => [
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: call.id, type: "function", function: { name: call.name, arguments: call.arguments } }],
  },
  { role: "tool", tool_call_id: call.id, content: result },
];
