/** The API for admins, operators and probes. */
import {
  choice,
  FLAG,
  header,
  listOf,
  needed,
  type Operation,
  ORDER,
  object,
  PAGING,
  type Parameter,
  query,
  ref,
  replyOf,
  TENANT,
  TEXT,
  topic,
} from "./operation.ts";

const LOOSE = { type: "object" };
const CHAIN: readonly Parameter[] = [
  TENANT,
  needed(query("user", "whose records")),
  query("after", "the `seq` that the page begins after"),
];
const PAGED: readonly Parameter[] = [
  TENANT,
  query("user", "of one user"),
  query("from", "ISO 8601, or milliseconds"),
  query("to", "ISO 8601, or milliseconds"),
  ...PAGING,
  ORDER,
];
const RECORDS: readonly Parameter[] = [...PAGED, query("session", "of one session"), query("turn", "of one turn")];
const filters = (...names: readonly string[]): Parameter[] => names.map((name) => query(name, "only these"));
const records = (summary: string, parameters: readonly Parameter[]) =>
  [summary, { parameters, ...listOf(LOOSE) }] as const;
const ERASURE = object({ id: TEXT, user: TEXT, status: choice("in_progress", "completed"), steps: LOOSE, by: TEXT });
const EFFECT = query("effect", "only these", choice("allow", "confirm", "deny"));

const audit = topic("Audit", "admin", {
  "GET /v1/audit/turns": records("Turns", [...RECORDS, ...filters("stop_reason", "arm", "plan")]),
  "GET /v1/audit/turns/{turn}": ["All records of one turn", { parameters: [TENANT], ...replyOf(LOOSE) }],
  "GET /v1/audit/decisions": records("Decisions", [
    ...RECORDS,
    EFFECT,
    ...filters("tool", "reason", "approval", "grant", "undoes", "made_by", "plan"),
  ]),
  "GET /v1/audit/approvals": records("Questions and answers", [...RECORDS, ...filters("tool", "approval", "event")]),
  "GET /v1/audit/runs": records("Runs of managed tools", [
    ...RECORDS,
    ...filters("tool", "status", "executor", "decision"),
  ]),
  "GET /v1/audit/plans": records("Plans", [...RECORDS, ...filters("plan", "event", "status")]),
  "GET /v1/audit/resets": records("What operators have withdrawn from users", [...PAGED, ...filters("event")]),
  "GET /v1/audit/changes": records("What admins have changed for the tenant: policies, keys, servers, settings", [
    ...PAGED,
    ...filters("event"),
  ]),
  "GET /v1/audit/erased": records("What is left of records whose user was erased; `user` names the erasure", PAGED),
  "GET /v1/audit/connections": records("Connections of users", [...PAGED, ...filters("provider", "event")]),
  "GET /v1/audit/experiments": [
    "Who decides first, the model or the system, compared",
    { parameters: [TENANT, ...filters("from", "to", "intent", "policy")], ...replyOf(LOOSE) },
  ],
  "GET /v1/audit/summary": [
    "What the trail comes to: turns, decisions, answers, what was refused most",
    {
      parameters: [TENANT, query("from", "a week ago unless given"), query("to", "now unless given")],
      ...replyOf(LOOSE),
    },
  ],
  "GET /v1/audit/sessions": [
    "Sessions, the last first",
    { parameters: [TENANT, query("user", "of one user"), ...PAGING], ...listOf(LOOSE) },
  ],
  "GET /v1/audit/users": [
    "Users who had a turn in a time, with counts of their sessions, turns and calls",
    {
      parameters: [
        TENANT,
        query("from", "a week ago unless given"),
        query("to", "now unless given"),
        query("search", "a part of the name"),
        query("sort", "what comes first", choice("last", "sessions", "refused")),
        ...PAGING,
      ],
      ...listOf(LOOSE),
    },
  ],
  "GET /v1/audit/chains": [
    "Who has records, by name: each has a chain",
    { parameters: [TENANT, ...PAGING], ...listOf(LOOSE) },
  ],
  "GET /v1/audit/verify": ["Whether a user's chain is whole", { parameters: CHAIN, ...replyOf(LOOSE) }],
  "POST /v1/audit/redeliver": ["Delivers the last 48 hours again", { parameters: CHAIN, ...replyOf(LOOSE) }],
});

