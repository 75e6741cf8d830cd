/** The commands that talk to a running gateway: `policy push <file>`, `policy reset`, `policy pull`, `policy diff <file>`. */
import { parseArgs } from "node:util";
import { runBlocking } from "../../lib/concurrency.ts";
import { isLoopbackHost } from "../../lib/host.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { changeLines, changeSummary } from "../../policy/compare/change-text.ts";
import { comparing } from "../../policy/compare/compare.ts";
import { type GatewayAddress, hostOf, readGatewayAddress } from "../gateway-client.ts";
import { type PolicyOnDisk, readPolicyLines } from "../policy-file.ts";
import { missingFile } from "../read-json-file.ts";
import { type PolicyUpdate, putPolicy, readVersion, removePolicy, wholeVersion } from "./admin-client.ts";
import { developmentKeyText, fail, type Output, warningTexts, writeOut } from "./command.ts";
import { lineHunks } from "./line-differences.ts";
import { remoteOptions } from "./remote-options.ts";
import { shortVersion, sinceText } from "./version-text.ts";

export const pushUsage = "push <file> [--gateway URL] [--tenant T] [--dry-run] [--full] [--if-match VERSION]";
export const resetUsage = "reset [--gateway URL] [--tenant T]";
export const pullUsage = "pull [--gateway URL] [--tenant T] [--version VERSION] [--out FILE [--force]]";
export const diffUsage = "diff <file> [<new file>] [--gateway URL] [--tenant T] [--full]";

/** Puts a local policy into force, if the one in force is still the one that the person saw. */
export async function pushCommand(args: readonly string[], out: Output): Promise<number> {
  const options = {
    ...remoteOptions,
    "dry-run": { type: "boolean" },
    full: { type: "boolean" },
    "if-match": { type: "string" },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) return out.usage(pushUsage);
  const { tenant, "dry-run": dryRun = false, full = false, "if-match": wanted } = values;
  const local = await readLocal(file, values.gateway);
  if (!local.ok) return fail(out, local.error);
  const { policy, gateway } = local.value;
  // The push must replace what the person saw, not what somebody else has put there in the meantime.
  const current =
    wanted === undefined
      ? await readVersion(gateway, tenant)
      : await wholeVersion(gateway, tenant, wanted.replaceAll('"', ""));
  if (!current.ok) return fail(out, current.error);
  const seen = typeof current.value === "string" ? current.value : current.value.version;
  const update = await putPolicy(gateway, tenant, policy.input, { dryRun, seen });
  if (!update.ok) return fail(out, update.error);
  const { version, previous, changes, warnings } = update.value;
  for (const line of full ? changeLines(changes) : version === previous ? [] : summaryOf(changes)) out.print(line);
  for (const text of warningTexts(warnings)) out.print(`warning  ${text}`);
  // Elsewhere nobody has a development key.
  const stranded = isLoopbackHost(hostOf(gateway.url)) ? developmentKeyText(policy.document.roles) : undefined;
  if (stranded !== undefined) out.print(`warning  /roles: ${stranded}`);
  const [before, after] = [shortVersion(previous), shortVersion(version)];
  if (version === previous) out.print(`${file} is in force for tenant \`${tenant}\` already: version ${after}`);
  else if (dryRun) out.print(`dry run: version ${after} would take the place of ${before} for tenant \`${tenant}\``);
  else
    out.print(
      `version ${after} is in force for tenant \`${tenant}\`, in the place of ${before}; it reaches everybody within two minutes`,
    );
  return 0;
}

/** Puts the embedded policy into force again, if the one in force is still the one that was read a moment before. */
export async function resetCommand(args: readonly string[], out: Output): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options: remoteOptions, allowPositionals: true });
  if (positionals.length > 0) return out.usage(resetUsage);
  const gateway = readGatewayAddress(values.gateway, process.env);
  if (!gateway.ok) return fail(out, gateway.error);
  const { tenant } = values;
  const current = await readVersion(gateway.value, tenant);
  if (!current.ok) return fail(out, current.error);
  const { version } = current.value;
  if (version === null) {
    out.print(`the embedded policy is in force for tenant \`${tenant}\` already`);
    return 0;
  }
  const removed = await removePolicy(gateway.value, tenant, version);
  if (!removed.ok) return fail(out, removed.error);
  out.print(
    `the embedded policy is in force for tenant \`${tenant}\`, in the place of ${shortVersion(version)}; it reaches everybody within two minutes`,
  );
  return 0;
}

