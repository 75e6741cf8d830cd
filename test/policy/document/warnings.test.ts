/** What a policy's author is told of a policy that is valid: codes are part of the API. */
import { describe, expect, it } from "vitest";
import { secretNeeds, unboundSecrets } from "../../../src/policy/document/checks/secret-warnings.ts";
import { parsePolicyDocument } from "../../../src/policy/document/document.ts";
import { type PolicyWarning, warningCodes } from "../../../src/policy/document/policy-issue.ts";

function warned(input: unknown): readonly PolicyWarning[] {
  const parsed = parsePolicyDocument(input);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value.warnings;
}

const placesOf = (input: unknown, only?: string) =>
  warned(input)
    .filter(({ code }) => only === undefined || code === only)
    .map(({ code, path }) => `${code} ${path}`);
const messagesOf = (input: unknown, only: string) =>
  warned(input)
    .filter(({ code }) => code === only)
    .map(({ message }) => message);

const words = { description: "do it" };
const listed = { tools: { send_mail: {}, Send_Note: {} } };

describe("the codes", () => {
  it("are stable", () => {
    expect(warningCodes).toMatchInlineSnapshot(`
      [
        "annotations_trusted",
        "changes_unknown",
        "condition_argument_unknown",
        "condition_without_required",
        "detection_without_words",
        "disclosure_argument_unknown",
        "fail_without_required",
        "family_not_allowed",
        "family_unknown",
        "guard_not_in_force",
        "guard_older_form",
        "guard_overridden",
        "hosted_not_allowed",
        "hosted_unvetted",
        "injection_set_unused",
        "intent_general",
        "intent_without_words",
        "keyword_empty",
        "keyword_shared",
        "layer_not_asked",
        "limit_zero",
        "mcp_tools_reachable",
        "mcp_tools_unreachable",
        "parameters_missing",
        "parameters_replace",
        "pass_field_needless",
        "preview_property_unknown",
        "private_addresses",
        "redacted_in_url",
        "roles_empty",
        "secret_literal",
        "secret_unbound",
        "semantic_few_examples",
        "semantic_not_ready",
        "semantic_untaught",
        "setting_without_effect",
        "system_first_never",
        "tool_not_listed",
        "trusted_text_of_others",
        "undo_argument_unknown",
      ]
    `);
  });
});

describe("names that the policy does not list", () => {
  it("are told with what was probably meant", () => {
    const intents = { A: { ...words, tools: ["send_mial", "send_note", "send_mail"] } };
    expect(messagesOf({ ...listed, intents }, "tool_not_listed")).toEqual([
      "`send_mial` is not listed in `tools`, did you mean `send_mail`?",
      "`send_note` is not listed in `tools`, did you mean `Send_Note`?",
    ]);
    expect(placesOf({ ...listed, intents })).toEqual([
      "tool_not_listed /intents/A/tools/0",
      "tool_not_listed /intents/A/tools/1",
    ]);
  });

  it("are told once an intent where none is near, with what they count as", () => {
    const tools = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "send_mail", "*_x", "category:external"];
    expect(
      messagesOf({ ...listed, unlistedTools: "external", intents: { A: { ...words, tools } } }, "tool_not_listed"),
    ).toEqual([
      "`alpha`, `bravo`, `charlie`, `delta`, `echo` and 1 more are not listed in `tools`, so they count as `external`: list what you mean, with its category",
    ]);
    expect(placesOf({ ...listed, intents: { A: { ...words, primaryTool: "alpha" } } })).toEqual([
      "tool_not_listed /intents/A/primaryTool",
    ]);
  });

  it("are never offered where the policy denies them, which is said", () => {
    const document = { ...listed, unlistedTools: "deny", intents: { A: { ...words, tools: ["alpha"] } } };
    expect(messagesOf(document, "tool_not_listed")).toEqual([
      "`alpha` is not listed in `tools`, so it is never offered: list what you mean, with its category",
    ]);
    const mcpServers = { crm: { url: "https://crm.test" } };
    expect(placesOf({ ...document, intents: { A: words }, mcpServers })).toEqual([
      "mcp_tools_unreachable /mcpServers/crm/tools",
    ]);
    for (const tools of [{ mcp__crm__find: {} }, { find: { run: { kind: "mcp", server: "crm" } } }])
      expect(placesOf({ unlistedTools: "deny", intents: { A: words }, mcpServers, tools })).toEqual([]);
  });

  it("are told in modes where they look like a slip, and not of a server's tools", () => {
    const intents = { A: { ...words, tools: ["mcp__crm__find"] } };
    const mcpServers = { crm: { url: "https://crm.test", tools: ["find"] } };
    const modes = { quiet: { deny: ["send_mial", "run_command"] } };
    expect(placesOf({ ...listed, modes, mcpServers, intents })).toEqual(["tool_not_listed /modes/quiet/deny/0"]);
  });
});

