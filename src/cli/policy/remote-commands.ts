/** The commands on the policy of a running gateway: `push`, `reset`, `pull`, `diff`, `versions`, `rollback`. */
import type { PolicyView } from "../../api-views/policy-views.ts";
import { runBlocking } from "../../lib/concurrency.ts";
import { isLoopbackHost } from "../../lib/host.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { visible } from "../../lib/text/visible-text.ts";
import { changeLines, changeSummary } from "../../policy/compare/change-text.ts";
import { comparing } from "../../policy/compare/compare.ts";
import { type GatewayAddress, hostOf, readGatewayAddress } from "../gateway-client.ts";
import { type PolicyOnDisk, readPolicyLines } from "../policy-file.ts";
import { missingFile } from "../read-json-file.ts";
import { command, fail, withGateway } from "../subcommands.ts";
import {
  listVersions,
  type PolicyUpdate,
  putPolicy,
  readVersion,
  removePolicy,
  rollBackTo,
  wholeVersion,
} from "./admin-client.ts";
import { developmentKeyText, remoteOptions, shortVersion, warningTexts, writeOut } from "./command.ts";
import { lineHunks } from "./line-differences.ts";

/** A policy reaches the caches of all locations within this time. */
const REACH = "it reaches everybody within two minutes";

/** Puts a local policy into force, if the one in force is still the one that the person saw. */
export const pushCommand = command({
  usage: "push <file> [--gateway URL] [--tenant T] [--dry-run] [--full] [--if-match VERSION]",
  options: {
    ...remoteOptions,
    "dry-run": { type: "boolean", default: false },
    full: { type: "boolean", default: false },
    "if-match": { type: "string" },
  },
  positionals: [1, 1],
  run: (values, [file = ""]) => push(file, values),
});

interface PushOptions {
  readonly gateway: string;
  readonly tenant: string;
  readonly "dry-run": boolean;
  readonly full: boolean;
  readonly "if-match"?: string | undefined;
}

async function push(
  file: string,
  { gateway: url, tenant, "dry-run": dryRun, full, "if-match": wanted }: PushOptions,
): Promise<number> {
  const local = await readLocal(file, url);
  if (!local.ok) return fail(local.error);
  const { policy, gateway } = local.value;
  // The push must replace the policy that the person saw, not one that another operator has put there meanwhile.
  const current =
    wanted === undefined
      ? await readVersion(gateway, tenant)
      : await wholeVersion(gateway, tenant, wanted.replaceAll('"', ""));
  if (!current.ok) return fail(current.error);
  const seen = typeof current.value === "string" ? current.value : current.value.version;
  const update = await putPolicy(gateway, tenant, policy.input, { dryRun, seen });
  if (!update.ok) return fail(update.error);
  const { version, previous, changes, warnings } = update.value;
  for (const line of full ? changeLines(changes) : version === previous ? [] : summaryOf(changes)) console.log(line);
  for (const text of warningTexts(warnings)) console.log(`warning  ${text}`);
  // A gateway elsewhere has no development keys.
  const stranded = isLoopbackHost(hostOf(gateway.url)) ? developmentKeyText(policy.document.roles) : undefined;
  if (stranded !== undefined) console.log(`warning  /roles: ${stranded}`);
  const [before, after] = [shortVersion(previous), shortVersion(version)];
  if (version === previous) console.log(`${file} is in force for tenant \`${tenant}\` already: version ${after}`);
  else if (dryRun) console.log(`dry run: version ${after} would take the place of ${before} for tenant \`${tenant}\``);
  else console.log(`version ${after} is in force for tenant \`${tenant}\`, in the place of ${before}; ${REACH}`);
  return 0;
}

/** Puts the embedded policy into force again, if the one in force is still the one that was read a moment before. */
export const resetCommand = command({
  usage: "reset [--gateway URL] [--tenant T]",
  options: remoteOptions,
  positionals: [0, 0],
  run: ({ gateway: url, tenant }) =>
    withGateway(url, async (gateway) => {
      const current = await readVersion(gateway, tenant);
      if (!current.ok) return fail(current.error);
      const { version } = current.value;
      if (version === null) {
        console.log(`the embedded policy is in force for tenant \`${tenant}\` already`);
        return 0;
      }
      const removed = await removePolicy(gateway, tenant, version);
      if (!removed.ok) return fail(removed.error);
      const before = shortVersion(version);
      console.log(`the embedded policy is in force for tenant \`${tenant}\`, in the place of ${before}; ${REACH}`);
      return 0;
    }),
});

/** Writes a tenant's policy, as it is in force or as it was, to a file or to standard output. */
export const pullCommand = command({
  usage: "pull [--gateway URL] [--tenant T] [--version VERSION] [--out FILE [--force]]",
  options: {
    ...remoteOptions,
    version: { type: "string" },
    out: { type: "string" },
    force: { type: "boolean", default: false },
  },
  positionals: [0, 0],
  run: ({ gateway: url, tenant, version: wanted, out: path, force }) =>
    withGateway(url, async (gateway) => {
      const version = wanted === undefined ? ok(undefined) : await wholeVersion(gateway, tenant, wanted);
      if (!version.ok) return fail(version.error);
      const policy = await readVersion(gateway, tenant, version.value);
      if (!policy.ok) return fail(policy.error);
      const document = JSON.stringify(policy.value.document, null, 2);
      if (path === undefined) {
        console.log(document);
        return 0;
      }
      if (!writeOut(path, `${document}\n`, force)) return 1;
      console.log(`${path}: the policy of tenant \`${tenant}\`, ${sinceText(policy.value)}`);
      return 0;
    }),
});

