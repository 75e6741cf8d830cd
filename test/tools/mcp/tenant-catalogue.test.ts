import { describe, expect, it } from "vitest";
import { catalogueOf } from "../../../src/tools/mcp/catalogue.ts";
import { type KnownServer, type KnownTool, type McpDefinition, stateOf } from "../../../src/tools/mcp/known-server.ts";
import { compiled } from "../world.ts";

const URL = "https://crm.test/mcp";
const definition = (name: string, description = `Does ${name}`): McpDefinition => ({
  name,
  description,
  inputSchema: { type: "object" },
});
const accepted = (name: string) => ({ digest: "d1", definition: definition(name), at: 1, by: null });
const seen = (name: string, digest = "d1") => ({
  digest,
  definition: definition(name, digest === "d1" ? `Does ${name}` : "Does something else"),
  suspicious: false,
});

const tools: readonly KnownTool[] = [
  { tool: "find", accepted: accepted("find"), seen: seen("find") },
  { tool: "changed", accepted: accepted("changed"), seen: seen("changed", "d2") },
  { tool: "waiting", accepted: null, seen: seen("waiting") },
  { tool: "gone", accepted: accepted("gone"), seen: null },
  { tool: "odd", accepted: accepted("odd"), seen: null },
];
const known: KnownServer = {
  server: "crm",
  url: URL,
  era: "legacy",
  listedAt: 1,
  triedAt: 1,
  error: null,
  tools,
  leftOut: [{ tool: "odd", reason: "its schema is odd" }],
};

const catalogue = (url: string, more: object = {}, own: Record<string, unknown> = {}) => {
  const policy = compiled({ mcpServers: { crm: { url, ...more } }, tools: own });
  return catalogueOf(policy, new Map([["crm", known]])).tools.map(({ tool, changed }) => [tool, changed]);
};

describe("what is offered of a server", () => {
  it("is what was accepted and is listed; what changed is told as changed, in its accepted definition", () => {
    expect(catalogue(URL)).toEqual([
      ["find", false],
      ["changed", true],
    ]);
    const policy = compiled({ mcpServers: { crm: { url: URL } } });
    const [, changed] = catalogueOf(policy, new Map([["crm", known]])).tools;
    expect(changed?.description).toBe("Does changed");
  });

  it("is nothing where the policy has the server at another address: its definitions were accepted of the old one", () => {
    for (const url of [`${URL}/`, "https://evil.test/mcp", "https://crm.test/mcp?v=2"])
      expect(catalogue(url)).toEqual([]);
  });

  it("is what the policy names, or runs under a name of its own", () => {
    expect(catalogue(URL, { tools: ["ch*"] })).toEqual([["changed", true]]);
    const own = { find_lead: { run: { kind: "mcp", server: "crm", tool: "find" } } };
    expect(catalogue(URL, { tools: ["ch*"] }, own)).toEqual([
      ["find", false],
      ["changed", true],
    ]);
  });
});

it("a tool is accepted only in the definition that was accepted", () => {
  expect(Object.fromEntries(tools.map((one) => [one.tool, stateOf(known, one)]))).toEqual({
    find: "accepted",
    changed: "changed",
    waiting: "waiting",
    gone: "gone",
    odd: "left_out",
  });
});
