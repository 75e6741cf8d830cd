/** Trained models that ship with the gateway, as assets: that of the built-in policy, so that its first message is understood. */
import { sha256Hex } from "../../lib/digest.ts";
import type { BytesKv } from "./compiled-models.ts";
import { type Assets, loadAsset } from "./vectors-asset.ts";

/** @param key as in KV; the file holds what KV would hold under it. */
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
