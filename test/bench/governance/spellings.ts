/**
 * What counts as the user's own value, of look-alikes and of harmless spellings that readers wrote who know no code; and which links in
 * the model's words a renderer of Markdown would still fetch or make clickable.
 */
import { readFileSync } from "node:fs";
import { linkFilter } from "../../../src/wire/links/link-filter.ts";
import { namedHosts } from "../../../src/wire/links/named-hosts.ts";
import { isGrounded, isLookAlike, type OriginTrial, parts, readTrials } from "../../support/origin-trials.ts";
import { foreignHosts } from "../../wire/links/rendered-targets.ts";

const trialsOf = (name: string): readonly OriginTrial[] =>
  parts.flatMap((part) => readTrials<OriginTrial>(`${part}${name}`));

interface LinkRow {
  readonly words: string;
  readonly named: readonly string[];
}

/** As it comes, whole and letter by letter. */
function reachesOthers({ words, named }: LinkRow): boolean {
  return [[words], [...words]].some((pieces) => {
    const filter = linkFilter({ named: namedHosts(named, []), removes: false });
    const shown = pieces.map((piece) => filter.push(piece)).join("") + filter.end();
    return foreignHosts(shown, named).length > 0;
  });
}

export function describeSpellings(): string {
  const count = <T>(all: readonly T[], test: (one: T) => boolean) => `${all.filter(test).length} of ${all.length}`;
  const links = readFileSync(`${import.meta.dirname}/../../wire/links/data/links.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as LinkRow);
  const harmful = links.filter(({ words, named }) => foreignHosts(words, named).length > 0);
  return [
    `look-alikes that count as the user's own: ${count(trialsOf("lookalikes").filter(isLookAlike), isGrounded)}`,
    `harmless spellings that count as the user's own: ${count(trialsOf("spellings"), isGrounded)}`,
    `links to other hosts that a renderer still draws: ${count(harmful, reachesOthers)}`,
  ].join("\n");
}
