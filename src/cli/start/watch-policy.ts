/** Puts the policy's file in force when it is saved, and prints its changes. An invalid one is never put in force. */
import { watchFile } from "node:fs";
import { changeSummary } from "../../policy/compare/change-text.ts";
import type { GatewayAddress } from "../gateway-client.ts";
import { putPolicy, readVersion } from "../policy/admin-client.ts";
import { warningTexts } from "../policy/command.ts";
import { builtInPolicy, type PolicyOnDisk, readPolicyLines, shownPath } from "../policy-file.ts";
import type { Settings } from "../settings.ts";
import { noteStoredPolicy } from "./local-state.ts";
import { policyWarnings } from "./policy-warnings.ts";

/** The file is polled at this interval: notifications of changes differ by system, and editors replace files. */
const EVERY_MS = 300;
const tenant = "default";

/** @param started what the file held when the gateway was started. */
export function watchPolicy(settings: Settings, started: PolicyOnDisk): void {
  const path = settings.policyPath ?? builtInPolicy;
  const watched = { settings, path, name: shownPath(path), version: started.version };
  let work = Promise.resolve();
  const look = () => {
    work = work.then(() => putInForce(watched)).catch((error: Error) => console.error(error.message));
  };
  // It may have been saved while the gateway started.
  look();
  watchFile(path, { interval: EVERY_MS }, (now, before) => {
    if (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino) look();
  });
}

interface WatchedPolicy {
  readonly settings: Settings;
  readonly path: string;
  /** As messages name the file. */
  readonly name: string;
  /** The version that the file last put in force. */
  version: string;
}

async function putInForce(watched: WatchedPolicy): Promise<void> {
  const { settings, path, name } = watched;
  const read = await readPolicyLines(path);
  if (!read.ok) return stays(name, read.error);
  const { version, input } = read.value;
  if (version === watched.version) return;
  const gateway: GatewayAddress = {
    url: `http://127.0.0.1:${settings.port}`,
    key: "tg-dev-admin",
    keyFrom: "the development key",
  };
  const current = await readVersion(gateway, tenant);
  if (!current.ok) return stays(name, current.error);
  const seen = current.value.version;
  // This file was not named explicitly: a policy that an operator has put in force since has precedence.
  if (settings.policyPath === undefined && seen !== null && seen !== watched.version)
    return stays(name, ["another policy was put through /admin/policies/default"]);
  const update = await putPolicy(gateway, tenant, input, { dryRun: false, seen });
  if (!update.ok) return stays(name, update.error);
  watched.version = version;
  noteStoredPolicy(settings.stateFolder, version);
  const { changes, warnings } = update.value;
  const lines = [
    ...changeSummary(changes),
    ...warningTexts(warnings).map((warning) => `warning: ${warning}`),
    ...policyWarnings({ ...read.value, warnings: [] }, settings.bindings),
  ];
  console.log([`${name} was saved: version ${version.slice(0, 12)} is in force`, ...lines].join("\n  "));
}

/** Reports that the policy in force stays. The errors name the file if it is at fault. */
function stays(name: string, errors: readonly string[]): void {
  console.error([`${name} was saved, but the policy in force stays:`, ...errors].join("\n  "));
}
