/** `docs/api.md`: every method of every path. Pure. */
import { table } from "../markdown.ts";
import { operations } from "./openapi.ts";
import type { Operation } from "./operation.ts";

const INTRO = `\`GET /openapi.json\` serves this description with its schemas (OpenAPI 3.1); the file is \`assets/openapi.json\`. Every request
needs a [key or token](identity.md), unless the table says *open*.

- **Lists** are OpenAI's: \`{ "object": "list", "data": […], "first_id", "last_id", "has_more" }\`, with \`limit\` (20, at
  most 100), \`after\` and \`order\`. Entries without an \`id\` come all at once, and both ids are null.
- **Times** are ISO 8601; OpenAI's own objects (chat completions, models, embeddings) keep seconds.
- **Errors** have OpenAI's form and a stable code: [errors](errors.md#error-codes). Every answer has an \`x-request-id\`.
- **Bodies** may be compressed with gzip or deflate; the limit counts what they hold.
- **Strict.** An unknown parameter or field of a gateway's own route is refused, so that a misspelt one is never passed over. A chat's
  body is the provider's too: what the gateway does not read goes on to it.`;

const WHO = { key: "any key", admin: "admin", operator: "operator", open: "open" } as const;

export function apiPage(): string {
  const topics = [...new Set(operations.map(({ topic }) => topic))];
  return ["# API", INTRO, ...topics.map(section)].join("\n\n");
}

function section(topic: string): string {
  const own = operations.filter((operation) => operation.topic === topic);
  const rows = own.map((one) => [
    `\`${one.method.toUpperCase()} ${one.path}\``,
    one.summary,
    WHO[one.access],
    fields(one),
  ]);
  return [`## ${topic}`, table(["request", "does", "for", "takes"], rows)].join("\n\n");
}

function fields({ parameters, body }: Operation): string {
  const members = Object.keys((body?.properties as object | undefined) ?? {});
  const named = typeof body?.$ref === "string" ? [`body ${body.$ref.split("/").at(-1)}`] : [];
  const sent = members.length > 0 ? [`body ${members.map(quote).join(", ")}`] : named;
  const queries = parameters.filter((one) => one.in === "query").map(({ name }) => quote(name));
  const headers = parameters.filter((one) => one.in === "header").map(({ name }) => quote(name));
  return [
    ...sent,
    ...(queries.length > 0 ? [`query ${queries.join(", ")}`] : []),
    ...(headers.length > 0 ? [`headers ${headers.join(", ")}`] : []),
  ].join("; ");
}

const quote = (name: string): string => `\`${name}\``;