const DRY = query("dry_run", "says what it would change", { type: "boolean" });
const IF_MATCH = header("if-match", "the version that you saw, in double quotes");
const SIMULATION = object(
  {
    user: TEXT,
    role: TEXT,
    mode: TEXT,
    tools: { type: "array", items: LOOSE },
    after: { description: "text, or `{ tool, result, arguments? }`, or a list of these" },
    calls: { type: "array", items: object({ name: TEXT, arguments: {} }, "name") },
    policy: ref("Policy"),
    connections: { type: "array", items: TEXT },
    authenticated: FLAG,
  },
  "user",
);
const policies = topic("Policies", "admin", {
  "GET /admin/policies/{tenant}": [
    "The policy in force",
    replyOf(LOOSE, "the document and its version; header `etag`"),
  ],
  "PUT /admin/policies/{tenant}": [
    "Puts a policy in force",
    {
      parameters: [DRY, IF_MATCH, header("if-none-match", "`*`: only where there is none")],
      body: ref("Policy"),
      ...replyOf(LOOSE, "the version, what changes, and warnings"),
    },
  ],
  "DELETE /admin/policies/{tenant}": [
    "Goes back to the built-in policy",
    { parameters: [DRY, IF_MATCH], ...replyOf(LOOSE) },
  ],
  "GET /admin/policies/{tenant}/versions": ["All versions", { parameters: PAGING, ...listOf(LOOSE) }],
  "GET /admin/policies/{tenant}/versions/{version}": ["One version", replyOf(LOOSE)],
  "GET /admin/policies/{tenant}/unlisted-tools": [
    "Tools of the last turns that the policy does not list",
    listOf(object({ name: TEXT }, "name")),
  ],
  "GET /admin/policies/{tenant}/suggestions": [
    "Rules that would ask less, for tools whose questions were always answered with a yes",
    listOf(LOOSE),
  ],
  "GET /admin/policies/{tenant}/missed-messages": [
    "Messages that no intent took and for which the model named one, where `audit.logMissedMessages` keeps them",
    listOf(LOOSE),
  ],
  "GET /admin/policies/{tenant}/candidate": [
    "The policy that judges beside the one in force, and what it would have decided otherwise",
    replyOf(LOOSE, "the candidate, and the differences by tool and reason"),
  ],
  "PUT /admin/policies/{tenant}/candidate": [
    "Lets a policy judge beside the one in force; it decides nothing",
    { body: ref("Policy"), ...replyOf(LOOSE, "its version, and warnings") },
  ],
  "DELETE /admin/policies/{tenant}/candidate": ["Ends the comparison", replyOf(LOOSE)],
  "POST /admin/policies/{tenant}/simulate": [
    "What a turn would do with a message, tools and calls; stores nothing",
    { body: SIMULATION, ...replyOf(LOOSE, "detection, offer, and the decision on each call") },
  ],
  "GET /admin/tools/seen": [
    "Tools of the last turns that the policy does not list: how often, by whom, since when",
    { parameters: [TENANT], ...listOf(LOOSE) },
  ],
  "POST /admin/policies/{tenant}/replay": [
    "Recorded calls judged anew, a page at a time; stores nothing",
    {
      body: object({ policy: ref("Policy"), since: TEXT, after: TEXT, limit: { type: "integer" } }),
      ...replyOf(LOOSE, "what would change, by tool and reason, and what cannot be judged"),
    },
  ],
  "POST /admin/policies/{tenant}/prove": [
    "Proves the invariants of a policy, or shows the turns that break them; stores nothing",
    { body: object({ policy: ref("Policy") }), ...replyOf(LOOSE, "each invariant, and a turn that breaks it") },
  ],
  "POST /admin/policies/{tenant}/diff": [
    "Who would lose and gain what; stores nothing",
    {
      body: object({ policy: ref("Policy"), against: ref("Policy") }, "policy"),
      ...replyOf(LOOSE, "a summary in about ten lines, and all changes"),
    },
  ],
  "POST /admin/policies/{tenant}/rollback": [
    "Puts a version in force again",
    { parameters: [DRY, IF_MATCH], body: object({ version: TEXT }, "version"), ...replyOf(LOOSE) },
  ],
});

