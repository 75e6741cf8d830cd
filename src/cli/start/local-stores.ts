/** Puts the policy of a start into the local KV, before the Worker reads it. */
import { join } from "node:path";
import { documentKey, pointerKey, writePointer } from "../../stores/policies/policy-source.ts";
import { trainedModel } from "../models/trained-model.ts";
import type { PolicyOnDisk } from "../policy-file.ts";
import type { Settings } from "../settings.ts";
import { noteStoredPolicy, storedPolicy } from "./local-state.ts";

const tenant = "default";

/** The folder of workerd's stores in `stateFolder`. */
export const storesIn = (stateFolder: string): string => join(stateFolder, "v3");

/**
 * A policy file is in force from this start on, whatever was put through the admin API before. Without a file, the policy that an
 * earlier start has put is removed and the embedded one is in force again; any other policy stays.
 */
export async function placePolicy({ stateFolder }: Settings, policy: PolicyOnDisk | undefined): Promise<void> {
  if (policy === undefined && storedPolicy(stateFolder) === undefined) return;
  // Noted first as neither: a start that is ended half way leaves the question open for the next.
  noteStoredPolicy(stateFolder, "unknown");
  await putPolicy(storesIn(stateFolder), policy);
  noteStoredPolicy(stateFolder, policy?.version);
}

async function putPolicy(folder: string, policy: PolicyOnDisk | undefined): Promise<void> {
  // Here and not above: most starts put nothing, and these take half a second to load.
  const { convertV4MiniflareOptions, Miniflare } = await import("miniflare");
  const { runtimeOptions } = await import("../local/miniflare.ts");
  const model = policy && (await trainedModel(policy.compiled));
  const { kvNamespaces } = (await runtimeOptions()).storage;
  const mf = new Miniflare(
    convertV4MiniflareOptions({ cf: false, modules: true, script: "", resourcePersistencePath: folder, kvNamespaces }),
  );
  try {
    const kv = await mf.getKVNamespace("KV");
    // In this order, so that nothing points to a missing version.
    if (model) await kv.put(model.key, model.value);
    if (policy) await kv.put(documentKey(policy.version), JSON.stringify(policy.input));
    await kv.put(pointerKey(tenant), writePointer({ digest: policy?.version ?? null, at: Date.now() }));
  } finally {
    await mf.dispose();
  }
}
