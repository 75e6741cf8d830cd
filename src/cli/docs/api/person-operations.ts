/** The API for clients and people. */
import { approvalStatuses } from "../../../approvals/approval.ts";
import { PASSED_PATHS } from "../../../http/chat/passed-paths.ts";
import {
  choice,
  FLAG,
  header,
  listOf,
  type Operation,
  ORDER,
  object,
  PAGING,
  query,
  ref,
  replyOf,
  TENANT,
  TEXT,
  topic,
} from "./operation.ts";

const TURN_HEADERS = [
  header("x-toolgate-session", "the session, by an id of the client's choice"),
  header("x-toolgate-mode", "the mode for this session"),
  header("x-toolgate-reset", "begins anew", choice("true", "false")),
  header("x-toolgate-approvals", "how people are asked", choice("inline", "hold", "native")),
  header(
    "x-toolgate-runs",
    "lists managed calls in `toolgate.runs`, with their results if wished",
    choice("tell", "results"),
  ),
  header("x-toolgate-user", "the user; for service keys"),
  header("x-toolgate-role", "the user's role; for service keys"),
  header("x-toolgate-connections", "some of the key's connections, separated by commas; for service keys"),
  header("x-upstream-authorization", "the client's own key for the provider, where the settings allow it"),
];
const SCOPE = query("scope", "`tenant`: everybody's; for admins", choice("own", "tenant"));
const SOURCES = query("scope", "`tenant`: sources of all users; written by admins", choice("user", "tenant"));
const LOOSE = { type: "object" };

const chat = topic("Chat", "key", {
  "POST /v1/chat/completions": [
    "A turn. The body is OpenAI's; `stream` gives events",
    {
      parameters: TURN_HEADERS,
      body: ref("ChatCompletionRequest"),
      ...replyOf(ref("ChatCompletion"), "OpenAI's completion with the object `toolgate`"),
    },
  ],
  "POST /api/chat": [
    "A turn for the AI SDK's `useChat`, as a UI message stream",
    {
      parameters: [
        ...TURN_HEADERS,
        header(
          "x-toolgate-resume",
          "the turn goes on where the page goes away, and may be resumed",
          choice("true", "false"),
        ),
      ],
      body: ref("UiChatRequest"),
      reply: { description: "the AI SDK's UI message stream, version 1", type: "text/event-stream" },
    },
  ],
  "GET /api/chat/{id}/stream": [
    "The reply that is being written in this chat, from its first event on; 204 where none is (`resume` of `useChat`)",
    { reply: { description: "the AI SDK's UI message stream, version 1", type: "text/event-stream" } },
  ],
  "DELETE /api/chat/{id}/stream": ["Ends the turn whose reply can be resumed", { reply: { description: "nothing" } }],
  "POST /v1/responses": [
    "A turn in the Responses API. The body is OpenAI's; `stream` gives its events",
    {
      parameters: TURN_HEADERS,
      body: ref("ResponseRequest"),
      ...replyOf(ref("Response"), "OpenAI's response with the object `toolgate`"),
    },
  ],
  "GET /v1/models": [
    "The upstream's models, and those of each provider under its prefix",
    replyOf(LOOSE, "as the upstream answers, or a list of all"),
  ],
  "GET /v1/models/{model}": ["One model", replyOf(LOOSE, "as the provider answers")],
  ...Object.fromEntries(
    PASSED_PATHS.map((path) => [
      `POST /v1${path}`,
      [
        `${path === "/embeddings" ? "Embeddings" : `OpenAI's \`${path.slice(1)}\``}, passed to the provider`,
        { body: LOOSE, ...replyOf(LOOSE, "as the provider answers") },
      ] as const,
    ]),
  ),
  "POST /v1/intents/detect": [
    "What a message asks for, and why. No turn, no state",
    {
      body: object({ text: TEXT, tool: { description: "a tool's name or definition" }, model: TEXT }, "text"),
      ...replyOf(LOOSE, "intents with their evidence, entities, and what a session would hold"),
    },
  ],
});

const ITEMS = { type: "array", items: LOOSE };
const conversationBody = object({ items: ITEMS, metadata: LOOSE });

