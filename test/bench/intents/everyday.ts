/**
 * Whether detection hears what people ask for, and nothing else: sentences that were written by people who knew the policies' descriptions
 * alone, over the shipped policies, in five languages. Half of them are held back (`sentences/held`), and looked at once, at the end. Those of
 * `sentences/later` and `strangers`, and the halves of each that are held back, came later; they are read with `--sentences`.
 *
 * Figures, as DESIGN.md means them: a message *unlocks* an intent where the session would hold it after the message, and the intent permits tools.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { trainingAssets } from "../../../src/cli/models/trained-model.ts";
import { createDetector } from "../../../src/intent/detect.ts";
import type { Detection } from "../../../src/intent/detection.ts";
import { answerOf, readSemantic, type SemanticModel } from "../../../src/intent/semantic/semantic-model.ts";
import { trainSemantic } from "../../../src/intent/semantic/train.ts";
import type { WordVectors } from "../../../src/intent/semantic/vectors.ts";
import { trainingSetOf } from "../../../src/intent/training-set.ts";
import { checkPolicy } from "../../../src/policy/check.ts";
import type { CompiledPolicy } from "../../../src/policy/compile.ts";
import type { DetectorPort } from "../../../src/ports/detector-port.ts";
import { applyIntentChange, intentChangeOf, NO_TASK } from "../../../src/session/task.ts";

export interface Sentence {
  readonly policy: string;
  readonly language: string;
  readonly kind: string;
  readonly text: string;
  /** Intents that the user asks for. */
  readonly expect?: readonly string[] | "keep" | "change";
  /** Intents that may be found as well. */
  readonly may?: readonly string[];
  readonly refuses?: readonly string[];
  readonly held?: readonly string[];
  readonly assistant?: string;
  readonly intents?: readonly string[];
}

export interface Heard {
  readonly sentence: Sentence;
  readonly detection: Detection;
  /** What the session holds after the message. */
  readonly selected: readonly string[];
  /** Of those, the ones that permit tools. */
  readonly unlocked: readonly string[];
}

export const halves = { open: "sentences/open", held: "sentences/held" } as const;

export const at = (path: string) => fileURLToPath(new URL(path, import.meta.url).href);

/** @param folder its `.jsonl` files have a sentence a line: the bench's own, or an operator's. */
export function readSentences(folder: string): readonly Sentence[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
  return files.flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Sentence),
  );
}

export type TrainingAssets = Awaited<ReturnType<typeof trainingAssets>>;

export interface Subject {
  readonly policy: CompiledPolicy;
  readonly detector: DetectorPort;
}

/** A shipped policy, with its trained layer where it has one. Training takes some seconds. */
export function subjectOf(name: string, assets: TrainingAssets): Subject {
  const path = at(`../../../policies/${name}.json`);
  if (!existsSync(path)) throw new Error(`there is no policy ${name}`);
  const checked = checkPolicy(JSON.parse(readFileSync(path, "utf8")), name);
  if (!checked.ok) throw new Error(`${name}: ${JSON.stringify(checked.error)}`);
  return subjectWith(checked.value.policy, assets);
}

/** A policy with its trained layer, where it has one. */
export function subjectWith(policy: CompiledPolicy, { vectors, talk }: TrainingAssets): Subject {
  const set = trainingSetOf(policy);
  const model: SemanticModel | undefined = set && modelOf(trainSemantic(set.intents, vectors, talk), vectors);
  const detector = createDetector({
    slow: {
      semantic: async (request) => (model ? answerOf(model, request) : { missed: "absent" }),
      model: async () => ({ missed: "unconfigured" }),
    },
    onMissed: (layer, why, error) => {
      if (layer !== "model") throw new Error(`${layer}: ${why}`, { cause: error });
    },
  });
  return { policy, detector };
}

function modelOf(bytes: Uint8Array, vectors: WordVectors): SemanticModel {
  const read = readSemantic(bytes, vectors);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

export async function hear({ policy, detector }: Subject, sentence: Sentence): Promise<Heard> {
  const detection = await detector.detect(
    policy,
    { text: sentence.text, assistant: sentence.assistant },
    new AbortController().signal,
  );
  const { select } = policy.handshake;
  const knows = (name: string) => policy.intents.has(name);
  const change = intentChangeOf({ newMessage: true, detection, select, knows });
  const held = (sentence.held ?? []).filter(knows);
  const { intents } = applyIntentChange({ intents: held, taskState: { ...NO_TASK, detected: held } }, change, [], 1);
  const { fallback } = policy.detection;
  const selected = intents.filter((name) => name !== fallback);
  return { sentence, detection, selected, unlocked: selected.filter((name) => permitsTools(policy, name)) };
}

export function permitsTools({ intents }: CompiledPolicy, name: string): boolean {
  const intent = intents.get(name);
  return intent?.noTools !== true;
}
