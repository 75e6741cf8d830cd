/** `policy check <files…>`: policy documents and case files, every error with its path. */
import { parseArgs } from "node:util";
import type { PolicyIssue } from "../../policy/policy-issue.ts";
import { missingFile } from "../missing-file.ts";
import type { Output } from "./command.ts";
import { documentsAmong, isCaseFile, issueText, readCases, readPolicy } from "./files.ts";
import { warningTexts } from "./warning-texts.ts";

export const checkUsage = "check <files…> [--json]";

interface Checked {
  readonly file: string;
  readonly valid: boolean;
  /** Where there is no such file. */
  readonly missing?: true;
  readonly errors: readonly PolicyIssue[];
  readonly warnings: readonly PolicyIssue[];
}

/** @returns the exit code: 1 where any file has an error. */
export function checkCommand(args: readonly string[], out: Output): number {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { json: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const paths = documentsAmong(positionals);
  if (paths.length === 0) return out.usage(checkUsage);
  const files = paths.map(checkFile);
  const failed = files.filter(({ valid }) => !valid).length;
  if (values.json) out.print(JSON.stringify({ files, failed }, null, 2));
  else for (const file of files) printFile(file, out);
  return failed > 0 ? 1 : 0;
}

function checkFile(file: string): Checked {
  const missing = missingFile(file);
  if (missing !== undefined)
    return { file, valid: false, missing: true, errors: [{ path: "", message: missing }], warnings: [] };
  const read = isCaseFile(file) ? readCases(file) : readPolicy(file);
  if (!read.ok) return { file, valid: false, errors: read.error, warnings: [] };
  return { file, valid: true, errors: [], warnings: "warnings" in read.value ? read.value.warnings : [] };
}

function printFile({ file, valid, missing, errors, warnings }: Checked, out: Output): void {
  if (missing) {
    for (const { message } of errors) out.fail(message);
    return;
  }
  if (valid) out.print(`${file}: valid`);
  else out.fail(`${file}: not valid`);
  for (const issue of errors) out.fail(`  error    ${issueText(issue)}`);
  for (const text of warningTexts(warnings)) out.print(`  warning  ${text}`);
}
