/** A policy whose tools the gateway runs, and cases of it that are right or wrong in one thing. */

const parameters = { type: "object", properties: { q: { type: "string" } } };
const http = (run: object) => ({ kind: "http", url: "https://crm.example.com/find", ...run });

export const managedPolicy = {
  name: "managed",
  tools: {
    find: { category: "read_only", parameters, run: http({ headers: { "x-key": "{{secret.CRM}}" } }) },
    never: { category: "read_only", parameters, run: http({}) },
    mine: {
      category: "read_only",
      connection: "crm",
      parameters,
      run: http({ method: "GET", url: "https://crm.example.com/mine", headers: { "x-key": "{{connection.token}}" } }),
    },
  },
  mcpServers: { desk: { url: "https://desk.example.com/mcp" } },
  intents: { GO: { description: "go on" } },
  handshake: { select: "off" },
  gates: { requireFirstTime: false },
};

const calls = (tool: string, args: object = {}) => ({ calls: [{ tool, arguments: args }] });
const finding = (name: string, expect: object, more: object = {}) => ({
  name,
  turns: [{ user: "go", model: [calls("find", { q: "x" }), { text: "done" }], expect }],
  ...more,
});

const run = { tool: "find", status: "succeeded", failure: null, text: '{"found":1}' };
const right = { runs: [run], audit: { runs: [{ executor: "http", target: "crm.example.com", attempts: 1 }] } };
const answer = {
  method: "POST",
  path: "/find",
  sent: { headers: { "x-key": "case-CRM" }, body: { q: "x" } },
  body: { found: 1 },
};
const own = (one: object) => ({ hosts: { "crm.example.com": [{ ...answer, ...one }] } });

/** By the key of what must fail; each once, and nothing else. */
export const wrongManaged: Readonly<Record<string, object>> = {
  runs: finding("runs", { ...right, runs: [{ ...run, status: "failed" }] }),
  "runs (text 1)": finding("runs (text 1)", { ...right, runs: [{ ...run, text: "no such words" }] }),
  "audit.runs": finding("audit.runs", { ...right, audit: { runs: [{ target: "evil.example.com" }] } }),
  "hosts (sent to crm.example.com)": finding(
    "hosts (sent to crm.example.com)",
    right,
    own({ sent: { body: { q: "y" } } }),
  ),
  hosts: finding("hosts", right, own({ path: "/elsewhere" })),
  "a host that nothing is scripted for": {
    name: "a host that nothing is scripted for",
    principal: { connections: ["crm"] },
    turns: [
      { user: "go", model: [calls("mine"), { text: "done" }], expect: { runs: [{ tool: "mine", status: "failed" }] } },
    ],
  },
  mcp: {
    name: "mcp",
    turns: [
      {
        user: "go",

        model: [calls("mcp__desk__other")],
        expect: { stopReason: "awaiting_approval" },
      },
      { user: "yes", model: [{ text: "done" }], expect: { runs: [{ tool: "mcp__desk__other", status: "failed" }] } },
    ],
  },
};

export const rightManaged = [
  finding("a tool is run, and answered for by the file", right),
  finding(
    "a tool is run, and answered for by the case",
    { ...right, runs: [{ ...run, text: "[2]" }] },
    own({ body: [2] }),
  ),
  {
    name: "the user's token goes to its host",
    principal: { connections: ["crm"] },
    hosts: { "crm.example.com": [{ path: "/mine?q=x", sent: { headers: { "x-key": "case-crm" } }, body: "mine" }] },
    turns: [
      {
        user: "go",
        model: [calls("mine", { q: "x" }), { text: "done" }],
        expect: { runs: [{ tool: "mine", status: "succeeded", text: "mine" }] },
      },
    ],
  },
  {
    name: "a server's tool is run, and answered for by the case",
    mcp: { desk: { results: { look: { seen: true } } } },
    turns: [
      {
        user: "go",
        model: [calls("mcp__desk__look")],
        expect: {
          steps: [
            {
              offered: ["find", "never", "mcp__desk__look", "mcp__desk__other"],
              withheld: { mine: ["connection_missing"] },
            },
          ],
          stopReason: "awaiting_approval",
        },
      },
      {
        user: "yes",
        model: [{ text: "done" }],
        expect: { runs: [{ tool: "mcp__desk__look", status: "succeeded", text: '{"seen":true}' }] },
      },
    ],
  },
];

export const managedCases = {
  hosts: { "crm.example.com": [answer] },
  mcp: { desk: { tools: [{ name: "look" }, { name: "other" }], results: { look: "nothing" } } },
  cases: [...Object.values(wrongManaged), ...rightManaged],
};
