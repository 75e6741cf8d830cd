/** What the gateway sets itself cannot be asked of the model as well. Pure. */

import { systemOf } from "../../arguments/system-arguments.ts";
import type { ToolSettings } from "../document-parts.ts";
import type { IssuePath, Report } from "../policy-issue.ts";

/** Of `parameters` these members are taken out at the top; deeper a schema would ask for what the model is not shown. */
export function checkSystem(settings: ToolSettings, path: IssuePath, report: Report): void {
  const { parameters } = settings;
  const names = new Set(Object.keys(systemOf(settings)));
  if (parameters === undefined || names.size === 0) return;
  for (const { name, at } of requiredBelow(parameters, []).filter(({ at }) => at.length > 1)) {
    if (names.has(name))
      report(
        [...path, "system", name],
        `is set by the gateway, but \`parameters\` require it of the model (${at.join("/")})`,
        [[...path.slice(0, -1), "parameters"]],
      );
  }
}

interface Required {
  readonly name: string;
  readonly at: readonly string[];
}

const MAX_DEPTH = 16;

/** What schemas that hold for the arguments themselves require. */
function requiredBelow(schema: unknown, at: readonly string[]): Required[] {
  if (typeof schema !== "object" || schema === null || at.length > MAX_DEPTH) return [];
  const part = schema as Readonly<Record<string, unknown>>;
  const listed = (list: unknown, place: readonly string[]): Required[] =>
    Array.isArray(list) ? list.map((name) => ({ name: String(name), at: place })) : [];
  const several = ["allOf", "anyOf", "oneOf"].flatMap((keyword) =>
    Array.isArray(part[keyword])
      ? part[keyword].flatMap((one, index) => requiredBelow(one, [...at, keyword, String(index)]))
      : [],
  );
  const { dependentRequired, dependentSchemas } = part;
  const dependent = Object.entries(dependentRequired ?? {}).flatMap(([name, list]) =>
    listed(list, [...at, "dependentRequired", name]),
  );
  const schemas = Object.entries(dependentSchemas ?? {}).flatMap(([name, one]) =>
    requiredBelow(one, [...at, "dependentSchemas", name]),
  );
  const branches = ["then", "else"].flatMap((keyword) => requiredBelow(part[keyword], [...at, keyword]));
  return [...listed(part.required, [...at, "required"]), ...several, ...dependent, ...schemas, ...branches];
}