const responses = topic("Kept responses", "key", {
  "GET /v1/responses/{id}": ["A response of yours that was kept", replyOf(ref("Response"))],
  "DELETE /v1/responses/{id}": ["Forgets it", replyOf(LOOSE)],
  "GET /v1/responses/{id}/input_items": ["What it answered", { parameters: [...PAGING, ORDER], ...listOf(LOOSE) }],
  "POST /v1/conversations": ["Begins a conversation that is kept", { body: conversationBody, ...replyOf(LOOSE) }],
  "GET /v1/conversations/{id}": ["A conversation of yours", replyOf(LOOSE)],
  "POST /v1/conversations/{id}": [
    "Sets its metadata",
    { body: object({ metadata: LOOSE }, "metadata"), ...replyOf(LOOSE) },
  ],
  "DELETE /v1/conversations/{id}": ["Forgets it, and all that was said in it", replyOf(LOOSE)],
  "GET /v1/conversations/{id}/items": ["What was said in it", { parameters: [...PAGING, ORDER], ...listOf(LOOSE) }],
  "POST /v1/conversations/{id}/items": ["Adds items", { body: object({ items: ITEMS }, "items"), ...listOf(LOOSE) }],
  "GET /v1/conversations/{id}/items/{item}": ["One of its items", replyOf(LOOSE)],
  "DELETE /v1/conversations/{id}/items/{item}": ["Takes an item out of it", replyOf(LOOSE)],
});

const MCP_HEADERS = [
  header("mcp-session-id", "the session, as the answer to `initialize` named it"),
  ...TURN_HEADERS.filter(({ name }) => /session|mode|approvals|user|role/.test(name)),
];

const mcp = topic("MCP", "key", {
  "GET /mcp": [
    "The stream that an MCP client listens on besides its calls",
    { parameters: MCP_HEADERS, ...replyOf(LOOSE, "events: that a list is another") },
  ],
  "POST /mcp": [
    "One message of an MCP client (Streamable HTTP)",
    {
      parameters: MCP_HEADERS,
      body: object({ jsonrpc: TEXT, id: { type: ["string", "number"] }, method: TEXT, params: LOOSE }, "jsonrpc"),
      ...replyOf(LOOSE, "JSON-RPC's answer, or events that end with it"),
    },
  ],
  "GET /.well-known/oauth-protected-resource": [
    "Whose tokens are believed (RFC 9728)",
    { access: "open", ...replyOf(LOOSE, "the metadata; 404 where keys alone are") },
  ],
  "GET /.well-known/oauth-protected-resource/mcp": [
    "The same",
    { access: "open", ...replyOf(LOOSE, "the metadata; 404 where keys alone are") },
  ],
  "DELETE /mcp": ["Ends the session", { parameters: MCP_HEADERS.slice(0, 1) }],
});

const sessions = topic("Sessions", "key", {
  "GET /v1/sessions/{id}": ["A session of yours", replyOf(LOOSE)],
  "PATCH /v1/sessions/{id}": ["Sets the mode", { body: object({ mode: TEXT }, "mode"), ...replyOf(LOOSE) }],
  "DELETE /v1/sessions/{id}": ["Begins anew", replyOf(LOOSE)],
});

const approvals = topic("Approvals", "key", {
  "GET /v1/approvals": [
    "What waits, and what was answered",
    {
      parameters: [...PAGING, ORDER, SCOPE, TENANT, query("status", "of the approval", choice(...approvalStatuses))],
      ...listOf(ref("Approval")),
    },
  ],
  "GET /v1/approvals/events": [
    "A stream of what is asked and answered",
    {
      parameters: [SCOPE, TENANT, query("after", "the last event that you have"), header("last-event-id", "the same")],
      reply: { description: "server-sent events", type: "text/event-stream" },
    },
  ],
  "GET /v1/approvals/{id}": ["One approval", { parameters: [TENANT], ...replyOf(ref("Approval")) }],
  "POST /v1/approvals/{id}": [
    "Answers. The first answer counts",
    { parameters: [TENANT], body: ref("ApprovalAnswer"), ...replyOf(ref("Approval")) },
  ],
  "GET /v1/grants": ["What you allow without being asked", listOf(LOOSE)],
  "GET /v1/grants/{id}": ["One grant", replyOf(LOOSE)],
  "DELETE /v1/grants/{id}": ["Withdraws a grant", replyOf(LOOSE)],
  "GET /v1/gates": ["Your first-time consents", listOf(LOOSE)],
  "POST /v1/gates": [
    "Consents to a tool",
    { body: object({ tool: TEXT, session_id: TEXT }, "tool"), ...replyOf(LOOSE) },
  ],
  "POST /v1/gates/{tool}": ["The same, by path", { body: object({ session_id: TEXT }), ...replyOf(LOOSE) }],
  "DELETE /v1/gates/{tool}": ["Withdraws the consent", replyOf(LOOSE)],
  "GET /approve/{token}": [
    "The page of a signed link",
    { access: "open", reply: { description: "a page", type: "text/html" } },
  ],
  "POST /approve/{token}": ["Its button", { access: "open", reply: { description: "a page", type: "text/html" } }],
});

