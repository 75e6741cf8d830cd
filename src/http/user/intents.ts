/**
 * `POST /v1/intents/detect`: what a turn would detect in a text, and why, for authors of policies. Nothing is stored and no session
 * changes. It returns every intent, also those that the principal's role cannot use: their names are no secret, since the handshake
 * shows them to the model, and a policy author must see why one is missing.
 */

import type { Context } from "hono";
import * as z from "zod";
import type { Deps } from "../../deps.ts";
import type { Detection } from "../../intent/detection.ts";
import { fillArguments } from "../../intent/entities/fill-arguments.ts";
import { withoutClientText } from "../../intent/user-message/without-client-text.ts";
import { once } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { MAX_MODEL } from "../../wire/chat-request.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { readLargeBody } from "../large-body.ts";
import { loadServedPolicy, namePolicy } from "../load-policy.ts";
import { badRequest, type Problem } from "../problem.ts";
import { parseJson } from "../read-json.ts";
import { clientUpstreamKey } from "../surface/upstream-headers.ts";
import { detectionView } from "./detection-view.ts";

const definition = () => z.looseObject({ name: z.string(), parameters: z.unknown().optional() });
const detectBody = {
  schema: once(() =>
    z.strictObject({
      /** The user's message. */
      text: z.string().min(1),
      /** The assistant's message that it answers. */
      assistant: z.string().nullish(),
      /** The tool whose arguments are wanted: one that the policy has `parameters` for, or a definition as clients send it. */
      tool: z
        .union(
          [
            z.string().transform((name): ToolOfRequest => ({ name })),
            z
              .looseObject({ type: z.literal("function"), function: definition() })
              .transform((tool): ToolOfRequest => tool.function),
          ],
          "must be a tool's name, or its definition as in a chat completion's `tools`",
        )
        .nullish(),
      /** As a chat would name it; the layer `model` may need it. */
      model: z
        .string()
        .min(1)
        .max(MAX_MODEL)
        .refine((model) => model.isWellFormed(), "must be well-formed text")
        .nullish(),
    }),
  ),
  example: '`{ "text": "…", "assistant"?, "tool"?, "model"? }`',
  numbers: "nearest",
} as const;

interface ToolOfRequest {
  readonly name: string;
  readonly parameters?: unknown;
}

export async function detectIntents(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const bytes = await readLargeBody(c, deps);
  if (!bytes.ok) return bytes;
  const body = parseJson(bytes.value, detectBody);
  if (!body.ok) return body;
  const { text, assistant, tool: sent, model } = body.value;
  const served = await loadServedPolicy(deps, c.var.principal.tenant, c.var.watch);
  if (!served.ok) return served;
  const { policy } = served.value;
  const schema = schemaOf(policy, sent ?? undefined);
  if (!schema.ok) return schema;
  const key = clientUpstreamKey(c.req.raw.headers, deps.access.clientUpstreamKeys);
  if (!key.ok) return key;
  // The client's own key pays also if the gateway names the model.
  const asking = { model: model ?? undefined, headers: key.value };
  const message = { text: withoutClientText(text) ?? "", assistant: assistant ?? undefined };
  const detection = await deps.detector.detect(policy, message, c.req.raw.signal, asking);
  const tool = sent?.name ?? primaryTool(policy, detection);
  const parameters = sent ? schema.value : tool && policy.tools.get(tool)?.parameters;
  const filled = parameters && { tool, values: fillArguments(parameters, detection.entities, workBudget()) };
  return ok(
    namePolicy(Response.json({ ...detectionView(detection, policy), arguments: filled ?? null }), served.value),
  );
}

/** As in a turn, the policy's `parameters` replace the client's. */
function schemaOf(policy: CompiledPolicy, tool: ToolOfRequest | undefined): Result<unknown, Problem> {
  if (tool === undefined) return ok(undefined);
  const schema = policy.tools.get(tool.name)?.parameters ?? tool.parameters;
  if (schema != null) return ok(schema);
  const message = `the policy has no \`parameters\` for \`${tool.name.slice(0, 128)}\`: send the tool's whole definition`;
  return err(badRequest("tool", message));
}

/** For the first intent that has one. */
function primaryTool(policy: CompiledPolicy, { intents }: Detection): string | undefined {
  return intents.map(({ name }) => policy.intents.get(name)?.primaryTool).find((tool) => tool !== undefined);
}
