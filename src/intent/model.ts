/**
 * The layer `model`: one question to a language model, answered with the verdict of reference/intent-guard.md 4.2. Reads
 * the user's words alone, and as data: whatever they say, all that comes back is the name of one of the policy's intents.
 * Unparsable, slow, failed, or a label that the policy does not have: the layer is missed, and what the others said stands.
 */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { startDeadline } from "../lib/deadline.ts";
import { log } from "../lib/log.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import type { DetectedIntent } from "./detection.ts";
import { NONE, readVerdict, verdictPrompt } from "./model-verdict.ts";
import type { Answer, Asking, Question, SlowLayer } from "./slow-layer.ts";

/** The model to ask for one request, or undefined where there is none. */
export type ModelForDetection = (asking: Asking | undefined) => LanguageModelV4 | undefined;

export function modelLayer(modelFor: ModelForDetection): SlowLayer {
  return (question) => {
    const model = modelFor(question.asking);
    return model === undefined ? { missed: "unconfigured" } : ask(model, question);
  };
}

async function ask(model: LanguageModelV4, { policy, clauses, signal }: Question): Promise<Answer> {
  const deadline = startDeadline(policy.detection.modelTimeoutMs, signal);
  try {
    const { system, user } = verdictPrompt(policy, clauses);
    const asking = model.doGenerate({
      prompt: [
        { role: "system", content: system },
        { role: "user", content: [{ type: "text", text: user }] },
      ],
      abortSignal: deadline.signal,
    });
    const { content, usage } = await deadline.race(Promise.resolve(asking));
    log("info", "intent_model_asked", {
      policy: policy.version,
      tokens_input: usage.inputTokens.total,
      tokens_output: usage.outputTokens.total,
    });
    return answerOf(policy, content.map((part) => (part.type === "text" ? part.text : "")).join(""));
  } catch {
    return { missed: deadline.ended === "timeout" ? "late" : "failed" };
  } finally {
    deadline.stop();
  }
}

function answerOf(policy: CompiledPolicy, text: string): Answer {
  const verdict = readVerdict(text);
  if (verdict === undefined) return { missed: "unreadable" };
  const { label, confidence, reason } = verdict;
  if (label === NONE) return { guesses: [] };
  if (!policy.intents.has(label)) return { missed: "unreadable" };
  const evidence = [{ layer: "model" as const, source: reason, text: "", at: 0 }];
  const guess: DetectedIntent = { name: label, confidence, layer: "model", evidence };
  return { guesses: [guess] };
}
