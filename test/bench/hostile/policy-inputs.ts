/** What an operator of one tenant writes: documents of up to 64 KB, checked, put in force, and met by a user's message. */
import { bytesOf, fill, type HostileInput, MAX_BYTES, noise } from "./hostile-input.ts";
import { outcomeOf } from "./outcome.ts";

const SIZE = MAX_BYTES - 1_000;
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const map = <T>(count: number, make: (index: number) => T, key = "k"): Record<string, T> =>
  Object.fromEntries(many(count, (i) => [`${key}${i}`, make(i)]));
/** As many as fit. */
const list = (make: (index: number) => string): string[] => {
  const size = bytesOf(JSON.stringify(make(1_000))) + 1;
  return many(Math.floor(SIZE / size), make);
};
const intents = (of: object) => ({ intents: { A: of } });
const large = (i: number) => `(?:.{0,${400 + (i % 99)}}b)${i}`;
const explodes = (i: number) => `a(?:a|b){${300 + (i % 99)}}c?${i % 10}?$`;
const http = (more: object) => ({
  category: "read_only",
  description: "d",
  parameters: { type: "object" },
  run: { kind: "http", url: "https://a.example/b", ...more },
});
const nested = (depth: number): unknown => (depth === 0 ? {} : { properties: { a: nested(depth - 1) } });

const documents: Readonly<Record<string, unknown>> = {
  "many keywords": intents({ keywords: list((i) => `w${i}`) }),
  "keywords that begin alike": intents({ keywords: list((i) => `${"a".repeat(20)}${i}`) }),
  "keywords of one letter repeated": intents({ keywords: many(350, (i) => "a".repeat(i + 1)) }),
  "keywords of other scripts": intents({ keywords: list((i) => `日本語${i}`) }),
  "patterns, many": intents({ patterns: list((i) => `make\\s+(a\\s+)?w${i}s?`) }),
  "patterns without a word": intents({ patterns: list((i) => `[a-c]+[0-9]{2}[d-f]*.{0,${i % 9}}`) }),
  "patterns that are large": intents({ patterns: list(large) }),
  "patterns whose states explode": intents({ patterns: list(explodes) }),
  "patterns of classes": intents({ patterns: list((i) => `(?i)[\\p{L}\\P{Lu}${i}]+`) }),
  "patterns of alternatives": intents({ patterns: many(30, (i) => many(280, (j) => `w${i}${j}`).join("|")) }),
  "patterns of brackets": intents({ patterns: many(60, () => `${"(".repeat(300)}a${")*".repeat(300)}`) }),
  "patterns that are none": intents({ patterns: list(() => "(?=a)[[:") }),
  "examples for the layer semantic": {
    ...intents({ examples: list((i) => `make me a quiz about ${noise("abcdef", 8, i + 1)}`) }),
    detection: { layers: ["semantic"] },
  },
  "many intents": { intents: map(1_200, (i) => ({ description: "d", keywords: [`w${i}`] })) },
  "intents with a primary tool": {
    intents: map(600, (i) => ({ tools: ["family:f"], primaryTool: `t${i % 9}`, description: "d" })),
    families: { f: ["t*"] },
    tools: map(9, () => ({ category: "read_only" }), "t"),
  },
  "intents with many tools": { intents: map(60, () => ({ tools: many(130, (i) => `t${i}_*`) })) },
  "entities of patterns": { entities: map(500, (i) => ({ pattern: [`(?P<value>[a-z]+)${i}`, `x${i}(.+?)y`] })) },
  "entities of large patterns": { entities: map(900, (i) => ({ pattern: large(i) })) },
  "entities whose states explode": { entities: map(900, (i) => ({ pattern: explodes(i) })) },
  "entities that match everything": { entities: map(900, () => ({ pattern: "(\\w+)\\s?(\\w*)" })) },
  "entities of synonyms": { entities: { e: { synonyms: map(600, (i) => many(9, (j) => `s${i} ${j}`)) } } },
  "synonyms that begin alike": { entities: { e: { synonyms: map(300, (i) => [`${"a ".repeat(45)}${i}`]) } } },
  "a pattern for the user's words": { detection: { extract: "<a>(.*?)(?:b|c){300}</a>" } },
  "injection sets": { injection: { sets: ["x"], custom: { x: list((i) => `w${i}[a-c]*.{0,9}z`) } } },
  "injection sets whose states explode": { injection: { sets: ["x"], custom: { x: many(60, explodes) } } },
  "many injection sets": {
    injection: { sets: many(900, (i) => `s${i}`), custom: map(900, (i) => [`w${i}[a-c]*z`], "s") },
  },
  "many tools": { tools: map(1_500, () => ({ category: "read_only" })) },
  "many groups": { tools: Object.fromEntries(many(1_300, (i) => [`t${i}_*`, { confirm: "ask" }])) },
  "groups of stars": {
    tools: Object.fromEntries(many(600, (i) => [`${"a*".repeat(1)}${i}*`, { confirm: "ask", redact: ["a.b"] }])),
  },
  "groups, as many as may be": { tools: Object.fromEntries(many(300, (i) => [`t${i}_*`, { confirm: "ask" }])) },
  "families, as many names with stars as may be": { families: { f: many(300, (i) => `*t${i}*x*y`) } },
  "a mode of many selectors": { modes: { default: { allow: many(2_000, () => "family:f") } }, families: { f: ["a"] } },
  "many families": { families: map(700, () => many(6, (j) => `t${j}_*`)) },
  "many modes": {
    modes: map(700, () => ({ allow: ["family:f", "t_*"], deny: ["category:external"] })),
    families: { f: ["a"] },
  },
  "many rate limits": { rateLimits: map(900, () => [{ max: 1, window: "1h" }], "t") },
  "many roles": { roles: many(4_000, (i) => `r${i}`) },
  "roles in many lists": {
    roles: many(300, (i) => `r${i}`),
    tools: map(30, () => ({ roles: many(300, (i) => `r${i}`) })),
  },
  "redacted paths": { tools: { "*": { redact: many(9_000, (i) => `a.${i % 10}`) } } },
  "a schema of many parts": { tools: { t: { parameters: { properties: map(4_000, () => ({})) } } } },
  "a schema of patterns": { tools: { t: { parameters: { properties: map(900, (i) => ({ pattern: large(i) })) } } } },
  "many schemas": { tools: map(900, () => ({ parameters: { properties: { a: { type: "string" } } } })) },
  "a deep schema": { tools: { t: { parameters: nested(45) } } },
  "a deep document": { tools: { t: { parameters: JSON.parse(`${'{"a":'.repeat(95)}1${"}".repeat(95)}`) as unknown } } },
  "templates, many": { tools: map(160, (i) => http({ query: map(9, () => `{{arguments.a${i}}}`) })) },
  "templates of braces": {
    tools: map(25, () => http({ query: { q: fill("{{", 1_000) }, headers: { a: fill("{{ ", 1_000) } })),
  },
  "a body of templates": { tools: { t: http({ body: many(2_500, (i) => `{{arguments.a${i}}}`) }) } },
  "a body nested deep": { tools: { t: http({ body: JSON.parse(`${"[".repeat(90)}1${"]".repeat(90)}`) as unknown }) } },
  "JSON paths, many": { tools: map(90, () => http({ result: `$${"[?@.a=='b']".repeat(1)}${".a".repeat(200)}` })) },
  "JSON paths of brackets": { tools: map(90, () => http({ result: `$[?${"(".repeat(240)}@.a${")".repeat(240)}]` })) },
  "JSON paths of names": { tools: map(90, () => http({ result: `$${"['a']".repeat(100)}` })) },
  "disclosures of templates": { tools: map(14, () => ({ disclosure: fill("{{a}} ", 4_000) })) },
  "undo of many": {
    tools: {
      ...map(300, (i) => ({ undo: { tool: `u${i}`, arguments: map(6, () => "{{result.a.b}}") } }), "t"),
      ...map(300, () => ({}), "u"),
    },
  },
  "MCP servers, many": { mcpServers: map(700, () => ({ url: "https://a.example/mcp", tools: ["a*"] }), "s") },
  "hosts, many": { tools: { t: http({ allowHosts: many(4_000, (i) => `h${i}.example`) }) } },
  "unknown members": map(6_000, () => 1),
  "wrong everywhere": {
    tools: map(1_500, () => ({ category: "x", roles: 1 })),
    intents: map(600, () => ({ tools: 5 })),
  },
  "guard of many tools": { intentGuard: { toolFamilies: map(900, () => "browser", "t") } },
  "guard of many intents": { intentGuard: { intents: map(700, () => ({ allowedFamilies: ["browser"] }), "I") } },
};

