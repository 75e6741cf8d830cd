/** `policy diff <file>`: what would change if the file were pushed. Exit codes as `diff` has them: 0 same, 1 differs, 2 trouble. */
import { inForce, type PolicyUpdate, putPolicy } from "./admin-client.ts";
import { changeLines } from "./change-lines.ts";
import { changeSummary } from "./change-summary.ts";
import { type Output, tellsMissing } from "./command.ts";
import { issueText, readPolicy } from "./files.ts";
import { lineHunks } from "./line-differences.ts";
import { readRemoteArguments } from "./remote-arguments.ts";
import { sinceText } from "./update-text.ts";
import { warningTexts } from "./warning-texts.ts";

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
