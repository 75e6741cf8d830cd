/**
 * Asks an annotation service for the named entities of a text: one POST through the guarded fetch, its answer validated and told
 * with how sure each is. Source: reference/human-centered-tool-calling.md, "GNORM Annotate".
 */
import * as z from "zod";
import { parseExact } from "../../lib/json/exact-json.ts";
import { once } from "../../lib/once.ts";
import type { BuiltinRun, HttpRun } from "../../policy/document/run-parts.ts";
import { type ExecutionResult, failed, notStarted } from "../execution-result.ts";
import type { PreparedCall } from "../tool-runner.ts";
import { annotationsText, readAnnotations } from "./annotations.ts";
import { done, objectSchema, readArguments } from "./builtin-tool.ts";

export interface AnnotateParts {
  /** As a tool of the kind `http` is run: guarded, with bound secrets, which its answer does not tell. */
  readonly send: (call: PreparedCall, settings: HttpRun) => Promise<ExecutionResult>;
  readonly now: () => number;
}

/** Characters. */
const MAX_TEXT = 50_000;
const MAX_TYPES = 20;

const read = once(() =>
  z.object({
    text: z
      .string({ error: "`text` must be text" })
      .max(MAX_TEXT, { error: `\`text\` is longer than ${MAX_TEXT} characters` })
      .refine((text) => text.trim() !== "", { error: "`text` is empty" }),
    entity_types: z
      .array(z.string().max(100), { error: "`entity_types` must be a list of texts" })
      .max(MAX_TYPES, { error: `\`entity_types\` has more than ${MAX_TYPES} members` })
      .nullish(),
  }),
);

export const gnormDefinition = {
  description: "Annotate text with GNORM named entity recognition",
  parameters: objectSchema(
    {
      text: { type: "string", minLength: 1, maxLength: MAX_TEXT },
      entity_types: { type: ["array", "null"], items: { type: "string" }, maxItems: MAX_TYPES },
    },
    "text",
  ),
};

/** It changes nothing, so what is not known to have succeeded has failed. */
export async function runGnorm(
  { send, now }: AnnotateParts,
  call: PreparedCall,
  settings: BuiltinRun,
): Promise<ExecutionResult> {
  const { kind: _, tool: __, url, ...reach } = settings;
  if (url === undefined) return notStarted("unavailable", "the policy names no `url` of the annotation service");
  const asked = readArguments(read(), call.arguments);
  if (!asked.ok) return asked.error;
  const { text, entity_types } = asked.value;
  const startedAt = now();
  const request: HttpRun = { kind: "http", method: "POST", url, form: false, retries: 0, system: {}, ...reach };
  const ran = await send({ ...call, arguments: { text, entity_types: entity_types ?? null } }, request);
  if (ran.status === "unknown") return { ...ran, status: "failed" };
  return ran.status === "succeeded" ? told(ran, now() - startedAt) : ran;
}

function told(ran: ExecutionResult, ms: number): ExecutionResult {
  const { bytes, httpStatus } = ran;
  const found = readAnnotations(jsonOf(ran.content));
  if (!found.ok) return failed("unreadable", found.error, { bytes, httpStatus });
  const { annotations, omitted } = found.value;
  const display = annotationsText(found.value, ms);
  return { ...done({ ...(omitted > 0 ? { omitted } : {}), annotations, display }), bytes, httpStatus };
}

function jsonOf(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
