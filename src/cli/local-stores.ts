/** Brings the local D1 and KV up to date. Each wrangler command takes seconds, so what needs none costs none. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../lib/digest.ts";
import { documentKey, pointerKey, writePointer } from "../stores/policy-pointer.ts";
import { recall, remember } from "./local-state.ts";
import { databases, migrationFiles } from "./migration-files.ts";
import type { PolicyFile } from "./policy-file.ts";
import { root, type Settings } from "./settings.ts";
import { trainedModel } from "./trained-model.ts";
import { runWrangler } from "./wrangler.ts";

const tenant = "default";

export async function migrate({ stateFolder }: Settings): Promise<void> {
  const texts = databases.flatMap(({ binding, folder }) =>
    migrationFiles(folder).map((file) => [binding, file, readFileSync(join(root, folder, file), "utf8")]),
  );
  const migrations = sha256Hex(JSON.stringify(texts));
  if (recall(stateFolder).migrations === migrations) return;
  const { migrateIn } = await import("./migrate-databases.ts");
  await migrateIn(join(stateFolder, "v3"));
  remember(stateFolder, { migrations });
}

/**
 * With a policy file the file is in force from this start on, whatever was put through the admin API before. Without one
 * the policy of an earlier start goes and the embedded one serves again; a policy that no start put stays.
 */
export async function placePolicy(settings: Settings, policy: PolicyFile | undefined): Promise<void> {
  const { stateFolder } = settings;
  if (policy === undefined && recall(stateFolder).policy === undefined) return;
  // Remembered first as neither: a start that is ended half way leaves the question open for the next.
  remember(stateFolder, { policy: "unknown" });
  await putPolicy(settings, policy);
  remember(stateFolder, { policy: policy?.digest });
}

async function putPolicy(settings: Settings, policy: PolicyFile | undefined): Promise<void> {
  const path = join(settings.stateFolder, "toolgate", "policy-put.json");
  const pointer = writePointer({ digest: policy?.digest ?? null, at: Date.now() });
  const model = policy && trainedModel(policy.policy);
  // The order is kept: the version is there before anything points to it.
  const entries = [
    ...(model ? [{ key: model.key, value: Buffer.from(model.value).toString("base64"), base64: true }] : []),
    ...(policy ? [{ key: documentKey(policy.digest), value: policy.text }] : []),
    { key: pointerKey(tenant), value: pointer },
  ];
  writeFileSync(path, JSON.stringify(entries));
  try {
    await runWrangler(["kv", "bulk", "put", path, "--binding", "KV"], settings);
  } finally {
    rmSync(path, { force: true });
  }
}
