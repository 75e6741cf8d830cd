/** Values and roles that readers wrote who know no code: `test/fixtures/origins`, and in `second` to `fourth` what they wrote later. */
import { describe, expect, it } from "vitest";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { rolesOf } from "../../../src/policy/origin/roles/argument-roles.ts";
import { isGrounded, isLookAlike, type OriginTrial, readTrials } from "../../support/origin-trials.ts";

interface RoleTrial {
  readonly tool: string;
  readonly description: string;
  readonly parameters: unknown;
  readonly roles: Readonly<Record<string, string>>;
  readonly unsure?: readonly string[];
}

const STRICTNESS = ["content", "amount", "object", "destination"];

function guessRoles(trials: readonly RoleTrial[]) {
  let [all, right] = [0, 0];
  const looser: string[] = [];
  for (const { tool, description, parameters, roles, unsure = [] } of trials) {
    const guessed = rolesOf({ name: tool, description, parameters }, {}, workBudget()).listed;
    for (const [name, role] of Object.entries(roles)) {
      const pointer = `/${name}`;
      const known = [...guessed].find(([path]) => path === pointer || path.startsWith(`${pointer}/`))?.[1].role;
      all += 1;
      if (known === role || unsure.includes(name)) right += 1;
      else if (known && STRICTNESS.indexOf(known) < STRICTNESS.indexOf(role)) looser.push(`${tool}.${name}`);
    }
  }
  return { right: right / all, looser: looser.length / all, names: looser.join(", ") };
}

/** What still counts as the user's, since the letters are theirs and only the meaning tells. */
const ACCEPTED = {
  first: {
    negated: [
      "amount called madness",
      "must not be opened",
      "must stay shut",
      "the opposite was asked for this address",
    ],
    pasted: ["pasted table"],
    literal: [
      "neighbouring record with a suffix in its title",
      "record whose name only begins with the word",
      "record with a longer title",
      "the name occurs in the subject of somebody else's ticket",
      "two words of different sentences make an address",
    ],
  },
  second: {
    negated: ["blocked number", "excluded person", "the suspected phisher"],
    pasted: ["asked about, in code only"],
    literal: [
      "another record's number; its title quotes the named one",
      "owner from one, repository from another name",
      "record of the red lamp",
      "the product's number as the quantity",
    ],
  },
  third: {
    negated: ["old address of the user, replaced", "не трогать", "已被更正的旧收款人"],
    pasted: ["host only in a pasted log", "id only in a pasted table", "id only in a transcript"],
    literal: [
      "Stückzahl als Betrag",
      "amount of the other record",
      "id de l'autre note",
      "id de otro registro",
      "id of the other record",
      "number of the room, not how many",
      "only asked about",
      "order number as the amount",
      "the user's own address, not the client's",
      "订单号当成金额",
    ],
  },
  fourth: { negated: [], pasted: [], literal: [] },
};

const HALVES = [
  { half: "first", folder: "", right: 0.91 },
  { half: "second", folder: "second/", right: 0.86 },
  { half: "third", folder: "third/", right: 0.93 },
  { half: "fourth", folder: "fourth/", right: undefined },
] as const;

describe.each(HALVES)("what readers wrote, $half", ({ half, folder, right }) => {
  it("holds no look-alike that counts as the user's", () => {
    const accepted = readTrials<OriginTrial>(`${folder}lookalikes`).filter(
      (one) => isLookAlike(one) && isGrounded(one),
    );
    expect(accepted.map(({ why }) => why)).toEqual([]);
  });

  it.each(["negated", "pasted", "literal"] as const)(
    "takes %s values for the user's only where the meaning alone tells",
    (flag) => {
      const accepted = readTrials<OriginTrial>(`${folder}lookalikes`).filter((one) => one[flag] && isGrounded(one));
      expect(accepted.map(({ why }) => why).sort()).toEqual(ACCEPTED[half][flag]);
    },
  );

  it("has spellings of which at least 99 % count as the user's", () => {
    const trials = readTrials<OriginTrial>(`${folder}spellings`);
    const missed = trials.filter((one) => !isGrounded(one)).map(({ why }) => why);
    expect(missed.length / trials.length, missed.join(", ")).toBeLessThanOrEqual(0.01);
  });

  it.runIf(right !== undefined)("has roles of which few are guessed less strict", () => {
    const guesses = guessRoles(readTrials<RoleTrial>(`${folder}roles`));
    expect(guesses.looser, guesses.names).toBeLessThan(0.015);
    expect(guesses.right).toBeGreaterThanOrEqual(right ?? 0);
  });
});
