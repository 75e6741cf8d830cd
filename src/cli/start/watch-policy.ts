/** Puts the policy's file in force when it is saved: a valid one with what it changes, an invalid one never. */
import { watchFile } from "node:fs";
import { type GatewayAddress, inForce, putPolicy } from "../policy/admin-client.ts";
import { changeSummary } from "../policy/change-text.ts";
import { warningTexts } from "../policy/update-text.ts";
import { builtInPolicy, type PolicyFile, readPolicyFile, shownPath } from "../policy-file.ts";
import type { Settings } from "../settings.ts";
import { remember } from "./local-state.ts";
import { policyWarnings } from "./policy-warnings.ts";

/** A file is looked at so often: systems tell of changes differently, and editors replace files. */
const EVERY_MS = 300;
const tenant = "default";

/** @param started what the file held when the gateway was started. */
export function watchPolicy(settings: Settings, started: PolicyFile): void {
  const path = settings.policyPath ?? builtInPolicy;
  const watched = { settings, path, name: shownPath(path), digest: started.digest };
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
  /** Of what the file last put in force. */
  digest: string;
}

async function putInForce(watched: WatchedPolicy): Promise<void> {
  const { settings, path, name } = watched;
  const read = await readPolicyFile(path);
  if (!read.ok) return stays(name, read.error);
  const { digest, text } = read.value;
  if (digest === watched.digest) return;
  const gateway: GatewayAddress = {
    url: `http://127.0.0.1:${settings.port}`,
    key: "tg-dev-admin",
    keyFrom: "the development key",
  };
  const current = await inForce(gateway, tenant);
  if (!current.ok) return stays(name, current.error);
  const { version } = current.value;
  // Nobody named this file: what an operator has put in force since goes before it.
  if (settings.policyPath === undefined && version !== null && version !== watched.digest)
    return stays(name, ["another policy was put through /admin/policies/default"]);
  const update = await putPolicy(gateway, tenant, JSON.parse(text), { dryRun: false, seen: version });
  if (!update.ok) return stays(name, update.error);
  watched.digest = digest;
  remember(settings.stateFolder, { policy: digest });
  const { changes, warnings } = update.value;
  const told = [
    ...changeSummary(changes),
    ...warningTexts(warnings).map((warning) => `warning: ${warning}`),
    ...policyWarnings({ ...read.value, warnings: [] }, settings.bindings),
  ];
  console.log([`${name} was saved: version ${digest.slice(0, 12)} is in force`, ...told].join("\n  "));
}

/** The errors name the file where it is at fault. */
function stays(name: string, errors: readonly string[]): void {
  console.error([`${name} was saved, but the policy in force stays:`, ...errors].join("\n  "));
}
