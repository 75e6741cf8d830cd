/** Brings the local D1 and KV up to date. Each wrangler command takes about a second, so what needs none costs none. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../lib/digest.ts";
import { documentKey, pointerKey, writePointer } from "../stores/policy-pointer.ts";
import { recall, remember } from "./local-state.ts";
import { migrationFiles } from "./migration-files.ts";
import type { PolicyFile } from "./policy-file.ts";
import { root, type Settings } from "./settings.ts";
import { trainedModel } from "./trained-model.ts";
import { runWrangler } from "./wrangler.ts";

const tenant = "default";

/** As `wrangler.toml` names them, each with what is remembered of it. */
const databases = [
  { name: "toolgate-audit", folder: "src/stores/migrations", remembered: "migrations" },
  { name: "toolgate-tools", folder: "src/stores/migrations/tools", remembered: "toolsMigrations" },
] as const;

export async function migrate(settings: Settings): Promise<void> {
  for (const { name, folder, remembered } of databases) {
    const texts = migrationFiles(folder).map((file) => [file, readFileSync(join(root, folder, file), "utf8")]);
    const digest = sha256Hex(JSON.stringify(texts));
    if (recall(settings.stateFolder)[remembered] === digest) continue;
    await runWrangler(["d1", "migrations", "apply", name], settings);
    remember(settings.stateFolder, { [remembered]: digest });
  }
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
