/** `policy check <files…>`: policy documents and case files, every error with its path. */
import { parseArgs } from "node:util";
import { type SecretNeed, secretNeeds } from "../../policy/document/checks/secret-warnings.ts";
import type { PolicyIssue, PolicyWarning } from "../../policy/document/policy-issue.ts";
import type { Proof } from "../../policy/prove/prove.ts";
import { readPolicy } from "../policy-file.ts";
import { missingFile } from "../read-json-file.ts";
import { type ArgumentReport, argumentText, reportArguments } from "./argument-report.ts";
import { documentsAmong, isCaseFile, readCases } from "./cases/read-case-file.ts";
import { developmentKeyText, issueText, noteTexts, type Output, warningTexts } from "./command.ts";
import { type IntentReport, reportIntents, reportText } from "./intent-report.ts";

export const checkUsage = "check <files…> [--secrets] [--json]";

interface CheckedFile {
  readonly file: string;
  readonly valid: boolean;
  readonly errors: readonly PolicyIssue[];
  readonly warnings: readonly PolicyWarning[];
  /** Where the policy has no role for the development key of the examples. */
  readonly developmentKey?: string;
  /** What a gateway's settings must bind; given with `--secrets`. */
  readonly secrets?: readonly SecretNeed[];
  /** What must come from the user or a trusted source, once others have written text in the conversation. */
  readonly arguments?: readonly ArgumentReport[];
  /** Invariants that hold. A broken one is an error. */
  readonly invariants?: readonly Pick<Proof, "say" | "situations">[];
  /** Of a policy whose intents have examples. */
  readonly intents?: readonly IntentReport[];
}

const MEASURED_ON =
  "these shares are of the policy's own examples, and say nothing of what your users write: try sentences of theirs as wordings in a case file";

/** @returns the exit code: 1 where any file has an error. */
export async function checkCommand(args: readonly string[], out: Output): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { json: { type: "boolean", default: false }, secrets: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const paths = documentsAmong(positionals);
  if (paths.length === 0) return out.usage(checkUsage);
  const files = await Promise.all(paths.map((path) => checkFile(path, values.secrets)));
  const failed = files.filter(({ valid }) => !valid).length;
  if (values.json) out.print(JSON.stringify({ files, failed }, null, 2));
  else for (const file of files) printFile(file, out);
  return failed > 0 ? 1 : 0;
}

async function checkFile(file: string, withSecrets: boolean): Promise<CheckedFile> {
  if (isCaseFile(file)) {
    const cases = await readCases(file);
    return { file, valid: cases.ok, errors: cases.ok ? [] : cases.error, warnings: [] };
  }
  const policy = await readPolicy(file);
  if (!policy.ok) return { file, valid: false, errors: policy.error, warnings: [] };
  const { document, warnings, proofs } = policy.value;
  const intents = await reportIntents(policy.value.compiled);
  const reported = reportArguments(policy.value.compiled);
  const developmentKey = developmentKeyText(document.roles);
  const checked: CheckedFile = {
    ...{ file, valid: true, errors: [], warnings },
    ...(developmentKey === undefined ? {} : { developmentKey }),
    ...(proofs.length > 0 ? { invariants: proofs.map(({ say, situations }) => ({ say, situations })) } : {}),
    ...(reported.length > 0 ? { arguments: reported } : {}),
    ...(intents.length > 0 ? { intents } : {}),
  };
  return withSecrets ? { ...checked, secrets: secretNeeds(document) } : checked;
}

function printFile(
  { file, valid, errors, warnings, secrets = [], intents = [], ...checked }: CheckedFile,
  out: Output,
): void {
  const missing = missingFile(file);
  if (missing !== undefined) {
    out.fail(missing);
    return;
  }
  if (valid) out.print(`${file}: valid`);
  else out.fail(`${file}: not valid`);
  for (const issue of errors) {
    out.fail(`  error    ${issueText(issue)}`);
    if (issue.turn !== undefined) out.fail(`  turn     ${JSON.stringify(issue.turn)}`);
  }
  for (const text of warningTexts(warnings)) out.print(`  warning  ${text}`);
  for (const text of noteTexts(warnings)) out.print(`  note     ${text}`);
  if (checked.developmentKey !== undefined) out.print(`  note     /roles: ${checked.developmentKey}`);
  for (const { say, situations } of checked.invariants ?? []) out.print(`  proved   ${say} (${situations} situations)`);
  for (const one of checked.arguments ?? []) out.print(`  argument ${argumentText(one)}`);
  for (const intent of intents) out.print(`  intent   ${reportText(intent)}`);
  if (intents.length > 0) out.print(`  intents  ${MEASURED_ON}`);
  for (const { path, secret, host } of secrets)
    out.print(
      `  secret   ${path}: needs \`${secret}\` for ${host}; only the gateway knows whether its settings bind it`,
    );
}
