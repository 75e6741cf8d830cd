/**
 * `POST /v1/intents/detect`: what a turn would detect in a text, and why, for those who write policies. Nothing is kept of
 * it and no session moves. It tells of every intent, also of those that the asker's role could never act under: their
 * names are no secret (the handshake tells them to the model), and where one hides, its author could not see why.
 */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import type { DetectedIntent, Detection, Evidence } from "../../intent/detection.ts";
import { fillArguments } from "../../intent/entities/fill-arguments.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { deriveState } from "../../session/state.ts";
import { MAX_MODEL, parseBody } from "../../wire/chat-request.ts";
import { isObject } from "../../wire/read-chunk.ts";
import { userWordsIn } from "../../wire/user-words.ts";
import type { AppEnv } from "../app-env.ts";
import { readLargeText } from "../chat/large-body.ts";
import { clientUpstreamKey } from "../chat/upstream-key.ts";
import { loadServedPolicy } from "../load-policy.ts";
import { namePolicy } from "../policy-header.ts";
import { badRequest, type Problem, problemResponse } from "../problem.ts";

interface Asked {
  readonly text: string;
  /** Whose arguments are wanted: a tool that the policy has `parameters` for, or a definition as clients send it. */
  readonly tool?: { readonly name: string; readonly parameters?: unknown };
  /** As a chat would name it; the layer `model` may need it. */
  readonly model?: string;
}

export async function detectIntents(c: Context<AppEnv>, deps: Deps): Promise<Response> {
  const body = await readLargeText(c, deps);
  if (!body.ok) return problemResponse(body.error);
  const asked = readAsked(body.value);
  if (!asked.ok) return problemResponse(asked.error);
  const served = await loadServedPolicy(deps, c.var.principal.tenant, c.var.watch);
  if (!served.ok) return problemResponse(served.error);
  const { policy } = served.value;
  const schema = schemaOf(policy, asked.value);
  if (!schema.ok) return problemResponse(schema.error);
  const key = clientUpstreamKey(c.req.raw.headers, deps.access.clientUpstreamKeys);
  if (!key.ok) return problemResponse(key.error);
  const { text, model } = asked.value;
  // The client's own key pays also where the gateway names the model.
  const asking = { model, headers: key.value };
  const detection = await deps.detector.detect(policy, userWordsIn(text) ?? "", c.req.raw.signal, asking);
  const tool = asked.value.tool?.name ?? primaryTool(policy, detection);
  const parameters = asked.value.tool ? schema.value : tool && policy.tools.get(tool)?.parameters;
  const filled = parameters && { tool, values: fillArguments(parameters, detection.entities, workBudget()) };
  return namePolicy(Response.json({ ...present(detection, policy), arguments: filled ?? null }), served.value);
}

function readAsked(text: string): Result<Asked, Problem> {
  // A schema's numbers are to be plain ones.
  const body = parseBody(text, false);
  if (!body.ok) return err(badRequest(undefined, body.error.message, body.error.code));
  const { text: message, tool, model, ...others } = body.value;
  if (typeof message !== "string" || message === "") {
    return err(badRequest("text", "`text` must be a non-empty string: the user's message"));
  }
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    return err(
      badRequest(unknown.slice(0, 100), "only `text`, `tool` and `model` can be sent", "unsupported_parameter"),
    );
  }
  if (model != null && !isModelName(model)) {
    return err(badRequest("model", `\`model\` must be what a chat would name: text of 1 to ${MAX_MODEL} characters`));
  }
  const told = { text: message, model: model ?? undefined };
  if (tool == null) return ok(told);
  if (typeof tool === "string") return ok({ ...told, tool: { name: tool } });
  const definition = isObject(tool) && tool.type === "function" && isObject(tool.function) ? tool.function : undefined;
  if (definition === undefined || typeof definition.name !== "string") {
    return err(badRequest("tool", "`tool` must be a tool's name, or its definition as in a chat completion's `tools`"));
  }
  return ok({ ...told, tool: { name: definition.name, parameters: definition.parameters } });
}

const isModelName = (model: unknown): model is string =>
  typeof model === "string" && model !== "" && model.length <= MAX_MODEL && model.isWellFormed();

/** As in a turn, the policy's `parameters` take the place of the client's. */
function schemaOf(policy: CompiledPolicy, { tool }: Asked): Result<unknown, Problem> {
  if (tool === undefined) return ok(undefined);
  const schema = policy.tools.get(tool.name)?.parameters ?? tool.parameters;
  if (schema != null) return ok(schema);
  const message = `the policy has no \`parameters\` for \`${tool.name.slice(0, 128)}\`: send the tool's whole definition`;
  return err(badRequest("tool", message));
}

/** Of the first intent that has one. */
function primaryTool(policy: CompiledPolicy, { intents }: Detection): string | undefined {
  return intents.map(({ name }) => policy.intents.get(name)?.primaryTool).find((tool) => tool !== undefined);
}

function present(detection: Detection, policy: CompiledPolicy): Record<string, unknown> {
  const [best] = detection.intents;
  const { select, selectAt } = policy.handshake;
  const confident = detection.intents.filter(
    ({ name, confidence }) => confidence >= selectAt && policy.intents.has(name),
  );
  const selected = select === "model" ? [] : confident.map(({ name }) => name);
  return {
    object: "intent.detection",
    intent: best?.name ?? null,
    confidence: best?.confidence ?? null,
    intents: detection.intents.map(presentIntent),
    discounted: detection.discounted.map(presentIntent),
    follow_up: detection.followUp,
    entities: detection.entities.map(({ name, value, text, at, redact }) => ({ name, value, text, at, redact })),
    missed: detection.missed,
    // In a session that holds nothing yet.
    would_select: selected,
    state: deriveState({ select, intents: selected, modelCalled: true }),
  };
}

function presentIntent({ name, confidence, layer, evidence }: DetectedIntent): Record<string, unknown> {
  return { name, confidence, layer, evidence: evidence.map(presentEvidence) };
}

function presentEvidence({ layer, source, text, at, discounted }: Evidence): Record<string, unknown> {
  return { layer, source, text, at, discounted };
}
