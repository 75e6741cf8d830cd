/** Trainings without the talk that ships beside a policy's own texts: of a policy with few examples it takes most of the time. */
import { env, runInDurableObject } from "cloudflare:test";
import { trainingSetOf } from "../../../src/intent/training-set.ts";
import type { CompiledPolicy } from "../../../src/policy/compile.ts";
import { type Assets, TALK_ASSET } from "../../../src/stores/semantic/assets.ts";

export const trainer = (policy: CompiledPolicy) =>
  env.SEMANTIC_TRAINER.get(env.SEMANTIC_TRAINER.idFromName(trainingSetOf(policy)?.digest ?? ""));

const withoutTalk: Assets = {
  fetch: async (url) =>
    url.endsWith(TALK_ASSET)
      ? new Response("none", { status: 404 })
      : (env as unknown as { ASSETS: Assets }).ASSETS.fetch(url),
};

/** From now on the object that trains this policy reads these assets. */
export const givesAssets = (policy: CompiledPolicy, ASSETS: unknown): Promise<void> =>
  runInDurableObject(trainer(policy), (instance) => {
    const object = instance as unknown as { env: Record<string, unknown> };
    object.env = { ...object.env, ASSETS };
  });

export const trainsQuickly = (policy: CompiledPolicy): Promise<void> => givesAssets(policy, withoutTalk);
