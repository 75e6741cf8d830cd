/** What a draft calls the things that tools work on, and the words that people have for them. */
import { describe, expect, it } from "vitest";
import { draftPolicy } from "../../../src/cli/policy/init/draft-policy.ts";
import { checkPolicy } from "../../../src/policy/check.ts";
import type { ToolWords } from "../../../src/policy/infer/evidence.ts";

const text = { type: "string" };
const tool = (name: string, description: string, properties: object = {}): ToolWords => ({
  ...{ name, description },
  parameters: { type: "object", properties, required: Object.keys(properties) },
});

function drafted(...tools: readonly ToolWords[]) {
  const result = checkPolicy(draftPolicy(tools, "drafted").document, "v");
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value.document;
}

describe("the families and words of a draft", () => {
  const familyOf = (one: ToolWords, ...others: readonly ToolWords[]) =>
    Object.entries(drafted(one, ...others).families).find(([, names]) => names.includes(one.name))?.[0];

  it.each([
    [
      "a page that the same tools write",
      "page",
      tool("get_page", "Get a page.", { id: text }),
      [tool("create_page", "Create a page.", { title: text })],
    ],
    ["a page of the web", "web", tool("get_page", "Get a page.", { url: text }), []],
    ["a branch of a database", "branch", tool("delete_branch", "Delete a branch.", { id: text }), []],
    [
      "a branch of a repository",
      "repository",
      tool("delete_branch", "Delete a branch.", { id: text }),
      [tool("get_commit", "Get a commit.", { id: text })],
    ],
    ["a filter of Gmail", "filter", tool("create_gmail_filter", "Create a Gmail filter.", { criteria: text }), []],
    [
      "a search by a language",
      "confluence",
      tool("searchConfluenceUsingCql", "Search content using CQL.", { cql: text }),
      [],
    ],
    ["a credit note", "payment", tool("list-credit-notes", "List credit notes."), []],
  ] as const)("%s: %s", (_, family, one, others) => {
    expect(familyOf(one, ...others)).toBe(family);
  });

  it("has plurals as people write them, and an account of a person that is no bank's", () => {
    const { intents } = drafted(
      tool("list_query", "List every query."),
      tool("get_loss", "Get the loss."),
      tool("lookupUserAccount", "Look up the accounts of existing users.", { name: text }),
    );
    const examples = Object.values(intents)
      .flatMap(({ examples }) => examples)
      .join("\n");
    expect(examples).not.toMatch(/querys|losss|口座/);
    expect(examples).toContain("アカウント");
  });
});
