/** The semantic layer, told nothing but examples: the intents' names are numbers, for the sets' names would give them away. */
import { readFileSync } from "node:fs";
import { readSemantic } from "../../../src/intent/semantic/semantic-model.ts";
import { trainSemantic } from "../../../src/intent/semantic/train.ts";
import type { WordVectors } from "../../../src/intent/semantic/vectors.ts";
import type { TrainingIntent } from "../../../src/intent/training-set.ts";
import { mustReadVectors, readTalk, TALK_ASSET, VECTORS_ASSET } from "../../../src/stores/semantic/assets.ts";
import { languageAsset, languageLoader } from "../../../src/stores/semantic/languages-asset.ts";
import { type Contender, intentsOf } from "./classifier.ts";
import type { Labelled } from "./data-sets.ts";

const detectionLanguages = ["de", "en", "es", "fr", "ja", "zh"] as const;
const folder = new URL("../../../assets/", import.meta.url);
export const assetFiles = [VECTORS_ASSET, ...detectionLanguages.map(languageAsset)];
export const readAsset = (file: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(new URL(file, folder)));

/** The vectors and all dictionaries, as a policy has them by default. */
export const loadVectors = (): Promise<WordVectors> =>
  languageLoader(async (file) => readAsset(file).buffer).load(
    mustReadVectors(readAsset(VECTORS_ASSET).buffer),
    detectionLanguages,
  );

export const talk = readTalk(readAsset(TALK_ASSET).buffer);

/** @param named with the intents' own names; else with numbers, for the names give much away. */
export function trainingIntents(examples: Labelled, named: boolean): readonly TrainingIntent[] {
  return intentsOf(examples).map((name, i) => ({
    name: named ? name : `${i}`,
    description: "",
    keywords: [],
    examples: examples.filter(([, intent]) => intent === name).map(([text]) => text),
  }));
}

export function toolgate(vectors: WordVectors, named: boolean): Contender {
  return {
    name: named ? "toolgate, told the names" : "toolgate",
    train: (examples) => {
      const names = intentsOf(examples);
      const intents = trainingIntents(examples, named);
      const bytes = trainSemantic(intents, vectors, talk);
      const model = readSemantic(bytes, vectors);
      if (!model.ok) throw new Error(model.error);
      const nameOf = new Map(intents.map(({ name }, i) => [name, names[i] ?? ""]));
      return {
        bytes: bytes.length,
        selectAt: model.value.selectAt,
        guess: (text) => {
          const [best] = model.value.classify(text);
          return best && { intent: nameOf.get(best.name) ?? "", sure: best.confidence };
        },
      };
    },
  };
}
