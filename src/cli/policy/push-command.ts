/** `policy push <file>`: puts a local policy into force, if the one in force is still the one that was seen. */
import { inForce, putPolicy } from "./admin-client.ts";
import { changeLines } from "./change-lines.ts";
import { type Output, tellsMissing } from "./command.ts";
import { issueText, readPolicy } from "./files.ts";
import { readRemoteArguments } from "./remote-arguments.ts";
import { shortVersion } from "./update-text.ts";
import { warningTexts } from "./warning-texts.ts";

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
