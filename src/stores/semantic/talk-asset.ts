/** Everyday talk that asks for nothing, in five languages: what the trainer shows a model beside the policy's own examples. */
import { type Assets, loadAsset } from "./vectors-asset.ts";

export const TALK_ASSET = "talk.json";

/** Empty where the deployment does not have it: then mere mentions are told from requests less well. */
export async function loadTalk(assets: Assets | undefined): Promise<readonly string[]> {
  const bytes = await loadAsset(assets, TALK_ASSET);
  return bytes === undefined ? [] : readTalk(bytes);
}

export const readTalk = (bytes: ArrayBuffer): readonly string[] =>
  JSON.parse(new TextDecoder().decode(bytes)) as readonly string[];
