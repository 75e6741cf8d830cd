/** What ships with the gateway as static assets: word vectors, everyday sentences, trained models. Dictionaries: `languages-asset.ts`. */
import { NO_TALK, type Talk } from "../../intent/semantic/background.ts";
import { readVectors, type WordVectors } from "../../intent/semantic/vectors.ts";
import { sha256Hex } from "../../lib/digest.ts";
import type { BytesKv } from "./compiled-models.ts";

/** What is used of the binding `ASSETS`. */
export interface Assets {
  fetch(url: string): Promise<Response>;
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

/** The word vectors: read once an isolate, and only where a policy needs them. */
export const VECTORS_ASSET = "vectors.bin";

/** Throws where the asset is not there, or not one that this version reads. */
export async function loadVectors(assets: Assets | undefined): Promise<WordVectors> {
  const bytes = await loadAsset(assets, VECTORS_ASSET);
  if (bytes === undefined) throw new Error(`there is no asset ${VECTORS_ASSET}`);
  return mustReadVectors(bytes);
}

/** Throws where the bytes are no word vectors. */
export function mustReadVectors(bytes: ArrayBuffer): WordVectors {
  const vectors = readVectors(bytes);
  if (!vectors.ok) throw new Error(`the asset ${VECTORS_ASSET}: ${vectors.error}`);
  return vectors.value;
}

/** What people say to assistants in general, in five languages: what the trainer shows a model beside the policy's own examples. */
export const TALK_ASSET = "talk.json";

/** Nothing where the deployment does not have it: then mere mentions are distinguished from requests less well. */
export async function loadTalk(assets: Assets | undefined): Promise<Talk> {
  const bytes = await loadAsset(assets, TALK_ASSET);
  return bytes === undefined ? NO_TALK : readTalk(bytes);
}

export const readTalk = (bytes: ArrayBuffer): Talk => JSON.parse(new TextDecoder().decode(bytes)) as Talk;

/**
 * Trained models that ship with the gateway: that of the built-in policy, so that its first message is understood.
 * @param key as in KV; the file holds what KV would hold under it.
 */
export const shippedFile = (key: string): string => `model.${sha256Hex(key).slice(0, 16)}.bin`;

/** KV first; what it does not have may ship. */
export function withShipped(kv: Pick<BytesKv, "get">, assets: Assets | undefined): Pick<BytesKv, "get"> {
  return {
    async get(key, type) {
      const stored = await kv.get(key, type);
      return stored ?? (assets && (await loadAsset(assets, shippedFile(key)))) ?? null;
    },
  };
}
