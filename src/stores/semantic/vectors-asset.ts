/** The word vectors that ship with the gateway: a static asset, read once an isolate, and only where a policy needs them. */
import { readVectors, type WordVectors } from "../../intent/semantic/vectors.ts";

/** What is used of the binding `ASSETS`. */
export interface Assets {
  fetch(url: string): Promise<Response>;
}

export const VECTORS_ASSET = "vectors.bin";

/** Throws where the asset is not there, or not one that this version reads. */
export async function loadVectors(assets: Assets | undefined): Promise<WordVectors> {
  if (assets === undefined) throw new Error("there is no binding ASSETS");
  // The binding looks at the path alone.
  const response = await assets.fetch(`https://assets.invalid/${VECTORS_ASSET}`);
  if (!response.ok) throw new Error(`the asset ${VECTORS_ASSET} answers ${response.status}`);
  return mustReadVectors(await response.arrayBuffer());
}

/** Throws where the bytes are no word vectors. */
export function mustReadVectors(bytes: ArrayBuffer): WordVectors {
  const vectors = readVectors(bytes);
  if (!vectors.ok) throw new Error(`the asset ${VECTORS_ASSET}: ${vectors.error}`);
  return vectors.value;
}
