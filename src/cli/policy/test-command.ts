/** `policy test <files…>`: runs the cases beside each policy through the gateway itself, in workerd. */
import { existsSync } from "node:fs";
import { ok, type Result } from "../../lib/result.ts";
import type { PolicyIssue } from "../../policy/document/policy-issue.ts";
import { readPolicy } from "../policy-file.ts";
import { missingFile } from "../read-json-file.ts";
import { command, fail } from "../subcommands.ts";
import type { CaseGateway } from "./cases/case-gateway.ts";
import { type CaseOutcome, failureText } from "./cases/case-outcome.ts";
import { type Coverage, uncovered } from "./cases/coverage.ts";
import { casesPathOf, documentsAmong, isCaseFile, policyPathOf, readCases } from "./cases/read-case-file.ts";
import { type FileOutcome, runCases } from "./cases/run-cases.ts";
import { wordingName } from "./cases/run-wordings.ts";
import { issueText } from "./command.ts";

type TestedFile = { readonly file: string } & (
  | { readonly kind: "ran"; readonly outcome: FileOutcome }
  | { readonly kind: "invalid"; readonly invalid: string; readonly errors: readonly PolicyIssue[] }
  | { readonly kind: "no_cases" }
);

/** Exit code 1: a case failed, a file is not valid, or no case ran. */
export const testCommand = command({
  usage: "test <files…> [--case <name>] [--json]",
  options: { json: { type: "boolean", default: false }, case: { type: "string" } },
  positionals: [1, Number.POSITIVE_INFINITY],
  run: (values, positionals) => {
    const files = new Set(documentsAmong(positionals).map((path) => (isCaseFile(path) ? policyPathOf(path) : path)));
    if (files.size === 0) return "usage";
    const missing = [...files].flatMap((file) => missingFile(file) ?? []);
    return missing.length > 0 ? fail(missing) : testFiles([...files], values);
  },
});

interface TestOptions {
  readonly json: boolean;
  readonly case?: string | undefined;
}

async function testFiles(files: readonly string[], { json, case: only }: TestOptions): Promise<number> {
  const policies = new Map(await Promise.all(files.map(async (file) => [file, await readPolicy(file)] as const)));
  const valid = [...policies.values()].flatMap((policy) => (policy.ok ? [policy.value] : []));
  let gateway: StartedGateway | undefined;
  const start = async () => {
    // Imported here: wrangler and esbuild take longer to load than most of the other commands take to run.
    const { startCaseGateway } = await import("./cases/case-gateway.ts");
    gateway ??= await startCaseGateway(valid);
    return gateway;
  };
  try {
    const tested: TestedFile[] = [];
    for (const [file, policy] of policies) {
      const result = await testFile(start, file, policy, only);
      if (!result.ok) return fail([result.error]);
      if (!json) printFile(result.value, only === undefined);
      tested.push(result.value);
    }
    return printSummary(tested, { json, case: only });
  } finally {
    if (gateway?.ok) await gateway.value.stop();
  }
}

type StartedGateway = Result<CaseGateway, string>;

/** @param start starts a gateway, which takes seconds: called only if a case is run. The error says why it does not start. */
async function testFile(
  start: () => Promise<StartedGateway>,
  file: string,
  policy: Awaited<ReturnType<typeof readPolicy>>,
  only: string | undefined,
): Promise<Result<TestedFile, string>> {
  if (!policy.ok) return ok({ file, kind: "invalid", invalid: file, errors: policy.error });
  const casesPath = casesPathOf(file);
  if (!existsSync(casesPath)) return ok({ file, kind: "no_cases" });
  const read = await readCases(casesPath);
  if (!read.ok) return ok({ file, kind: "invalid", invalid: casesPath, errors: read.error });
  const isAsked = (name: string) => only === undefined || name === only;
  const selection = {
    cases: read.value.cases.filter(({ name }) => isAsked(name)),
    wordings: read.value.wordings.filter((one) => isAsked(wordingName(one))),
  };
  if (selection.cases.length + selection.wordings.length === 0) {
    const untouched = uncovered(policy.value.compiled, [], read.value.mcp);
    return ok({ file, kind: "ran", outcome: { cases: [], untouched } });
  }
  const gateway = await start();
  if (!gateway.ok) return gateway;
  return ok({ file, kind: "ran", outcome: await runCases(gateway.value, policy.value, read.value, selection) });
}

function printFile(tested: TestedFile, whole: boolean): void {
  const { file } = tested;
  if (tested.kind === "no_cases") {
    console.log(`${file}: no cases (${casesPathOf(file)} is missing)`);
    return;
  }
  if (tested.kind === "invalid") {
    console.error(`${tested.invalid}: not valid`);
    for (const issue of tested.errors) console.error(`  ${issueText(issue)}`);
    return;
  }
  const { cases, untouched } = tested.outcome;
  console.log(`${file}: ${cases.length} ${cases.length === 1 ? "case" : "cases"}`);
  for (const one of cases) if (one.failures.length > 0) printFailed(file, one);
  // A single case is not meant to touch everything.
  if (whole) for (const line of untouchedText(untouched)) console.log(`  ${line}`);
}

function printFailed(file: string, { name, failures, explained }: CaseOutcome): void {
  console.log(`\n  ✗ ${file} › ${name}`);
  for (const turn of new Set(failures.map((failure) => failure.turn))) {
    for (const failure of failures.filter((one) => one.turn === turn))
      console.log(failureText(failure).replace(/^/gm, "      "));
    const { lines = [] } = explained.find((one) => one.turn === turn) ?? {};
    for (const line of lines) console.log(`        · ${line}`);
  }
  console.log("");
}

function untouchedText(untouched: Coverage): string[] {
  const lines = Object.entries(untouched).filter(([, names]) => names.length > 0);
  if (lines.length === 0) return ["every rule, tool, intent, mode and role is touched by a case"];
  return lines.map(([kind, names]) => `no case touches these ${kind}: ${names.join(", ")}`);
}

function printSummary(tested: readonly TestedFile[], { json, case: only }: TestOptions): number {
  const cases = tested.flatMap((file) => (file.kind === "ran" ? file.outcome.cases : []));
  const failed = cases.filter(({ failures }) => failures.length > 0).length;
  const passed = cases.length - failed;
  const invalid = tested.filter(({ kind }) => kind === "invalid").length;
  if (json) console.log(JSON.stringify({ files: tested.map(inJson), passed, failed, invalid }, null, 2));
  else console.log(`${passed} passed, ${failed} failed${invalid > 0 ? `, ${invalid} not valid` : ""}`);
  if (only !== undefined && cases.length === 0) console.error(`no case is called \`${only}\``);
  return failed > 0 || invalid > 0 || cases.length === 0 ? 1 : 0;
}

function inJson(tested: TestedFile): unknown {
  const { file } = tested;
  if (tested.kind === "no_cases") return { file, cases: null };
  if (tested.kind === "invalid") return { file, invalid: tested.invalid, errors: tested.errors };
  const { cases, untouched } = tested.outcome;
  return { file, cases: cases.map((one) => ({ passed: one.failures.length === 0, ...one })), untouched };
}
