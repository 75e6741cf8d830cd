/** What a policy may say of the tools that Toolgate runs itself: every error with its path, and what it is warned of. */
import { describe, expect, it } from "vitest";
import { checkNewPolicy } from "../../../../src/policy/check.ts";
import { builtinArguments } from "../../../../src/policy/document/checks/declared-arguments.ts";
import type { PolicyWarning } from "../../../../src/policy/document/policy-issue.ts";
import { builtinNames } from "../../../../src/policy/document/run-parts.ts";
import { builtinTools } from "../../../../src/tools/builtin/builtin-tools.ts";

/** What else there is has tests of its own. */
const ofRuns = ({ severity, code }: PolicyWarning) => severity === "warning" && code !== "mcp_tools_reachable";

async function read(input: unknown) {
  const parsed = await checkNewPolicy(input, "v");
  return parsed.ok
    ? { errors: [], warnings: parsed.value.warnings.filter(ofRuns).map(({ path }) => path) }
    : { errors: parsed.error.map(({ path }) => path), warnings: [] };
}

const parameters = {
  type: "object",
  properties: {
    name: { type: "string" },
    token: { type: "string" },
    address: { $ref: "#/$defs/address" },
    tags: { type: "array", items: { type: "object", properties: { id: {} } } },
    more: { type: "object" },
  },
  anyOf: [{ properties: { code: { type: "string" } } }],
  $defs: { address: { type: "object", properties: { city: { type: "string" } } } },
};

/** One tool `x` that is right, but for what is told. */
const http = (run: object, more: object = {}, name = "x") => ({
  tools: { [name]: { parameters, ...more, run: { kind: "http", url: "https://crm.example.com/find", ...run } } },
});
const server = (settings: object, tools: object = {}) => ({
  mcpServers: { crm: { url: "https://mcp.example.com/", ...settings } },
  tools,
});
const builtin = (name: string, run: object = {}, more: object = {}) => ({
  tools: { [name]: { ...more, run: { kind: "builtin", ...run } } },
});
const url = (text: string, more: object = {}) => http({ url: text, ...more });
const header = (name: string, text = "x") => http({ headers: { [name]: text } });

const gnorm = { url: "https://gnorm.example.com/annotate" };