/** Writes a tenant's policy, as it is in force or as it was, to a file or to standard output. */
export async function pullCommand(args: readonly string[], out: Output): Promise<number> {
  const options = {
    ...remoteOptions,
    version: { type: "string" },
    out: { type: "string" },
    force: { type: "boolean", default: false },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (positionals.length > 0) return out.usage(pullUsage);
  const gateway = readGatewayAddress(values.gateway, process.env);
  if (!gateway.ok) return fail(out, gateway.error);
  const { tenant, out: path, force } = values;
  const version =
    values.version === undefined ? ok(undefined) : await wholeVersion(gateway.value, tenant, values.version);
  if (!version.ok) return fail(out, version.error);
  const policy = await readVersion(gateway.value, tenant, version.value);
  if (!policy.ok) return fail(out, policy.error);
  const document = JSON.stringify(policy.value.document, null, 2);
  if (path === undefined) {
    out.print(document);
    return 0;
  }
  if (!writeOut(out, path, `${document}\n`, force)) return 1;
  out.print(`${path}: the policy of tenant \`${tenant}\`, ${sinceText(policy.value)}`);
  return 0;
}

/**
 * Says what a push would change or, given two files, what the second would change. Exit codes are those of `diff`: 0 same, 1 differs,
 * 2 trouble.
 */
export async function diffCommand(args: readonly string[], out: Output): Promise<number> {
  const options = { ...remoteOptions, full: { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [file, newer] = positionals;
  if (file === undefined || positionals.length > 2) return out.usage(diffUsage);
  const { tenant, full = false } = values;
  if (newer !== undefined) return diffFiles([file, newer], full, out);
  const local = await readLocal(file, values.gateway);
  if (!local.ok) return fail(out, local.error, 2);
  const { policy, gateway } = local.value;
  const current = await readVersion(gateway, tenant);
  if (!current.ok) return fail(out, current.error, 2);
  // The version is a condition: both parts of the output compare the same two documents.
  const update = await putPolicy(gateway, tenant, policy.input, { dryRun: true, seen: current.value.version });
  if (!update.ok) return fail(out, update.error, 2);
  const hunks = lineHunks(current.value.document, policy.input);
  if (hunks.length === 0) {
    out.print(`${file} is the policy of tenant \`${tenant}\`, ${sinceText(current.value)}`);
    return 0;
  }
  const { changes, warnings } = update.value;
  const lines = full ? [...changeLines(changes), ...hunks] : summaryOf(changes);
  out.print([`--- tenant \`${tenant}\`, ${sinceText(current.value)}`, `+++ ${file}`, ...lines].join("\n"));
  for (const text of warningTexts(warnings)) out.print(`warning  ${text}`);
  return 1;
}

function summaryOf(changes: PolicyUpdate["changes"]): readonly string[] {
  const summary = changeSummary(changes);
  const none = "nothing that the rules look at changes, or the gateway cannot tell what does";
  return [...(summary.length > 0 ? summary : [none]), "(`--full`: every setting, situation and line)"];
}

/** Without a gateway: nobody knows here which unlisted tools clients bring. */
async function diffFiles(files: readonly [older: string, newer: string], full: boolean, out: Output): Promise<number> {
  const read: PolicyOnDisk[] = [];
  for (const file of files) {
    const missing = missingFile(file);
    const policy = missing === undefined ? await readPolicyLines(file) : err([missing]);
    if (!policy.ok) return fail(out, policy.error, 2);
    read.push(policy.value);
  }
  const [before, after] = read as [PolicyOnDisk, PolicyOnDisk];
  const hunks = lineHunks(before.input, after.input);
  if (hunks.length === 0) {
    out.print(`${files[0]} and ${files[1]} are the same policy`);
    return 0;
  }
  const [was, is] = [before, after].map(({ document, compiled: policy, warnings }) => ({ document, policy, warnings }));
  const changes = was && is ? { ...runBlocking(comparing(was, is, [])) } : null;
  const lines = full ? [...changeLines(changes), ...hunks] : summaryOf(changes);
  out.print([`--- ${files[0]}`, `+++ ${files[1]}`, ...lines].join("\n"));
  return 1;
}

interface LocalPolicy {
  readonly policy: PolicyOnDisk;
  readonly gateway: GatewayAddress;
}

/** The file is read first: a wrong one is an error without any gateway. */
async function readLocal(file: string, url: string): Promise<Result<LocalPolicy, readonly string[]>> {
  const missing = missingFile(file);
  if (missing !== undefined) return err([missing]);
  const policy = await readPolicyLines(file);
  if (!policy.ok) return policy;
  const gateway = readGatewayAddress(url, process.env);
  return gateway.ok ? ok({ policy: policy.value, gateway: gateway.value }) : gateway;
}
