/** Whether a message only asks about an act ("who cancelled today?", "how do I cancel?") although the intent is to do it. Pure. */
import { once } from "../../lib/once.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { DetectedIntent } from "../detection.ts";
import { isMereQuestion, isOnlyQuestions } from "./mere-questions.ts";

/** An intent with fewer examples shows too little of its purpose. */
const ENOUGH_EXAMPLES = 10;
/** From this share of an intent's examples on, such questions are its purpose. */
const WELCOMES_AT = 0.03;

/** A policy's intents never change. Reading one's examples takes a millisecond. */
const welcoming = new WeakMap<CompiledPolicy, Map<string, boolean>>();

/** The verdict of a model is not doubted. */
export function asksAbout(policy: CompiledPolicy, text: string): (intent: DetectedIntent) => boolean {
  const asks = once(() => isOnlyQuestions(text));
  return ({ name, layer }) => layer !== "model" && layer !== "fallback" && asks() && !welcomesQuestions(policy, name);
}

/** Whether the intent's own examples show that it is for questions; also true if it has few examples. */
export function welcomesQuestions(policy: CompiledPolicy, name: string): boolean {
  const known = welcoming.get(policy) ?? new Map<string, boolean>();
  welcoming.set(policy, known);
  const before = known.get(name);
  if (before !== undefined) return before;
  const examples = policy.intents.get(name)?.examples ?? [];
  const questions = examples.filter(isMereQuestion).length;
  const found = examples.length < ENOUGH_EXAMPLES || questions >= WELCOMES_AT * examples.length;
  known.set(name, found);
  return found;
}
