/** Reads a case file: its shape, and whether the policy beside it has what the cases name. */
import { existsSync } from "node:fs";
import { toPointer } from "../../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../../lib/result.ts";
import { nearestName } from "../../../lib/text/nearest-name.ts";
import type { PolicyDocument } from "../../../policy/document/document-schema.ts";
import { type PolicyIssue, sortIssues } from "../../../policy/document/policy-issue.ts";
import { shapeIssues, shapeMessages } from "../../../policy/document/shape-issues.ts";
import { readPolicy } from "../../policy-file.ts";
import { type JsonFile, readJsonFile } from "../../read-json-file.ts";
import { type CaseFile, type CaseTurn, caseFile } from "./case-schema.ts";
import { mcpNames } from "./coverage.ts";

const casesEnding = ".cases.json";

export const isCaseFile = (path: string): boolean => path.endsWith(casesEnding);
export const casesPathOf = (policyPath: string): string => policyPath.replace(/(\.json)?$/, casesEnding);
export const policyPathOf = (casesPath: string): string => `${casesPath.slice(0, -casesEnding.length)}.json`;

/** The documents that `policies/*.json` means: without the schemas, which are beside them. */
export const documentsAmong = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => !path.endsWith(".schema.json"));

/** A case file, checked against the policy beside it if that exists and is valid. */
export async function readCases(path: string): Promise<Result<CaseFile, readonly PolicyIssue[]>> {
  const file = readJsonFile(path);
  if (!file.ok) return file;
  const policyPath = policyPathOf(path);
  if (!existsSync(policyPath)) return err([{ path: "", message: `has no policy beside it: ${policyPath} is missing` }]);
  const policy = await readPolicy(policyPath);
  return checkCaseFile(file.value, policy.ok ? policy.value.document : undefined);
}

type Report = (path: readonly PropertyKey[], message: string) => void;

/** @param policy the document that the cases are for, if it is valid. */
function checkCaseFile(
  { value, faults }: JsonFile,
  policy: PolicyDocument | undefined,
): Result<CaseFile, readonly PolicyIssue[]> {
  const issues = faults.map(({ path, message }) => ({ path: toPointer(path), message }));
  const parsed = caseFile.safeParse(value, { error: shapeMessages });
  if (!parsed.success) return err(sortIssues([...issues, ...shapeIssues(parsed.error).map(ofCaseFile)]));
  checkCases(parsed.data, policy, (path, message) => issues.push({ path: toPointer(path), message }));
  return issues.length > 0 ? err(sortIssues(issues)) : ok(parsed.data);
}

const ofCaseFile = ({ path, message }: PolicyIssue): PolicyIssue => ({
  path,
  message: path === "" ? `the case file ${message}` : message,
});

function checkCases(file: CaseFile, policy: PolicyDocument | undefined, report: Report): void {
  const { cases, tools, wordings } = file;
  if (cases.length + wordings.length === 0) report([], "the case file tests nothing: give it `cases` or `wordings`");
  checkWordings(wordings, report);
  if (policy) checkServers(file, policy, report);
  const managed = policy ? managedNames(policy, file) : [];
  const names = new Set<string>();
  for (const [index, one] of cases.entries()) {
    const path = ["cases", index];
    if (names.has(one.name)) report([...path, "name"], `another case is called \`${one.name}\` already`);
    names.add(one.name);
    if (policy && !policy.roles.includes(one.principal.role)) {
      report([...path, "principal", "role"], unknownName("role", one.principal.role, policy.roles));
    }
    one.turns.forEach((turn, place) => {
      checkTurn(turn, one.turns[place - 1], { tools, managed }, (rest, message) =>
        report([...path, "turns", place, ...rest], message),
      );
    });
  }
}

function unknownName(what: string, name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  const listed = known.map((one) => `\`${one}\``).join(", ") || "none";
  return `the policy has no ${what} \`${name}\`; ${near === undefined ? `it has ${listed}` : `did you mean \`${near}\`?`}`;
}

/** Scripts of servers that the policy does not have would never be used. */
function checkServers({ cases, mcp }: CaseFile, { mcpServers }: PolicyDocument, report: Report): void {
  const check = (names: readonly string[], path: readonly PropertyKey[]) => {
    for (const name of names) {
      if (!Object.hasOwn(mcpServers, name))
        report([...path, "mcp", name], unknownName("MCP server", name, Object.keys(mcpServers)));
    }
  };
  check(Object.keys(mcp), []);
  for (const [index, one] of cases.entries()) check(Object.keys(one.mcp), ["cases", index]);
}

const managedNames = ({ tools }: PolicyDocument, { mcp }: CaseFile): readonly string[] => [
  ...Object.keys(tools).filter((name) => tools[name]?.run),
  ...mcpNames({ tools: new Map(Object.entries(tools)) }, mcp),
];

interface KnownTools {
  readonly tools: CaseFile["tools"];
  /** Names of those that the gateway runs. */
  readonly managed: readonly string[];
}

function checkTurn(turn: CaseTurn, before: CaseTurn | undefined, { tools, managed }: KnownTools, report: Report): void {
  const again = turn.native.length > 0;
  if (turn.user === undefined && turn.results === undefined && !again)
    report([], "must have `user`, `results` or `native`");
  if (again && !before) report(["native"], "the first turn has nothing to answer");
  checkAnswers(turn, report);
  if (turn.results && !before) report(["results"], "the first turn has no calls to bring results of");
  const known = (name: string) => Object.hasOwn(tools, name);
  turn.tools?.forEach((name, index) => {
    if (known(name)) return;
    const near = nearestName(name, Object.keys(tools));
    const advice = near === undefined ? "" : `, did you mean \`${near}\`?`;
    report(["tools", index], `\`${name}\` is not among the file's \`tools\`${advice}`);
  });
  turn.expect.steps?.forEach(({ withheld }, step) => {
    for (const name of Object.keys(withheld ?? {})) {
      if (!known(name) && !managed.includes(name))
        report(["expect", "steps", step, "withheld", name], "is not among the file's `tools`, nor run by the gateway");
    }
  });
  if (turn.expect.steps && turn.expect.steps.length !== turn.model.length) {
    report(
      ["expect", "steps"],
      `has ${turn.expect.steps.length} entries, but \`model\` has ${turn.model.length} steps`,
    );
  }
  if (turn.expect.error !== undefined && turn.expect.status === 200 && turn.model.length === 0) {
    report(["expect", "error"], "a refused request has a `status` of its own: say which");
  }
}

/** Only the request itself can collect calls that were answered on another channel. */
function checkAnswers(turn: CaseTurn, report: Report): void {
  for (const list of ["inbox", "held", "native"] as const) {
    turn[list].forEach(({ action, arguments: args, unset }, index) => {
      if (action === undefined && list !== "native") report([list, index], "must have an `action`");
      if ((args || unset) && action !== "edit") report([list, index], "only an `edit` changes arguments");
    });
  }
}

/** An empty expectation, or the same message twice, is a slip. */
function checkWordings(wordings: CaseFile["wordings"], report: Report): void {
  const seen = new Set<string>();
  for (const [index, { text, description: _, ...expected }] of wordings.entries()) {
    if (seen.has(text)) report(["wordings", index, "text"], "another wording has this text already");
    seen.add(text);
    if (Object.keys(expected).length === 0) report(["wordings", index], "expects nothing: say which `intents` it has");
  }
}
