/** `docs/policy-reference.md`: every key of a policy, from its schema. Pure. */
import type { SchemaNode } from "./described-schema.ts";
import { anchored, table } from "./markdown.ts";

const INTRO = `Everything has a default, and \`{}\` is a valid policy. The [policy guide](policy.md) explains how the keys work together.
\`policies/policy.schema.json\` is the same for editors.

A *duration* is a number and a unit: \`500ms\`, \`30s\`, \`5m\`, \`24h\`, \`90d\`. A *selector* is \`*\`, a name, a name with \`*\`,
\`category:…\`, \`family:…\` or \`class:…\`. In the tables \`NAME\` stands for a name that you choose.`;

export function policyPage(schema: SchemaNode): string {
  const keys = Object.entries(schema.properties ?? {});
  const sections = keys.filter(([, node]) => rowsOf(node, "").length > 0);
  const overview = table(
    ["key", "type", "default", "meaning"],
    keys.map(([name, node]) => {
      const linked = sections.some(([section]) => section === name);
      return [linked ? `[\`${name}\`](#${name.toLowerCase()})` : anchored(name), ...cells(node)];
    }),
  );
  const parts = sections.map(([name, node]) => section(name, node));
  return ["# Policy keys", INTRO, overview, ...parts].join("\n\n");
}

function section(name: string, node: SchemaNode): string {
  const rows = rowsOf(node, "");
  const kinds = kindsOf(node, "");
  const text =
    node.description === undefined ? [] : [`${node.description.charAt(0).toUpperCase()}${node.description.slice(1)}.`];
  return [
    `## ${name}`,
    ...text,
    table(["key", "type", "default", "meaning"], rows),
    ...kinds.flatMap(({ path, kind, node: variant }) => [
      `### ${path} of kind ${kind}`,
      table(["key", "type", "default", "meaning"], rowsOf(variant, "")),
    ]),
  ].join("\n\n");
}

type Row = readonly string[];

/** One row a key below a node, the names that authors choose as `NAME`. Variants by `kind` have tables of their own. */
function rowsOf(node: SchemaNode, prefix: string): Row[] {
  const rows: Row[] = [];
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    rows.push([`\`${prefix}${name}\``, ...cells(child)]);
    rows.push(...rowsOf(child, `${prefix}${name}.`));
  }
  const { additionalProperties: others, items } = node;
  if (typeof others === "object") rows.push(...rowsOf(others, `${prefix}NAME.`));
  if (items) rows.push(...rowsOf(items, prefix.replace(/\.$/, "[].")));
  for (const variant of variantsOf(node)) if (kindOf(variant) === undefined) rows.push(...rowsOf(variant, prefix));
  return rows;
}

function kindsOf(node: SchemaNode, path: string): { path: string; kind: string; node: SchemaNode }[] {
  const children = Object.entries(node.properties ?? {}).flatMap(([name, child]) => kindsOf(child, name));
  const others = typeof node.additionalProperties === "object" ? kindsOf(node.additionalProperties, path) : [];
  const own = variantsOf(node).flatMap((variant) => {
    const kind = kindOf(variant);
    return kind === undefined ? [] : [{ path, kind, node: variant }];
  });
  return [...children, ...others, ...own];
}

const variantsOf = ({ anyOf, oneOf }: SchemaNode): readonly SchemaNode[] => anyOf ?? oneOf ?? [];

function kindOf({ properties }: SchemaNode): string | undefined {
  const kind = properties?.kind?.const;
  return typeof kind === "string" ? kind : undefined;
}

const cells = (node: SchemaNode): Row => [typeOf(node), defaultOf(node), node.description ?? ""];

function defaultOf({ default: value }: SchemaNode): string {
  const text = JSON.stringify(value);
  return text === undefined || text === "{}" ? "" : `\`${text.replaceAll(",", ", ")}\``;
}

/** Written by the schema of durations. */
const isDuration = ({ pattern }: SchemaNode): boolean => pattern?.endsWith("(ms|s|m|h|d)$") ?? false;

function typeOf(node: SchemaNode): string {
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (node.enum) return node.enum.map((value) => `\`${String(value)}\``).join(", ");
  const variants = variantsOf(node);
  if (variants.length > 0) return [...new Set(variants.map(typeOf))].join(" or ");
  if (isDuration(node)) return "duration";
  if (node.type === "array") return `list of ${plural(typeOf(node.items ?? {}))}`;
  if (node.type === "object" && !node.properties) return `object of ${objectOf(node)}`;
  return node.type === undefined ? "any JSON" : `${node.type}${rangeOf(node)}`;
}

const objectOf = ({ additionalProperties: others }: SchemaNode): string =>
  typeof others === "object" ? plural(typeOf(others)) : "any JSON";

const plural = (type: string): string => (/^(string|number|integer|object|duration)$/.test(type) ? `${type}s` : type);

/** Where it is worth a word: JSON's safe integers are no limit of ours. */
function rangeOf({ minimum, maximum }: SchemaNode): string {
  const most = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  if (minimum !== undefined && minimum <= Number.MIN_SAFE_INTEGER) return most === undefined ? "" : ` up to ${most}`;
  if (minimum !== undefined && most !== undefined) return `, ${minimum} to ${most}`;
  if (minimum !== undefined) return `, ${minimum} or more`;
  return most === undefined ? "" : ` up to ${most}`;
}
