/** The gateway's static assets: word vectors, everyday sentences, trained models. Dictionaries: `languages-asset.ts`. */
import { NO_TALK, type Talk } from "../../intent/semantic/background.ts";
import { readVectors, type WordVectors } from "../../intent/semantic/vectors.ts";
import { sha256Hex } from "../../lib/digest.ts";
import type { BytesKv } from "./compiled-models.ts";

/** What is used of the binding `ASSETS`. */
export interface Assets {
  fetch(url: string): Promise<Response>;
}

/** Undefined if there is no such asset. Throws if it cannot be read. */
export async function loadAsset(assets: Assets | undefined, file: string): Promise<ArrayBuffer | undefined> {
  if (assets === undefined) throw new Error("there is no binding ASSETS");
  // The binding reads only the path.
  const response = await assets.fetch(`https://assets.invalid/${file}`);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`the asset ${file} answers ${response.status}`);
  return response.arrayBuffer();
}

/** The word vectors: read once an isolate, and only if a policy needs them. */
export const VECTORS_ASSET = "vectors.bin";

/** Throws if the asset is not there, or not one that this version reads. */
export async function loadVectors(assets: Assets | undefined): Promise<WordVectors> {
  const bytes = await loadAsset(assets, VECTORS_ASSET);
  if (bytes === undefined) throw new Error(`there is no asset ${VECTORS_ASSET}`);
  return mustReadVectors(bytes);
}

/** Throws if the bytes are no word vectors. */
export function mustReadVectors(bytes: ArrayBuffer): WordVectors {
  const vectors = readVectors(bytes);
  if (!vectors.ok) throw new Error(`the asset ${VECTORS_ASSET}: ${vectors.error}`);
  return vectors.value;
}

/** What people generally say to assistants, in five languages: the trainer shows it to a model beside the policy's own examples. */
export const TALK_ASSET = "talk.json";

/** Empty if the deployment does not have it: then mere mentions are distinguished from requests less well. */
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

/** KV first; a missing model may be among the assets. */
export function withShipped(kv: Pick<BytesKv, "get">, assets: Assets | undefined): Pick<BytesKv, "get"> {
  return {
    async get(key, type) {
      const stored = await kv.get(key, type);
      return stored ?? (assets && (await loadAsset(assets, shippedFile(key)))) ?? null;
    },
  };
}
