/** What the policy that is drafted for a list of tools hears in sentences that people say to such tools, and in some that ask for nothing. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { draftPolicy } from "../../../src/cli/policy/init/draft-policy.ts";
import { checkPolicy } from "../../../src/policy/check.ts";
import type { PolicyDocument } from "../../../src/policy/document/document-schema.ts";
import { hear, subjectWith, type TrainingAssets } from "../../bench/intents/everyday.ts";

/** A list of tools, and by language the sentences of each tool; `none` asks for nothing. */
interface WishList {
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly arguments: readonly string[];
  }[];
  readonly wishes: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

export interface HeardWish {
  readonly list: string;
  readonly language: string;
  readonly text: string;
  readonly expected: string | undefined;
  readonly selected: readonly string[];
  readonly outcome: "right" | "missed" | "unasked";
}

const toolsOfList = (name: string) => {
  const { tools } = listOf(name);
  return tools.map(({ name, description, arguments: names }) => ({
    name,
    description,
    parameters: { type: "object", properties: Object.fromEntries(names.map((one) => [one, { type: "string" }])) },
  }));
};

const listOf = (name: string): WishList =>
  JSON.parse(readFileSync(at(`../../fixtures/drafted-wishes/${name}.json`), "utf8"));

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url).href);

/**
 * Right: the intent of the tool is held after the message, and none that acts besides. Unasked: an intent that acts is held, and
 * nobody asked for it; after a message that asks for nothing, any intent. Missed: all others.
 */
export async function hearWishes(list: string, assets: TrainingAssets, change = (document: object) => document) {
  const checked = checkPolicy(change(draftPolicy(toolsOfList(list), list).document), "v");
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  const { policy, document } = checked.value;
  const subject = subjectWith(policy, assets);
  const heard: HeardWish[] = [];
  for (const [language, byTool] of Object.entries(listOf(list).wishes))
    for (const [tool, texts] of Object.entries(byTool))
      for (const text of texts) {
        const { selected } = await hear(subject, { policy: list, language, kind: "wish", text });
        const expected = tool === "none" ? undefined : intentOf(document, tool);
        const unasked = selected.filter(
          (name) => name !== expected && (expected === undefined || acts(document, name)),
        );
        const isRight = expected === undefined || selected.includes(expected);
        const outcome = unasked.length > 0 ? "unasked" : isRight ? "right" : "missed";
        heard.push({ list, language, text, expected, selected, outcome });
      }
  return heard;
}

const acts = ({ intents }: PolicyDocument, name: string): boolean =>
  intents[name]?.tools?.some((tool) => tool !== "category:read_only") === true;

/** The intent that permits the tool; of one that only reads, which every intent permits, the one that is named after its family. */
function intentOf({ intents, families }: PolicyDocument, tool: string): string {
  const own = Object.keys(intents).find((name) => intents[name]?.tools?.includes(tool));
  const family = Object.keys(families).find((name) => families[name]?.includes(tool));
  return own ?? `${family}_find`.toUpperCase();
}
