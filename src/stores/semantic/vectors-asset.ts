/** The word vectors that ship with the gateway: a static asset, read once an isolate, and only where a policy needs them. */
import { readVectors, type WordVectors } from "../../intent/semantic/vectors.ts";

/** What is used of the binding `ASSETS`. */
export interface Assets {
  fetch(url: string): Promise<Response>;
}

export const VECTORS_ASSET = "vectors.bin";

/** Throws where the asset is not there, or not one that this version reads. */
export async function loadVectors(assets: Assets | undefined): Promise<WordVectors> {
  const bytes = await loadAsset(assets, VECTORS_ASSET);
  if (bytes === undefined) throw new Error(`there is no asset ${VECTORS_ASSET}`);
  return mustReadVectors(bytes);
}

/** Undefined where there is no such asset. Throws where it cannot be read. */
export async function loadAsset(assets: Assets | undefined, file: string): Promise<ArrayBuffer | undefined> {
  if (assets === undefined) throw new Error("there is no binding ASSETS");
  // The binding looks at the path alone.
  const response = await assets.fetch(`https://assets.invalid/${file}`);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`the asset ${file} answers ${response.status}`);
  return response.arrayBuffer();
}

/** Throws where the bytes are no word vectors. */
export function mustReadVectors(bytes: ArrayBuffer): WordVectors {
  const vectors = readVectors(bytes);
  if (!vectors.ok) throw new Error(`the asset ${VECTORS_ASSET}: ${vectors.error}`);
  return vectors.value;
}
