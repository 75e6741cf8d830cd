/** The semantic layer, told nothing but examples: the intents' names are numbers, for the sets' names would give them away. */
import { readFileSync } from "node:fs";
import { readSemantic } from "../../../src/intent/semantic/semantic-model.ts";
import { trainSemantic } from "../../../src/intent/semantic/train.ts";
import { readVectors, type WordVectors } from "../../../src/intent/semantic/vectors.ts";
import { type Contender, intentsOf } from "./classifier.ts";

export const assetPath = new URL("../../../assets/vectors.bin", import.meta.url);

export function loadVectors(): WordVectors {
  const read = readVectors(new Uint8Array(readFileSync(assetPath)).buffer);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

export function toolgate(vectors: WordVectors, named: boolean): Contender {
  return {
    name: named ? "toolgate, told the names" : "toolgate",
    train: (examples) => {
      const names = intentsOf(examples);
      const intents = names.map((name, i) => ({
        name: named ? name : `${i}`,
        description: "",
        keywords: [],
        examples: examples.filter(([, intent]) => intent === name).map(([text]) => text),
      }));
      const bytes = trainSemantic(intents, vectors);
      const model = readSemantic(bytes, vectors);
      if (!model.ok) throw new Error(model.error);
      const nameOf = new Map(intents.map(({ name }, i) => [name, names[i] ?? ""]));
      return {
        bytes: bytes.length,
        calibrated: true,
        guess: (text) => {
          const [best] = model.value.classify(text);
          return best && { intent: nameOf.get(best.name) ?? "", sure: best.confidence };
        },
      };
    },
  };
}
