/** What people say to assistants in general, in five languages: what the trainer shows a model beside the policy's own examples. */
import { NO_TALK, type Talk } from "../../intent/semantic/background.ts";
import { type Assets, loadAsset } from "./vectors-asset.ts";

export const TALK_ASSET = "talk.json";

/** Nothing where the deployment does not have it: then mere mentions are distinguished from requests less well. */
export async function loadTalk(assets: Assets | undefined): Promise<Talk> {
  const bytes = await loadAsset(assets, TALK_ASSET);
  return bytes === undefined ? NO_TALK : readTalk(bytes);
}

export const readTalk = (bytes: ArrayBuffer): Talk => JSON.parse(new TextDecoder().decode(bytes)) as Talk;
