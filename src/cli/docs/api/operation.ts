/** The description of one method of one path of the API, and short forms to write it. Pure. */

export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "header";
  readonly description: string;
  readonly schema: JsonSchema;
  readonly required?: boolean;
}

/** `key`: any key or token; `admin`: with the role `admin`; `operator`: an operator's; `open`: none. */
type Access = "key" | "admin" | "operator" | "open";

export interface Operation {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** As OpenAPI writes it: `/v1/calls/{id}`. */
  readonly path: string;
  readonly topic: string;
  readonly summary: string;
  readonly access: Access;
  readonly parameters: readonly Parameter[];
  /** The request's body; absent: none. */
  readonly body?: JsonSchema;
  readonly reply: { readonly description: string; readonly schema?: JsonSchema; readonly type?: string };
}

type Options = Partial<Pick<Operation, "body" | "access" | "parameters" | "reply">>;

/** Operations of one topic, each `"METHOD /path"`. */
export function topic(name: string, access: Access, operations: Readonly<Record<string, readonly [string, Options?]>>) {
  return Object.entries(operations).map(([route, [summary, options = {}]]): Operation => {
    const [method = "", path = ""] = route.split(" ");
    return {
      method: method.toLowerCase() as Operation["method"],
      path,
      topic: name,
      summary,
      access,
      parameters: [],
      reply: { description: "done" },
      ...options,
    };
  });
}

export const query = (name: string, description: string, schema: JsonSchema = { type: "string" }): Parameter => ({
  name,
  in: "query",
  description,
  schema,
});
export const needed = (parameter: Parameter): Parameter => ({ ...parameter, required: true });
export const header = (name: string, description: string, schema: JsonSchema = { type: "string" }): Parameter => ({
  name,
  in: "header",
  description,
  schema,
});
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
export const choice = (...values: readonly string[]): JsonSchema => ({ type: "string", enum: values });
export const object = (
  properties: Readonly<Record<string, JsonSchema>>,
  ...required: readonly string[]
): JsonSchema => ({
  type: "object",
  properties,
  ...(required.length > 0 ? { required } : {}),
});
export const TEXT: JsonSchema = { type: "string" };
export const FLAG: JsonSchema = { type: "boolean" };

export const replyOf = (schema: JsonSchema, description = "done") => ({ reply: { description, schema } });
export const listOf = (schema: JsonSchema) =>
  replyOf(
    object(
      {
        object: { const: "list" },
        data: { type: "array", items: schema },
        first_id: { type: ["string", "null"] },
        last_id: { type: ["string", "null"] },
        has_more: FLAG,
      },
      "object",
      "data",
    ),
    "a page",
  );

/** Parameters of every list. */
export const PAGING: readonly Parameter[] = [
  query("limit", "entries of a page", { type: "integer", minimum: 1, maximum: 100, default: 20 }),
  query("after", "the `id` that the page begins after"),
];
export const ORDER = query("order", "newest or oldest first", choice("asc", "desc"));
export const TENANT = query("tenant", "another tenant; for operators");