const keys = topic("Keys and users", "admin", {
  "GET /admin/keys": ["Keys, without their secrets", { parameters: [TENANT, ...PAGING, ORDER], ...listOf(LOOSE) }],
  "POST /admin/keys": [
    "Makes a key, and shows it once",
    { body: ref("CreateKey"), ...replyOf(LOOSE, "the key, with `token`") },
  ],
  "GET /admin/keys/{id}": ["One key", { parameters: [TENANT], ...replyOf(LOOSE) }],
  "DELETE /admin/keys/{id}": ["Withdraws a key", { parameters: [TENANT], ...replyOf(LOOSE) }],
  "POST /admin/keys/{id}/rotate": [
    "Makes its successor",
    { parameters: [TENANT], body: ref("RotateKey"), ...replyOf(LOOSE) },
  ],
  "GET /v1/users/{id}/connections": ["A user's connections", { parameters: [TENANT], ...listOf(LOOSE) }],
  "PUT /v1/users/{id}/connections": [
    "Sets them all",
    {
      parameters: [TENANT],
      body: object(
        {
          connections: {
            type: "array",
            maxItems: 64,
            items: {
              anyOf: [
                TEXT,
                object(
                  { provider: TEXT, token: TEXT, hosts: { type: "array", items: TEXT }, expires_at: TEXT },
                  "provider",
                ),
              ],
            },
          },
        },
        "connections",
      ),
      ...listOf(LOOSE),
    },
  ],
  "GET /v1/users/{id}/connections/{provider}": ["One connection", { parameters: [TENANT], ...replyOf(LOOSE) }],
  "DELETE /v1/users/{id}/connections/{provider}": ["Removes it", { parameters: [TENANT], ...replyOf(LOOSE) }],
  "GET /v1/users/{id}/grants": ["What a user has allowed for later calls", { parameters: [TENANT], ...listOf(LOOSE) }],
  "DELETE /v1/users/{id}/grants/{grant}": ["Withdraws one", { parameters: [TENANT], ...replyOf(LOOSE) }],
  "GET /v1/users/{id}/gates": ["A user's first-time consents", { parameters: [TENANT], ...listOf(LOOSE) }],
  "DELETE /v1/users/{id}/gates/{tool}": ["Withdraws those to a tool", { parameters: [TENANT], ...replyOf(LOOSE) }],
  "POST /v1/users/{id}/reset": [
    "Ends all of a user's sessions and what waits in them, and withdraws all grants and consents",
    { parameters: [TENANT], ...replyOf(LOOSE, "how many of each there were") },
  ],
  "DELETE /v1/users/{id}": [
    "Erases a person everywhere, and leaves the proof that there were records",
    {
      parameters: [TENANT],
      ...replyOf(ERASURE, "under way, with status 202; `keys_ended` and `keys_left` name the person's keys"),
    },
  ],
  "GET /v1/users/{id}/erasure": [
    "How far the last erasure of the person is, for 30 days after it",
    { parameters: [TENANT], ...replyOf(ERASURE) },
  ],
});

const servers = topic("MCP servers and webhooks", "admin", {
  "GET /admin/mcp": ["Servers, their tools and pins", { parameters: [TENANT], ...listOf(LOOSE) }],
  "DELETE /admin/mcp/{server}": [
    "Forgets a server that the policy does not have",
    { parameters: [TENANT], ...replyOf(LOOSE) },
  ],
  "POST /admin/mcp/{server}/refresh": ["Asks for its tools anew", { parameters: [TENANT], ...replyOf(LOOSE) }],
  "POST /admin/mcp/{server}/tools/{tool}/accept": [
    "Accepts the definition that you compared",
    { parameters: [TENANT], body: object({ digest: TEXT }, "digest"), ...replyOf(LOOSE) },
  ],
  "DELETE /admin/mcp/{server}/tools/{tool}": [
    "Forgets a tool that is gone",
    { parameters: [TENANT], ...replyOf(LOOSE) },
  ],
  "GET /admin/webhooks": ["Receivers and their secrets", { access: "operator", ...listOf(LOOSE) }],
  "GET /admin/tenants": ["Tenants with settings of their own", { access: "operator", ...listOf(LOOSE) }],
  "GET /admin/tenants/{tenant}": ["Its settings, secrets as `***`", { access: "operator", ...replyOf(LOOSE) }],
  "PUT /admin/tenants/{tenant}": [
    "Puts settings in force, whole",
    {
      access: "operator",
      body: object({ settings: LOOSE, jurisdiction: TEXT, shard: TEXT }, "settings"),
      ...replyOf(LOOSE),
    },
  ],
  "DELETE /admin/tenants/{tenant}": ["Gives it the gateway's settings", { access: "operator", ...replyOf(LOOSE) }],
});

const probes = topic("Probes", "open", {
  "GET /health": [
    "Whether the gateway works",
    {
      parameters: [query("strict", "`1`: 503 also where it is `degraded`")],
      ...replyOf(object({ status: TEXT, audit: TEXT })),
    },
  ],
  "GET /metrics": [
    "Counters, where `METRICS=1`",
    { access: "operator", reply: { description: "Prometheus text", type: "text/plain" } },
  ],
  "GET /openapi.json": ["This description", { access: "key", ...replyOf(LOOSE, "OpenAPI 3.1") }],
});

export const operatorOperations: readonly Operation[] = [...audit, ...policies, ...keys, ...servers, ...probes];
