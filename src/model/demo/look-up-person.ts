/** The step of a plan that finds out somebody's address. Pure. */

import type { WantedPerson } from "./find-recipient.ts";
import { planArguments } from "./plan-arguments.ts";
import { type DemoTool, readSchema } from "./tool-schema.ts";
import { readWords } from "./words.ts";

export interface DemoStep {
  readonly id: string;
  readonly intent: string;
  readonly tool: string;
  readonly arguments: { readonly input: unknown };
}

/** A call of a tool that finds people, where there is one. */
export function lookUp(person: WantedPerson, other: DemoTool, tools: readonly DemoTool[]): DemoStep | undefined {
  const tool = tools.find((one) => one !== other && findsPeople(one));
  if (tool === undefined) return undefined;
  const whom = person.name ?? `the ${person.kind}`;
  // Its schema's words are chosen by what is in the text.
  const text = `find the ${person.kind ?? "contact"} ${person.name ? `name: "${person.name}"` : ""}`;
  const input = planArguments(tool, text, () => undefined);
  if (person.name !== undefined) putName(input, person.name, tool);
  return { id: person.step, intent: `Find ${whom}`, tool: tool.name, arguments: { input } };
}

function findsPeople({ name, description = "", schema }: DemoTool): boolean {
  const [does] = readWords(name).actions;
  if (does !== undefined && !["read", "list", "search", "fetch"].includes(does)) return false;
  if (/contact|people|person|user|entit/i.test(`${name} ${description}`)) return true;
  return [...readSchema(schema).properties.values()].some(({ enum: options }) => options.includes("Contact"));
}

/** Filters of any shape take a name. */
function putName(input: Record<string, unknown>, name: string, { schema }: DemoTool): void {
  const node = readSchema(schema);
  const own = node.properties.get("input");
  const [at, fields] = own && input.input ? [own, input.input as Record<string, unknown>] : [node, input];
  if (at.properties.get("filters")?.properties.size === 0) fields.filters = { name };
}
