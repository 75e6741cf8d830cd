/** `policy push <file>`: puts a local policy into force, if the one in force is still the one that was seen. */

import { writeFileSync } from "node:fs";
import { inForce, type PolicyUpdate, putPolicy, versionOf } from "./admin-client.ts";
import { changeLines, changeSummary } from "./change-text.ts";
import { type Output, readRemoteArguments, tellsMissing } from "./command.ts";
import { issueText, readPolicy } from "./files.ts";
import { lineHunks } from "./line-differences.ts";
import { shortVersion, sinceText, warningTexts } from "./update-text.ts";

export const pushUsage = "push <file> [--gateway URL] [--tenant T] [--dry-run] [--if-match VERSION]";

export async function pushCommand(args: readonly string[], out: Output): Promise<number> {
  const { gateway, tenant, files, text, flag } = readRemoteArguments(args, {
    "dry-run": "boolean",
    "if-match": "string",
  });
  const [file] = files;
  if (file === undefined || files.length > 1) return out.usage(pushUsage);
  if (tellsMissing(files, out)) return 1;
  const failed = (lines: readonly string[]): number => {
    for (const line of lines) out.fail(line);
    return 1;
  };
  const policy = await readPolicy(file);
  if (!policy.ok) return failed([`${file}: not valid`, ...policy.error.map((issue) => `  ${issueText(issue)}`)]);
  if (!gateway.ok) return failed(gateway.error);
  const seen = await seenVersion();
  if (!seen.ok) return failed(seen.error);
  const dryRun = flag("dry-run");
  const update = await putPolicy(gateway.value, tenant, policy.value.input, { dryRun, seen: seen.value });
  if (!update.ok) return failed(update.error);
  const { version, previous, changes, warnings } = update.value;
  for (const line of changeLines(changes)) out.print(line);
  for (const text of warningTexts(warnings)) out.print(`warning  ${text}`);
  const [before, after] = [shortVersion(previous), shortVersion(version)];
  if (version === previous) out.print(`${file} is in force for tenant \`${tenant}\` already: version ${after}`);
  else if (dryRun) out.print(`dry run: version ${after} would take the place of ${before} for tenant \`${tenant}\``);
  else
    out.print(
      `version ${after} is in force for tenant \`${tenant}\`, in the place of ${before}; it reaches everybody within two minutes`,
    );
  return 0;

  /** What is put there must replace what the person saw, not what somebody else put there in the meantime. */
  async function seenVersion() {
    const told = text("if-match");
    if (told !== undefined) return { ok: true, value: told.replaceAll('"', "") } as const;
    if (!gateway.ok) return gateway;
    const current = await inForce(gateway.value, tenant);
    return current.ok ? ({ ok: true, value: current.value.version } as const) : current;
  }
}

export const pullUsage = "pull [--gateway URL] [--tenant T] [--version VERSION] [--out FILE]";

export async function pullCommand(args: readonly string[], out: Output): Promise<number> {
  const { gateway, tenant, files, text } = readRemoteArguments(args, { version: "string", out: "string" });
  if (files.length > 0) return out.usage(pullUsage);
  const failed = (lines: readonly string[]): number => {
    for (const line of lines) out.fail(line);
    return 1;
  };
  if (!gateway.ok) return failed(gateway.error);
  const version = text("version");
  const policy = await (version === undefined
    ? inForce(gateway.value, tenant)
    : versionOf(gateway.value, tenant, version));
  if (!policy.ok) return failed(policy.error);
  const document = JSON.stringify(policy.value.document, null, 2);
  const path = text("out");
  if (path === undefined) {
    out.print(document);
    return 0;
  }
  try {
    writeFileSync(path, `${document}\n`);
  } catch (error) {
    return failed([`${path} cannot be written: ${(error as Error).message}`]);
  }
  out.print(`${path}: the policy of tenant \`${tenant}\`, ${sinceText(policy.value)}`);
  return 0;
}

export const diffUsage = "diff <file> [--gateway URL] [--tenant T] [--full]";

export async function diffCommand(args: readonly string[], out: Output): Promise<number> {
  const { gateway, tenant, files, flag } = readRemoteArguments(args, { full: "boolean" });
  const [file] = files;
  if (file === undefined || files.length > 1) return out.usage(diffUsage);
  if (tellsMissing(files, out)) return 2;
  const trouble = (lines: readonly string[]): number => {
    for (const line of lines) out.fail(line);
    return 2;
  };
  const policy = await readPolicy(file);
  if (!policy.ok) return trouble([`${file}: not valid`, ...policy.error.map((issue) => `  ${issueText(issue)}`)]);
  if (!gateway.ok) return trouble(gateway.error);
  const current = await inForce(gateway.value, tenant);
  if (!current.ok) return trouble(current.error);
  // Against that very version, so that both parts of what is told are of the same two documents.
  const asked = { dryRun: true, seen: current.value.version };
  const update = await putPolicy(gateway.value, tenant, policy.value.input, asked);
  if (!update.ok) return trouble(update.error);
  const hunks = lineHunks(current.value.document, policy.value.input);
  if (hunks.length === 0) {
    out.print(`${file} is the policy of tenant \`${tenant}\`, ${sinceText(current.value)}`);
    return 0;
  }
  out.print(`--- tenant \`${tenant}\`, ${sinceText(current.value)}`);
  out.print(`+++ ${file}`);
  const { changes, warnings } = update.value;
  if (flag("full")) for (const line of [...changeLines(changes), ...hunks]) out.print(line);
  else for (const line of summary(changes)) out.print(line);
  for (const text of warningTexts(warnings)) out.print(`warning  ${text}`);
  return 1;
}

function summary(changes: PolicyUpdate["changes"]): string[] {
  const lines = changeSummary(changes);
  const none = "nothing that the rules look at changes, or the gateway cannot tell what does";
  return [...(lines.length > 0 ? lines : [none]), "(`--full`: every setting, situation and line)"];
}
