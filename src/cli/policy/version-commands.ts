/** The commands on versions of a tenant's policy: `policy versions`, `policy rollback VERSION`. */
import { parseArgs } from "node:util";
import { visible } from "../../lib/text/visible-text.ts";
import { readGatewayAddress } from "../gateway-client.ts";
import { listVersions, readVersion, rollBackTo, wholeVersion } from "./admin-client.ts";
import { fail, type Output } from "./command.ts";
import { remoteOptions } from "./remote-options.ts";
import { shortVersion } from "./version-text.ts";

export const versionsUsage = "versions [--gateway URL] [--tenant T]";
export const rollbackUsage = "rollback VERSION [--gateway URL] [--tenant T] [--dry-run]";

/** Lists them, the newest first. */
export async function versionsCommand(args: readonly string[], out: Output): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options: remoteOptions, allowPositionals: true });
  if (positionals.length > 0) return out.usage(versionsUsage);
  const gateway = readGatewayAddress(values.gateway, process.env);
  if (!gateway.ok) return fail(out, gateway.error);
  const versions = await listVersions(gateway.value, values.tenant);
  if (!versions.ok) return fail(out, versions.error);
  for (const { version, action, created_at: at, created_by: by, in_force: inForce } of versions.value) {
    const parts = [shortVersion(version), at, action, by === null ? "" : `by ${by}`, inForce ? "in force" : ""];
    out.print(visible(parts.filter((part) => part !== "").join("  ")));
  }
  if (versions.value.length === 0)
    out.print(`the embedded policy is in force for tenant \`${values.tenant}\`, and no other was`);
  return 0;
}

/** Puts an earlier version into force again, if the one in force is still the one that was read a moment before. */
export async function rollbackCommand(args: readonly string[], out: Output): Promise<number> {
  const options = { ...remoteOptions, "dry-run": { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [wanted, ...more] = positionals;
  if (wanted === undefined || more.length > 0) return out.usage(rollbackUsage);
  const gateway = readGatewayAddress(values.gateway, process.env);
  if (!gateway.ok) return fail(out, gateway.error);
  const { tenant, "dry-run": dryRun = false } = values;
  const version = await wholeVersion(gateway.value, tenant, wanted);
  if (!version.ok) return fail(out, version.error);
  const current = await readVersion(gateway.value, tenant);
  if (!current.ok) return fail(out, current.error);
  const { version: seen } = current.value;
  const written = await rollBackTo(gateway.value, tenant, version.value, { dryRun, seen });
  if (!written.ok) return fail(out, written.error);
  const [before, after] = [shortVersion(seen), shortVersion(version.value)];
  if (dryRun) out.print(`dry run: version ${after} would take the place of ${before} for tenant \`${tenant}\``);
  else
    out.print(
      `version ${after} is in force again for tenant \`${tenant}\`, in the place of ${before}; it reaches everybody within two minutes`,
    );
  return 0;
}