describe("the run of a managed tool", () => {
  it.each<[string, unknown]>([
    ["templates in path and query", url("https://crm.example.com/{{ arguments.name }}/?q={{arguments.code}}")],
    ["what lies deeper", http({ body: { a: ["{{arguments.address.city}}", "{{arguments.tags.0.id}}", 1, null] } })],
    ["what is in an object that tells nothing of itself", http({ query: { q: "{{arguments.more.of.it}}" } })],
    ["a port", url("https://crm.example.com:8443/a", { allowHosts: ["CRM.example.com:8443"] })],
    ["a secret in a header", header("authorization", "Bearer {{secret.CRM_TOKEN}}")],
    [
      "the user's token",
      http(
        { headers: { authorization: "Bearer {{connection.token}}" }, system: { owner: "user.id" } },
        { connection: "crm" },
      ),
    ],
    [
      "what the gateway fills in",
      http({ system: { owner: "user.id" }, query: { by: "{{system.owner}}", of: "{{arguments.owner}}" } }),
    ],
    ["a result's path", http({ result: "$.items[?@.open == true]" })],
    ["gnorm by another name", builtin("annotate", { tool: "gnorm_annotate", ...gnorm })],
    [
      "a server's tool by the policy's name",
      server({}, { find: { run: { kind: "mcp", server: "crm", tool: "search" } } }),
    ],
    ["a server with a header", server({ headers: { "x-key": "{{secret.K}}" } })],
    [
      "an undo that fits",
      {
        tools: {
          create_note: {
            run: { kind: "builtin" },
            undo: { tool: "delete_note", arguments: { note_id: "{{result.note_id}}" } },
          },
          delete_note: { run: { kind: "builtin" } },
        },
      },
    ],
    [
      "an undo by name",
      {
        tools: {
          create_note: { run: { kind: "builtin" }, undo: "delete_note" },
          delete_note: { run: { kind: "builtin" } },
        },
      },
    ],
  ])("may be %s", async (_, document) => {
    expect(await read(document)).toEqual({ errors: [], warnings: [] });
  });

  it.each<[string, unknown, string]>([
    ["a URL that is none", url("crm.example.com"), "/tools/x/run/url"],
    ["a URL without a host", url("https:///a"), "/tools/x/run/url"],
    ["another scheme", url("ftp://crm.example.com/"), "/tools/x/run/url"],
    ["plain http", url("http://crm.example.com/"), "/tools/x/run/url"],
    ["a template in the host", url("https://{{arguments.name}}.example.com/"), "/tools/x/run/url"],
    ["a template as the port", url("https://crm.example.com:{{arguments.name}}/"), "/tools/x/run/url"],
    ["a user in the URL", url("https://me:pw@crm.example.com/"), "/tools/x/run/url"],
    ["a fragment", url("https://crm.example.com/#a"), "/tools/x/run/url"],
    ["a backslash", url("https://crm.example.com\\@evil.example.com/"), "/tools/x/run/url"],
    [
      "a host that is not listed",
      url("https://crm.example.com/", { allowHosts: ["evil.example.com"] }),
      "/tools/x/run/url",
    ],
    [
      "a list of no hosts",
      url("https://crm.example.com/", { allowHosts: ["crm.example.com", "https://a/"] }),
      "/tools/x/run/allowHosts/1",
    ],
    [
      "a host with a wildcard",
      url("https://crm.example.com/", { allowHosts: ["crm.example.com", "*.example.com"] }),
      "/tools/x/run/allowHosts/1",
    ],
    ["an argument that is not declared", url("https://crm.example.com/{{arguments.nam}}"), "/tools/x/run/url"],
    ["one deeper that is not", http({ body: ["{{arguments.address.town}}"] }), "/tools/x/run/body/0"],
    ["one within a text", http({ body: { a: "{{arguments.name.first}}" } }), "/tools/x/run/body/a"],
    ["one on a prototype", http({ query: { a: "{{arguments.constructor}}" } }), "/tools/x/run/query/a"],
    ["what nothing stands for", http({ query: { a: "{{argument.name}}" } }), "/tools/x/run/query/a"],
    ["half a template", http({ query: { a: "{{arguments.name" } }), "/tools/x/run/query/a"],
    ["a system value that is not set", http({ body: { a: "{{system.owner}}" } }), "/tools/x/run/body/a"],
    ["a secret in the URL", url("https://crm.example.com/?key={{secret.K}}"), "/tools/x/run/url"],
    ["a secret in the body", http({ body: { key: "{{secret.K}}" } }), "/tools/x/run/body/key"],
    ["a secret that no settings can name", header("x-key", "{{secret.my-key}}"), "/tools/x/run/headers/x-key"],
    ["a token of nobody's", header("authorization", "{{connection.token}}"), "/tools/x/run/headers/authorization"],
    ["a token of nobody's as an argument", http({ system: { token: "connection.token" } }), "/tools/x/run/system"],
    [
      "a token in the URL",
      http({ system: { key: "connection.token" }, query: { k: "{{system.key}}" } }, { connection: "crm" }),
      "/tools/x/run/query/k",
    ],
    [
      "a token among what GET sends in its URL",
      http({ method: "GET", system: { key: "connection.token" } }, { connection: "crm" }),
      "/tools/x/run/system/key",
    ],
    ["a header that is none", header("x key"), "/tools/x/run/headers/x key"],
    ["the header host", header("Host"), "/tools/x/run/headers/Host"],
    ["the header content-length", header("content-length"), "/tools/x/run/headers/content-length"],
    ["a hop-by-hop header", header("transfer-encoding"), "/tools/x/run/headers/transfer-encoding"],
    ["a header with a line break", header("x-a", "a\nb: c"), "/tools/x/run/headers/x-a"],
    ["a header twice", http({ headers: { "x-a": "1", "X-A": "2" } }), "/tools/x/run/headers/X-A"],
    ["a body with GET", http({ method: "GET", body: {} }), "/tools/x/run/body"],
    ["a form that is a list", http({ form: true, body: [] }), "/tools/x/run/body"],
    ["a result's path that is none", http({ result: "items" }), "/tools/x/run/result"],
    ["a name that providers refuse", http({}, {}, "x".repeat(65)), `/tools/${"x".repeat(65)}`],
    ["a name with a dot", http({}, {}, "crm.find"), "/tools/crm.find"],
    [
      "a system value that the model must give as well",
      http({ system: { owner: "user.id" } }, { parameters: { ...parameters, anyOf: [{ required: ["owner"] }] } }),
      "/tools/x/run/system/owner",
    ],
    ["an unknown server", { tools: { x: { run: { kind: "mcp", server: "crm" } } } }, "/tools/x/run/server"],
    [
      "a server on a prototype",
      { tools: { x: { run: { kind: "mcp", server: "constructor" } } } },
      "/tools/x/run/server",
    ],
    [
      "two names for a server's tool",
      server({}, { a: { run: { kind: "mcp", server: "crm", tool: "b" } }, b: { run: { kind: "mcp", server: "crm" } } }),
      "/tools/b/run",
    ],
    [
      "settings under the name that a tool has not",
      server({}, { a: { run: { kind: "mcp", server: "crm", tool: "b.c" } }, mcp__crm__b_c: {} }),
      "/tools/mcp__crm__b_c",
    ],
    ["a server's URL that is none", server({ url: "mcp.example.com" }), "/mcpServers/crm/url"],
    ["a server's argument", server({ headers: { "x-a": "{{arguments.name}}" } }), "/mcpServers/crm/headers/x-a"],
    [
      "a server's token of nobody's",
      server({ headers: { "x-a": "{{connection.token}}" } }),
      "/mcpServers/crm/headers/x-a",
    ],
    ["a server's tool with a long name", server({ tools: ["a".repeat(60)] }), "/mcpServers/crm/tools/0"],
    ["a tool that Toolgate does not have", builtin("find"), "/tools/find/run"],
    ["gnorm without a URL", builtin("gnorm_annotate"), "/tools/gnorm_annotate/run/url"],
    ["gnorm with a URL that is none", builtin("gnorm_annotate", { url: "gnorm" }), "/tools/gnorm_annotate/run/url"],
    ["a URL for what reaches nobody", builtin("search_notes", gnorm), "/tools/search_notes/run/url"],
    [
      "a header for what reaches nobody",
      builtin("search_notes", { headers: { a: "b" } }),
      "/tools/search_notes/run/headers",
    ],
    [
      "a run of a group",
      { tools: { "crm_*": { run: { kind: "builtin", tool: "search_notes" } } } },
      "/tools/crm_*/run",
    ],
    [
      "an undo with an argument that there is not",
      {
        tools: {
          x: { undo: { tool: "delete_note", arguments: { note_id: "1", id: "1" } } },
          ...builtin("delete_note").tools,
        },
      },
      "/tools/x/undo/arguments/id",
    ],
    [
      "an undo without one that is needed",
      {
        tools: {
          x: { undo: { tool: "delete_note", arguments: { title: "{{arguments.title}}" } } },
          ...builtin("delete_note").tools,
        },
      },
      "/tools/x/undo/arguments",
    ],
  ])("is not %s", async (_, document, path) => {
    expect((await read(document)).errors).toEqual([path]);
  });

  it("is told of with every error at once", async () => {
    const run = {
      kind: "http",
      url: "http://a.example.com/",
      headers: { host: "b" },
      result: "$[",
      query: { q: "{{x}}" },
    };
    const mcp = { kind: "mcp", server: "gone" };
    const { errors } = await read({
      tools: { a: { run }, b: { run: mcp }, c: { run: { kind: "builtin" } } },
      mcpServers: { m: { url: "m" } },
    });
    expect(errors.sort()).toEqual([
      "/mcpServers/m/url",
      "/tools/a/run/headers/host",
      "/tools/a/run/query/q",
      "/tools/a/run/result",
      "/tools/a/run/url",
      "/tools/b/run/server",
      "/tools/c/run",
    ]);
  });

  it.each<[string, unknown, string]>([
    ["private addresses", url("http://localhost:1/", { allowPrivate: true }), "/tools/x/run/allowPrivate"],
    ["a server's private addresses", server({ allowPrivate: true }), "/mcpServers/crm/allowPrivate"],
    ["hints that are believed", server({ trustAnnotations: true }), "/mcpServers/crm/trustAnnotations"],
    ["no parameters", http({}, { parameters: undefined }), "/tools/x"],
  ])("is warned of: %s", async (_, document, path) => {
    expect(await read(JSON.parse(JSON.stringify(document)))).toEqual({ errors: [], warnings: [path] });
  });

  it.each<[string, object, readonly string[]]>([
    ["in the path", { url: "https://a.example.com/{{arguments.token}}" }, ["/tools/x/redact/0"]],
    ["in the query", { query: { t: "{{arguments.address.city}}" } }, ["/tools/x/redact/1", "/tools/x/redact/2"]],
    ["among all that GET sends", { method: "GET" }, ["/tools/x/redact/0", "/tools/x/redact/1", "/tools/x/redact/2"]],
    ["in the body alone", { body: { t: "{{arguments.token}}" } }, []],
  ])("is warned of what is redacted and stands %s", async (_, run, warnings) => {
    expect((await read(http(run, { redact: ["token", "address.city", "/address/city"] }))).warnings).toEqual(warnings);
  });
});

it("knows what Toolgate's own tools take", () => {
  const unused = async () => Promise.reject(new Error("nothing is run"));
  const tools = builtinTools({ notes: undefined, bibliography: undefined, annotate: { send: unused, now: Date.now } });
  for (const name of builtinNames) {
    const { properties, required = [] } = tools.definition(name).parameters as {
      properties: object;
      required?: readonly string[];
    };
    const { required: needed, optional } = builtinArguments[name];
    expect([name, [...needed, ...optional].sort(), [...needed].sort()]).toEqual([
      name,
      Object.keys(properties).sort(),
      [...required].sort(),
    ]);
  }
});