describe("settings that let nobody use a tool", () => {
  it("are a limit of none, and no role", () => {
    const none = [{ max: 0, window: "1h" }];
    const tools = { a: { rateLimits: [{ max: 1, window: "1m" }, ...none] }, b: { roles: [] } };
    const input = { tools, rateLimits: { "*": none }, modes: { m: { roles: [] } }, intents: { A: words } };
    expect(placesOf(input)).toEqual([
      "roles_empty /modes/m/roles",
      "limit_zero /rateLimits/*/0/max",
      "limit_zero /tools/a/rateLimits/1/max",
      "roles_empty /tools/b/roles",
    ]);
  });
});

describe("settings that loosen a group", () => {
  const free = { category: "read_only", trusted: true, confirm: "auto" };

  it("do nothing where no tool of it is listed, which is said", () => {
    const places = (tools: object, more: object = {}) => placesOf({ tools, intents: { A: words }, ...more });
    expect(places({ "*": free })).toEqual([
      "setting_without_effect /tools/*/category",
      "setting_without_effect /tools/*/trusted",
    ]);
    expect(places({ send_mail: {}, "get_*": { class: "safe", directory: true, reversible: true } })).toEqual([
      "setting_without_effect /tools/get_*/class",
      "setting_without_effect /tools/get_*/directory",
      "setting_without_effect /tools/get_*/reversible",
    ]);
    expect(messagesOf({ tools: { "*": { trusted: true } }, intents: { A: words } }, "setting_without_effect")).toEqual([
      "has no effect: `tools` lists no tool that `*` selects, and a tool that is not listed gets no freedom from a group. List the tools by their names",
    ]);
  });

  it("are not warned of where a tool is listed, or where they are stricter", () => {
    for (const tools of [
      { send_mail: {}, "*": free },
      { get_mail: {}, "get_*": free },
      { "*": { category: "external", class: "destructive", trusted: false } },
    ])
      expect(placesOf({ tools, intents: { A: words } }, "setting_without_effect")).toEqual([]);
  });
});

describe("messages that the policy asks to keep", () => {
  it("are not kept where a tool's arguments are redacted, or none are recorded, which is said", () => {
    const audit = { logMessages: true, logMissedMessages: true };
    expect(messagesOf({ ...listed, intents: { A: words }, audit }, "setting_without_effect")).toEqual([]);
    const tools = { a: { redact: ["text"] } };
    expect(
      messagesOf({ tools, intents: { A: words }, audit: { logMessages: true } }, "setting_without_effect"),
    ).toEqual(["keeps no message: arguments of `a` are redacted, and a message may hold the same values"]);
    expect(placesOf({ tools: {}, intents: { A: words }, audit: { ...audit, logToolCalls: false } })).toEqual([
      "setting_without_effect /audit/logMessages",
      "setting_without_effect /audit/logMissedMessages",
    ]);
  });
});

