/** Small policies, and the word vectors that ship. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readSemantic } from "../../../src/intent/semantic/semantic-model.ts";
import { trainSemantic } from "../../../src/intent/semantic/train.ts";
import { readVectors } from "../../../src/intent/semantic/vectors.ts";
import type { TrainingIntent } from "../../../src/intent/training-set.ts";

export const folder = fileURLToPath(new URL("../../../assets/", import.meta.url).href);
export const assetBytes = (): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(`${folder}vectors.bin`));

const read = readVectors(assetBytes().buffer);
if (!read.ok) throw new Error(read.error);
export const vectors = read.value;

export const intent = (
  name: string,
  examples: string[],
  keywords: string[] = [],
  description = "",
): TrainingIntent => ({
  name,
  description,
  keywords,
  examples,
});

export const assistant = [
  intent(
    "TAKE_NOTE",
    ["jot this down for later", "save a summary of that", "make a note"],
    ["write down"],
    "write something down",
  ),
  intent("SEARCH", ["find papers about graph theory", "look up recent articles", "search the library for novels"]),
  intent("SEND_MAIL", ["email bob the report", "send a message to my team", "write a mail to alice"]),
  intent("CALENDAR", ["schedule a meeting tomorrow", "what is on my calendar", "move my appointment to friday"]),
  intent("PAY", ["pay my electricity bill", "transfer fifty dollars to my landlord", "settle the invoice"]),
];

export function modelOf(intents: readonly TrainingIntent[]) {
  const model = readSemantic(trainSemantic(intents, vectors), vectors);
  if (!model.ok) throw new Error(model.error);
  return model.value;
}
