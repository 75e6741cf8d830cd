/** The policy's JSON Schema with a description for each key, from `policyTexts`. */
import * as z from "zod";
import { policyDocument } from "../../policy/document/document-schema.ts";
import { policyTexts } from "./policy-texts.ts";

export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
}

/** Throws if a key has no description, or a text has no key: the page would be wrong. */
export function describedPolicySchema(): SchemaNode {
  /** The schema of the document as a person writes it, not as it is read: defaults are optional and durations are text. */
  const schema: SchemaNode = z.toJSONSchema(policyDocument(), { io: "input", target: "draft-2020-12" }) as SchemaNode;
  const used = new Set<string>();
  const missing: string[] = [];
  const described = describe(schema, "", (path) => {
    used.add(path);
    if (policyTexts[path] === undefined) missing.push(path);
    return policyTexts[path];
  });
  const unused = Object.keys(policyTexts).filter((path) => !used.has(path));
  if (missing.length > 0 || unused.length > 0)
    throw new Error(
      `src/cli/docs/policy-texts.ts: ${[
        ...missing.map((path) => `say what \`${path}\` is for`),
        ...unused.map((path) => `remove \`${path}\`, which the schema does not have`),
      ].join("; ")}`,
    );
  return described;
}

function describe(node: SchemaNode, path: string, textOf: (path: string) => string | undefined): SchemaNode {
  const under = (name: string) => (path === "" ? name : `${path}.${name}`);
  const inner = (one: SchemaNode) => describe(one, path, textOf);
  const { properties, additionalProperties: others, items, anyOf, oneOf } = node;
  return {
    ...node,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => {
          const description = textOf(under(name));
          return [
            name,
            { ...(description === undefined ? {} : { description }), ...describe(child, under(name), textOf) },
          ];
        }),
      ),
    }),
    ...(typeof others === "object" && { additionalProperties: describe(others, under("*"), textOf) }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
  };
}