describe("a secret that is written into the policy", () => {
  const run = (headers: object, more: object = {}) => ({
    tools: { t: { parameters: {}, run: { kind: "http", url: "https://crm.test/a", headers, ...more } } },
    intents: { A: words },
  });

  it.each([
    ["authorization", "Bearer sk-proj-abcdefgh12345678"],
    ["authorization", "Basic dXNlcjpwYXNzd29yZA=="],
    ["Authorization", "hunter2hunter2"],
    ["x-api-key", "correct-horse"],
    ["api_key".replace("_", "-"), "12345678"],
    ["cookie", "session=abcdef0123"],
    ["x-auth-token", "abcdefgh"],
    ["x-custom", "ghp_abcdefghijklmnopqrst123456"],
    ["x-custom", "q8Zr1mT4vX0pL7cY2nB5kD9s"],
    ["x-custom", "id=123e4567-e89b-42d3-a456-426614174000"],
    ["authorization", "Bearer {{secret.CRM}} eyJhbGciOiJIUzI1NiJ9.e30.abc"],
  ])("is noticed: %s: %s", (name, value) => {
    const found = warned(run({ [name]: value })).filter(({ code }) => code === "secret_literal");
    expect(found).toMatchObject([{ path: `/tools/t/run/headers/${name}`, severity: "warning" }]);
    expect(JSON.stringify(found)).not.toContain(value);
  });

  it.each([
    ["authorization", "Bearer {{secret.CRM}}"],
    ["authorization", "{{connection.token}}"],
    ["x-api-key", "{{ secret.CRM }}"],
    ["accept", "application/vnd.github.v3+json"],
    ["user-agent", "Mozilla/5.0 (compatible; toolgate/1.0; +https://toolgate.example.com/agents)"],
    ["x-api-version", "2022-11-28"],
    ["content-type", "application/json; charset=utf-8"],
    ["x-token-type", "jwt"],
    ["x-trace", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa111"],
  ])("is not what stands elsewhere or is none: %s: %s", (name, value) => {
    const connected = { tools: { t: { ...run({ [name]: value }).tools.t, connection: "crm" } }, intents: { A: words } };
    expect(placesOf(connected, "secret_literal")).toEqual([]);
  });

  it("is noticed at MCP servers and in built-in tools' headers", () => {
    const headers = { authorization: "Bearer sk-12345678" };
    const mcpServers = { crm: { url: "https://crm.test", tools: ["a"], headers } };
    const tools = { gnorm_annotate: { run: { kind: "builtin", url: "https://g.test", headers } } };
    expect(placesOf({ mcpServers, tools, intents: { A: words } })).toEqual([
      "secret_literal /mcpServers/crm/headers/authorization",
      "secret_literal /tools/gnorm_annotate/run/headers/authorization",
    ]);
  });

  it("belongs into the settings, which must bind it", () => {
    const parsed = parsePolicyDocument(run({ authorization: "Bearer {{secret.CRM}} {{secret.B}}" }));
    if (!parsed.ok) throw new Error("not valid");
    const path = "/tools/t/run/headers/authorization";
    expect(secretNeeds(parsed.value.document)).toEqual([
      { path, secret: "B", host: "crm.test" },
      { path, secret: "CRM", host: "crm.test" },
    ]);
    const unbound = unboundSecrets(parsed.value.document, (name, host) => name === "CRM" && host === "crm.test");
    expect(unbound).toMatchObject([{ code: "secret_unbound", path, message: expect.stringContaining("`B`") }]);
  });
});

describe("intents", () => {
  it("without a description and words cannot be told, but for the fallback and what the guard knows", () => {
    const intents = { A: {}, B: { description: "b" }, C: { examples: ["c"] }, CHAT: {}, code_edit: {} };
    expect(placesOf({ intents, detection: { fallback: "CHAT" }, intentGuard: {} }, "intent_without_words")).toEqual([
      "intent_without_words /intents/A",
    ]);
  });

  it("that are not given are one, which is said as a note", () => {
    expect(warned({})).toMatchObject([{ code: "intent_general", severity: "note", path: "/intents" }]);
    expect(warned({ handshake: { select: "off" } })).toEqual([]);
    expect(warned({ intentGuard: {} })).toEqual([]);
  });
});

describe("`parameters` of a client's tools", () => {
  it("are noted once, and not those of managed tools", () => {
    const schema = { parameters: { type: "object" } };
    const run = { kind: "http", method: "POST", url: "https://crm.test/a" };
    const tools = { a: { ...schema, run }, b: schema, c: schema };
    expect(warned({ tools, intents: { A: words } })).toMatchObject([
      {
        code: "parameters_replace",
        severity: "note",
        path: "/tools/b/parameters",
        message: expect.stringContaining("`b`, `c`"),
      },
    ]);
  });
});

describe("tools of an MCP server that nobody named", () => {
  const url = "https://crm.test";
  const reached = (input: object) => messagesOf({ mcpServers: { crm: { url } }, ...input }, "mcp_tools_reachable");
  const start = "every tool that this server has is offered";

  it("are told where the rules offer them", () => {
    expect(reached({})).toEqual([expect.stringContaining(`${start} under \`general\`: `)]);
    expect(reached({ intents: { A: words, B: { ...words, tools: ["x"] } } })).toEqual([
      expect.stringContaining(`${start} under \`A\`: `),
    ]);
    expect(reached({ handshake: { select: "off" } })).toEqual([expect.stringContaining(`${start} at any time: `)]);
    const intents = Object.fromEntries(["A", "B", "C", "D", "E"].map((name) => [name, words]));
    expect(reached({ intents })).toEqual([expect.stringContaining("`A`, under `B`, under `C` and 2 more: ")]);
  });

  it.each([
    ["the server's `tools` name some", { mcpServers: { crm: { url, tools: ["search_*"] } } }],
    ["each intent has `tools`", { intents: { A: { ...words, tools: ["mcp__crm__*"] } } }],
    ["a group speaks of them", { tools: { "mcp__crm__*": { rateLimits: [{ max: 9, window: "1m" }] } } }],
    ["the mode does not allow them", { modes: { default: { allow: ["category:read_only"] } } }],
    [
      "families narrow the intent",
      { intents: { A: { ...words, families: { allowedFamilies: ["f"] } } }, families: { f: [] } },
    ],
  ])("are not where %s", (_, input) => {
    expect(reached(input)).toEqual([]);
  });
});

describe("`trusted` for a whole result", () => {
  it.each([
    [{ read_mail: { category: "read_only", trusted: true } }, "mail"],
    [{ get_user: { trusted: true, description: "Gives the user\u2019s id, name and bio" } }, "bio"],
    [{ listComments: { category: "external", trusted: true } }, "comment"],
    [{ read_mail: { category: "read_only", trusted: ["/id"] } }, undefined],
    [{ send_mail: { category: "modification", trusted: true } }, undefined],
    [{ read_file: { category: "read_only", trusted: true } }, undefined],
    [{ "category:read_only": { trusted: true, confirm: "auto" } }, undefined],
  ])("%j names %s", (tools, word) => {
    const [message] = messagesOf({ tools }, "trusted_text_of_others");
    if (word === undefined) expect(message).toBeUndefined();
    else expect(message).toContain(`what others write (\`${word}\`): name the fields that nobody else writes`);
  });
});

describe("a field that is trusted, or a directory", () => {
  const found = (tools: object) => placesOf({ tools }, "trusted_text_of_others");

  it("is one that others write", () => {
    const trusted = ["/id", "/*/bio", "/reviews", "/message_id", "/name", "/email", "/shortDescription"];
    expect(found({ get_user: { category: "read_only", trusted } })).toEqual(
      [1, 2, 6].map((index) => `trusted_text_of_others /tools/get_user/trusted/${index}`),
    );
  });

  it("holds what others write", () => {
    const place = ["trusted_text_of_others /tools/find_people/directory"];
    const people = { category: "read_only", directory: true };
    expect(found({ find_people: { ...people, description: "Gives name, email and bio" } })).toEqual(place);
    expect(found({ find_people: { ...people, description: "People whom you may mail, with their email" } })).toEqual(
      [],
    );
  });
});