/** Lists the versions of a tenant's policy, the newest first. */
export const versionsCommand = command({
  usage: "versions [--gateway URL] [--tenant T]",
  options: remoteOptions,
  positionals: [0, 0],
  run: ({ gateway: url, tenant }) =>
    withGateway(url, async (gateway) => {
      const versions = await listVersions(gateway, tenant);
      if (!versions.ok) return fail(versions.error);
      for (const { version, action, created_at: at, created_by: by, in_force: inForce } of versions.value) {
        const parts = [shortVersion(version), at, action, by === null ? "" : `by ${by}`, inForce ? "in force" : ""];
        console.log(visible(parts.filter((part) => part !== "").join("  ")));
      }
      if (versions.value.length === 0)
        console.log(`the embedded policy is in force for tenant \`${tenant}\`, and no other was`);
      return 0;
    }),
});

/** Puts an earlier version into force again, if the one in force is still the one that was read a moment before. */
export const rollbackCommand = command({
  usage: "rollback VERSION [--gateway URL] [--tenant T] [--dry-run]",
  options: { ...remoteOptions, "dry-run": { type: "boolean", default: false } },
  positionals: [1, 1],
  run: ({ gateway: url, tenant, "dry-run": dryRun }, [wanted = ""]) =>
    withGateway(url, async (gateway) => {
      const version = await wholeVersion(gateway, tenant, wanted);
      if (!version.ok) return fail(version.error);
      const current = await readVersion(gateway, tenant);
      if (!current.ok) return fail(current.error);
      const { version: seen } = current.value;
      const written = await rollBackTo(gateway, tenant, version.value, { dryRun, seen });
      if (!written.ok) return fail(written.error);
      const [before, after] = [shortVersion(seen), shortVersion(version.value)];
      console.log(
        dryRun
          ? `dry run: version ${after} would take the place of ${before} for tenant \`${tenant}\``
          : `version ${after} is in force again for tenant \`${tenant}\`, in the place of ${before}; ${REACH}`,
      );
      return 0;
    }),
});

/**
 * Prints what a push would change or, for two files, what the second would change. Exit codes are those of `diff`: 0 same, 1 differs,
 * 2 trouble.
 */
export const diffCommand = command({
  usage: "diff <file> [<new file>] [--gateway URL] [--tenant T] [--full]",
  options: { ...remoteOptions, full: { type: "boolean", default: false } },
  positionals: [1, 2],
  run: (values, [file = "", newer]) =>
    newer === undefined ? diffWithGateway(file, values) : diffFiles([file, newer], values.full),
});

async function diffWithGateway(
  file: string,
  { gateway: url, tenant, full }: Pick<PushOptions, "gateway" | "tenant" | "full">,
): Promise<number> {
  const local = await readLocal(file, url);
  if (!local.ok) return fail(local.error, 2);
  const { policy, gateway } = local.value;
  const current = await readVersion(gateway, tenant);
  if (!current.ok) return fail(current.error, 2);
  // The version is a condition: both parts of the output compare the same two documents.
  const update = await putPolicy(gateway, tenant, policy.input, { dryRun: true, seen: current.value.version });
  if (!update.ok) return fail(update.error, 2);
  const hunks = lineHunks(current.value.document, policy.input);
  if (hunks.length === 0) {
    console.log(`${file} is the policy of tenant \`${tenant}\`, ${sinceText(current.value)}`);
    return 0;
  }
  const { changes, warnings } = update.value;
  const lines = full ? [...changeLines(changes), ...hunks] : summaryOf(changes);
  console.log([`--- tenant \`${tenant}\`, ${sinceText(current.value)}`, `+++ ${file}`, ...lines].join("\n"));
  for (const text of warningTexts(warnings)) console.log(`warning  ${text}`);
  return 1;
}

function summaryOf(changes: PolicyUpdate["changes"]): readonly string[] {
  const summary = changeSummary(changes);
  const none = "nothing that the rules look at changes, or the gateway cannot tell what does";
  return [...(summary.length > 0 ? summary : [none]), "(`--full`: every setting, situation and line)"];
}

/** Compares without a gateway: the unlisted tools that clients bring are not known here. */
async function diffFiles(files: readonly [older: string, newer: string], full: boolean): Promise<number> {
  const read: PolicyOnDisk[] = [];
  for (const file of files) {
    const missing = missingFile(file);
    const policy = missing === undefined ? await readPolicyLines(file) : err([missing]);
    if (!policy.ok) return fail(policy.error, 2);
    read.push(policy.value);
  }
  const [before, after] = read as [PolicyOnDisk, PolicyOnDisk];
  const hunks = lineHunks(before.input, after.input);
  if (hunks.length === 0) {
    console.log(`${files[0]} and ${files[1]} are the same policy`);
    return 0;
  }
  const [was, is] = [before, after].map(({ document, compiled: policy, warnings }) => ({ document, policy, warnings }));
  const changes = was && is ? { ...runBlocking(comparing(was, is, [])) } : null;
  const lines = full ? [...changeLines(changes), ...hunks] : summaryOf(changes);
  console.log([`--- ${files[0]}`, `+++ ${files[1]}`, ...lines].join("\n"));
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

function sinceText({ version, source, created_at: at, created_by: by }: PolicyView): string {
  if (version === null) return `which is the ${source} one`;
  const since = at === null ? "" : `, since ${at}`;
  return `version ${shortVersion(version)}${since}${by ? `, by ${by}` : ""}`;
}