/** What makes most of the patterns above work. */
const message = `make a w1 ${noise("ab1c ", 7_900)}`;
type Headers = Readonly<Record<string, string>>;
const ADMIN = { authorization: "Bearer tg-dev-admin" };

export const policyInputs: readonly HostileInput[] = Object.entries(documents).flatMap(([name, document]) => [
  {
    name: `policy: ${name}, checked`,
    async send(gateway, salt) {
      const body = { name: salt, ...(document as object) };
      const reply = await gateway.send("PUT", "/admin/policies/default?dry_run=true", body, ADMIN);
      return { bytes: bytesOf(body), outcome: outcomeOf(reply.text, reply.status) };
    },
  } satisfies HostileInput,
  {
    name: `policy: ${name}, met by a message`,
    prepare: (gateway, salt) =>
      gateway.tenant({ name: salt, handshake: { select: "off" }, ...(document as object) }, salt),
    async send(gateway, salt, headers) {
      gateway.script(
        { calls: [{ name: "t", arguments: JSON.stringify({ a: `${salt} ${message}` }) }] },
        { text: "ok" },
      );
      const tools = [{ type: "function", function: { name: "t", parameters: { type: "object" } } }];
      const body = { model: "m", stream: true, messages: [{ role: "user", content: `${salt} ${message}` }], tools };
      const reply = await gateway.send("POST", "/v1/chat/completions", body, headers as Headers);
      return { bytes: bytesOf(document), outcome: outcomeOf(reply.text, reply.status) };
    },
  } satisfies HostileInput,
]);
