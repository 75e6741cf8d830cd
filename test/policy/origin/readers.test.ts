/** Values and roles that readers wrote who know no code: `test/fixtures/origins`. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { withoutPasted } from "../../../src/intent/lexical/pasted-text.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { callValues, rolesOf } from "../../../src/policy/origin/argument-roles.ts";
import { type SourceText, sourcesOf } from "../../../src/policy/origin/sources.ts";

interface Trial {
  readonly user: string;
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  readonly argument: string;
  readonly why: string;
  readonly trusted?: unknown;
  /** The words rule the value out, hold it only as pasted text, or hold it literally: no spelling tells these. */
  readonly negated?: true;
  readonly pasted?: true;
  readonly literal?: true;
}

interface RoleTrial {
  readonly tool: string;
  readonly description: string;
  readonly parameters: unknown;
  readonly roles: Readonly<Record<string, string>>;
  readonly unsure?: readonly string[];
}

const load = <T>(name: string): T[] =>
  readFileSync(`${import.meta.dirname}/../../fixtures/origins/${name}.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

function isGrounded({ user, tool, argument, trusted, ...trial }: Trial): boolean {
  const texts: SourceText[] = [{ kind: "user", text: withoutPasted(user) }];
  const trust = { whole: true, fields: [] };
  if (trusted !== undefined)
    texts.push({ kind: "result", tool: "find", callId: "c", text: JSON.stringify(trusted), trust });
  const values = callValues(rolesOf({ name: tool }, {}, workBudget()), trial.arguments, workBudget()).filter(
    ({ pointer }) => pointer === argument || pointer.startsWith(`${argument}/`),
  );
  const sources = sourcesOf(texts, { year: 2026 });
  return values.length > 0 && values.every(({ value }) => sources.originOf(value) !== undefined);
}

describe("what readers wrote", () => {
  it("holds no look-alike that counts as the user's", () => {
    const accepted = load<Trial>("lookalikes").filter(
      (one) => !one.negated && !one.pasted && !one.literal && isGrounded(one),
    );
    expect(accepted.map(({ why }) => why)).toEqual([]);
  });

  it("takes values that the words rule out for the user's only where the meaning alone tells", () => {
    const accepted = load<Trial>("lookalikes").filter((one) => one.negated && isGrounded(one));
    expect(accepted.map(({ why }) => why).sort()).toEqual([
      "amount called madness",
      "must not be opened",
      "must stay shut",
      "the opposite was asked for this address",
    ]);
  });

  it("has spellings of which at least 98 % count as the user's", () => {
    const trials = load<Trial>("spellings");
    expect(trials.filter(isGrounded).length / trials.length).toBeGreaterThanOrEqual(0.98);
  });

  it("has roles of which few are guessed less strict", () => {
    const strictness = ["content", "amount", "object", "destination"];
    let all = 0;
    const looser: string[] = [];
    for (const { tool, description, parameters, roles, unsure = [] } of load<RoleTrial>("roles")) {
      const guessed = rolesOf({ name: tool, description, parameters }, {}, workBudget()).listed;
      for (const [name, role] of Object.entries(roles)) {
        const pointer = `/${name}`;
        const known = [...guessed].find(([path]) => path === pointer || path.startsWith(`${pointer}/`))?.[1].role;
        all += 1;
        if (known && strictness.indexOf(known) < strictness.indexOf(role) && !unsure.includes(name))
          looser.push(`${tool}.${name}`);
      }
    }
    expect(looser.length / all, looser.join(", ")).toBeLessThan(0.05);
  });
});
