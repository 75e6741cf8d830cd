/** `policy check <files…>`: policy documents and case files, every error with its path. */
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { type SecretNeed, secretNeeds } from "../../policy/document/checks/secret-warnings.ts";
import type { PolicyIssue, PolicyWarning } from "../../policy/document/policy-issue.ts";
import { authorityOf, hasAuthority } from "../../policy/origin/authority.ts";
import { rolesOf } from "../../policy/origin/roles/argument-roles.ts";
import type { ArgumentRole } from "../../policy/origin/roles/roles.ts";
import { toolEffects } from "../../policy/origin/roles/tool-verbs.ts";
import type { Proof } from "../../policy/prove/prove.ts";
import { traitsOf } from "../../policy/traits.ts";
import { readPolicy } from "../policy-file.ts";
import { missingFile } from "../read-json-file.ts";
import { command } from "../subcommands.ts";
import { documentsAmong, isCaseFile, readCases } from "./cases/read-case-file.ts";
import { developmentKeyText, issueText, noteTexts, warningTexts } from "./command.ts";
import { type IntentReport, reportIntents, reportText } from "./intent-report.ts";

interface CheckedFile {
  readonly file: string;
  readonly valid: boolean;
  readonly errors: readonly PolicyIssue[];
  readonly warnings: readonly PolicyWarning[];
  /** Set if the policy has no role for the development key of the examples. */
  readonly developmentKey?: string;
  /** Secrets that a gateway's settings must bind; given with `--secrets`. */
  readonly secrets?: readonly SecretNeed[];
  /** Arguments whose values must come from the user or a trusted source, once untrusted text is in the conversation. */
  readonly arguments?: readonly ArgumentReport[];
  /** Invariants that hold. A broken one is an error. */
  readonly invariants?: readonly Pick<Proof, "say" | "situations">[];
  /** Set for a policy whose intents have examples. */
  readonly intents?: readonly IntentReport[];
}

const MEASURED_ON =
  "these shares are of the policy's own examples, and say nothing of what your users write: try sentences of theirs as wordings in a case file";

/** Exit code 1: a file has an error. */
export const checkCommand = command({
  usage: "check <files…> [--secrets] [--json]",
  options: { json: { type: "boolean", default: false }, secrets: { type: "boolean", default: false } },
  positionals: [1, Number.POSITIVE_INFINITY],
  run: async ({ json, secrets }, positionals) => {
    const paths = documentsAmong(positionals);
    if (paths.length === 0) return "usage";
    const files = await Promise.all(paths.map((path) => checkFile(path, secrets)));
    const failed = files.filter(({ valid }) => !valid).length;
    if (json) console.log(JSON.stringify({ files, failed }, null, 2));
    else files.forEach(printFile);
    return failed > 0 ? 1 : 0;
  },
});

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

function printFile({ file, valid, errors, warnings, secrets = [], intents = [], ...checked }: CheckedFile): void {
  const missing = missingFile(file);
  if (missing !== undefined) {
    console.error(missing);
    return;
  }
  if (valid) console.log(`${file}: valid`);
  else console.error(`${file}: not valid`);
  for (const issue of errors) {
    console.error(`  error    ${issueText(issue)}`);
    if (issue.turn !== undefined) console.error(`  turn     ${JSON.stringify(issue.turn)}`);
  }
  for (const text of warningTexts(warnings)) console.log(`  warning  ${text}`);
  for (const text of noteTexts(warnings)) console.log(`  note     ${text}`);
  if (checked.developmentKey !== undefined) console.log(`  note     /roles: ${checked.developmentKey}`);
  for (const { say, situations } of checked.invariants ?? [])
    console.log(`  proved   ${say} (${situations} situations)`);
  for (const one of checked.arguments ?? []) console.log(`  argument ${argumentText(one)}`);
  for (const intent of intents) console.log(`  intent   ${reportText(intent)}`);
  if (intents.length > 0) console.log(`  intents  ${MEASURED_ON}`);
  for (const { path, secret, host } of secrets)
    console.log(
      `  secret   ${path}: needs \`${secret}\` for ${host}; only the gateway knows whether its settings bind it`,
    );
}

interface ArgumentReport {
  readonly tool: string;
  /** JSON pointer, with `*` for each element. */
  readonly argument: string;
  readonly role: ArgumentRole;
  readonly because: string;
}

/**
 * The arguments whose values must come from the user or a trusted source. Only tools whose `parameters` the policy gives are reported:
 * a client's parameters are known at run time.
 */
export function reportArguments(policy: CompiledPolicy): readonly ArgumentReport[] {
  return [...policy.tools.keys()].flatMap((tool) => {
    const { parameters, description, category, class: cls, arguments: settings } = traitsOf(policy, tool);
    if (parameters === undefined) return [];
    const authority = authorityOf({ category, class: cls, effects: toolEffects(tool, description) });
    const { listed } = rolesOf({ name: tool, description, parameters }, settings, workBudget());
    return [...listed].flatMap(([argument, role]) =>
      hasAuthority(authority, { role }) ? [{ tool, argument, role: role.role, because: role.because }] : [],
    );
  });
}

export const argumentText = ({ tool, argument, role, because }: ArgumentReport): string =>
  `${tool} ${argument}: ${role}, because ${because}`;