const calls = topic("Calls", "key", {
  "GET /v1/calls": [
    "Your released calls of 30 days",
    { parameters: [...PAGING, ORDER, query("session", "of one session")], ...listOf(LOOSE) },
  ],
  "GET /v1/calls/{id}": ["One call", replyOf(LOOSE)],
  "POST /v1/calls/{id}/undo": [
    "Makes the call that takes it back",
    { parameters: [header("idempotency-key", "the same key does it once")], ...replyOf(LOOSE) },
  ],
});

const plans = topic("Plans", "key", {
  "GET /v1/plans": [
    "Your plans",
    {
      parameters: [...PAGING, ORDER, query("status", "of the plan")],
      ...listOf(LOOSE),
    },
  ],
  "POST /v1/plans": [
    "Makes a plan of a wish",
    {
      parameters: TURN_HEADERS.slice(0, 2),
      body: object({ input: TEXT, tools: { type: "array", items: LOOSE }, model: TEXT, mode: TEXT }, "input"),
      ...replyOf(LOOSE, "the plan, with `digest` and `placeholders`"),
    },
  ],
  "GET /v1/plans/{id}": ["One plan", replyOf(LOOSE)],
  "POST /v1/plans/{id}/approve": [
    "Approves it as a whole",
    { body: object({ digest: TEXT, placeholders: LOOSE }, "digest"), ...replyOf(LOOSE) },
  ],
  "POST /v1/plans/{id}/run": [
    "Runs it, or goes on",
    {
      body: object({
        placeholders: LOOSE,
        results: { type: "array", items: object({ tool_call_id: TEXT, content: {} }, "tool_call_id", "content") },
        repeat_unknown: FLAG,
        stream: { type: "boolean", default: true },
      }),
      reply: { description: "events of the run; with `stream: false` one JSON", type: "text/event-stream" },
    },
  ],
  "POST /v1/plans/{id}/cancel": ["Cancels it", replyOf(LOOSE)],
});

const SUBSCRIPTION = object(
  { endpoint: TEXT, keys: object({ p256dh: TEXT, auth: TEXT }, "p256dh", "auth") },
  "endpoint",
  "keys",
);
const people = topic("You and your tools", "key", {
  "GET /v1/me": ["Who the gateway takes you for", replyOf(LOOSE)],
  "PUT /v1/push": [
    "Has a browser told of what waits (Web Push); the body is its `PushSubscription`",
    { body: SUBSCRIPTION, ...replyOf(LOOSE) },
  ],
  "DELETE /v1/push": ["Ends that", { body: object({ endpoint: TEXT }, "endpoint"), ...replyOf(LOOSE) }],
  "GET /v1/tools": [
    "What you could use. Admins also see what is withheld, and why",
    {
      parameters: [
        TENANT,
        query("user", "another user; for admins, with `role`"),
        query("role", "as a user of this role; for admins"),
        query("mode", "in this mode"),
        query("format", "as tools of OpenAI or of MCP alone", choice("openai", "mcp")),
      ],
      ...replyOf(LOOSE),
    },
  ],
  "GET /v1/bibliography": [
    "Sources of the built-in bibliography",
    { parameters: [SOURCES, ...PAGING, query("query", "words to find")], ...listOf(LOOSE) },
  ],
  "POST /v1/bibliography": [
    "Adds or replaces sources",
    {
      parameters: [SOURCES],
      body: { type: "array", maxItems: 1000, items: LOOSE, description: "CSL-JSON" },
      ...replyOf(LOOSE),
    },
  ],
  "GET /v1/bibliography/{id}": ["One source", { parameters: [SOURCES], ...replyOf(LOOSE) }],
  "DELETE /v1/bibliography/{id}": ["Removes a source", { parameters: [SOURCES], ...replyOf(LOOSE) }],
});

export const personOperations: readonly Operation[] = [
  ...chat,
  ...responses,
  ...mcp,
  ...sessions,
  ...approvals,
  ...calls,
  ...plans,
  ...people,
];
