/** Checks of the names, selectors, schemas and patterns of a document. Pure. */
import { pointerKeys } from "../../../lib/json/json-value.ts";
import { nearestName } from "../../../lib/text/nearest-name.ts";
import { schemaFaults } from "../../arguments/argument-schema.ts";
import { compilePattern } from "../../arguments/linear-pattern.ts";
import { governedTwin, isGoverned } from "../../request-fields.ts";
import { parseSelector, type Selector, selectorKind } from "../../selectors.ts";
import { injectionSetNames } from "../document-parts.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { Check, Finding, IssuePath } from "../policy-issue.ts";

/** @param advice what to do where no known name is near. */
export function unknownName(kind: string, name: string, known: Iterable<string>, advice: string): string {
  const near = nearestName(name, known);
  return `unknown ${kind} \`${name}\`, ${near === undefined ? advice : `did you mean \`${near}\`?`}`;
}

/** Every selector of a document with its place: in lists, and as a key of `tools` and `rateLimits`. */
export function selectorsIn(document: PolicyDocument): { readonly text: string; readonly path: IssuePath }[] {
  const { modes, intents, tools, rateLimits, families } = document;
  const listed = (texts: readonly string[], ...path: string[]) =>
    texts.map((text, index) => ({ text, path: [...path, index] }));
  const keys = (section: string, settings: object) =>
    Object.keys(settings).map((text) => ({ text, path: [section, text] }));
  return [
    ...Object.entries(modes).flatMap(([name, { allow, deny }]) => [
      ...listed(allow, "modes", name, "allow"),
      ...listed(deny, "modes", name, "deny"),
    ]),
    ...Object.entries(intents).flatMap(([name, intent]) => listed(intent.tools ?? [], "intents", name, "tools")),
    ...keys("tools", tools),
    ...keys("rateLimits", rateLimits),
    ...Object.entries(families).flatMap(([name, members]) => listed(members, "families", name)),
  ];
}

export const checkSelectors: Check = (document) =>
  selectorsIn(document).map(({ text, path }): Finding => {
    const selector = parseSelector(text);
    // A family that consists of families or categories could depend on itself.
    if (path[0] !== "families") return [path, selector.ok ? undefined : selector.error];
    return [path, !["name", "glob"].includes(selectorKind(text) ?? "") && "must be a name or a name with `*`"];
  });

/** Each tool of a request is compared with all of these, and a request may have hundreds of tools. */
const MAX_GLOBS = 300;
const MAX_SELECTORS = 2_000;
/** The gateway asks each for its tools. */
const MAX_SERVERS = 32;

export const checkCounts: Check = (document) => {
  const selectors = [...new Set(selectorsIn(document).map(({ text }) => text))];
  const globs = selectors.filter((text) => text.length > 1 && text.includes("*")).length;
  const others = selectors.filter((text) => text.includes(":")).length;
  const servers = Object.keys(document.mcpServers).length;
  return [
    [[], globs > MAX_GLOBS && `has ${globs} names with \`*\`, but at most ${MAX_GLOBS} are allowed: use families`],
    [
      [],
      others > MAX_SELECTORS &&
        `has ${others} selectors such as \`family:…\`, but at most ${MAX_SELECTORS} are allowed`,
    ],
    [["mcpServers"], servers > MAX_SERVERS && `has ${servers} servers, but at most ${MAX_SERVERS} are allowed`],
  ];
};

export const checkRoles: Check = ({ roles, modes, tools }) => {
  const uses = Object.entries({ modes, tools }).flatMap(([section, entries]) =>
    Object.entries<{ readonly roles?: readonly string[] | undefined }>(entries).flatMap(([name, entry]) =>
      (entry.roles ?? []).map((role, index) => ({ role, path: [section, name, "roles", index] })),
    ),
  );
  return [
    ...roles.map((role, index): Finding => {
      return [["roles", index], roles.indexOf(role) !== index && `names \`${role}\` twice`, [["roles"]]];
    }),
    ...uses.map(({ role, path }): Finding => {
      return [path, !roles.includes(role) && unknownName("role", role, roles, "add it to `roles`"), [["roles"]]];
    }),
  ];
};

/** A selector cannot set what it selects by, and what belongs to one tool cannot be set on a group. */
function settingsRefusedOn(kind: Selector["kind"] | undefined): readonly string[] {
  if (kind === undefined || kind === "name") return [];
  const ofOneTool = ["families", "description", "parameters", "undo", "run"];
  if (kind === "category") return [...ofOneTool, "category"];
  return kind === "class" ? [...ofOneTool, "category", "class"] : ofOneTool;
}

export const checkGroups: Check = ({ tools, handshake }) =>
  Object.entries(tools).flatMap(([key, settings]): Finding[] => [
    ...settingsRefusedOn(selectorKind(key)).map((setting): Finding => {
      const instead = setting === "families" ? "use the document's `families`" : "set it on the tools by name";
      return [
        ["tools", key, setting],
        Object.hasOwn(settings, setting) && `cannot be set on a group of tools, ${instead}`,
      ];
    }),
    [
      ["tools", key],
      handshake.select !== "off" && key === handshake.tool && "is the name of the handshake tool, rename one of them",
      [
        ["handshake", "select"],
        ["handshake", "tool"],
      ],
    ],
  ]);

export const checkSchemas: Check = ({ tools }, work) =>
  Object.entries(tools).flatMap(([key, { parameters }]) =>
    (parameters === undefined ? [] : schemaFaults(parameters, work)).map(({ path, message }): Finding => {
      return [["tools", key, "parameters", ...pointerKeys(path)], `not a valid JSON Schema: ${message}`];
    }),
  );

export const checkPatterns: Check = ({ intents, detection, injection }, work) => {
  const listed = (sources: readonly string[], ...path: string[]) =>
    sources.map((source, index): Finding => [[...path, index], patternFault(source, work)]);
  return [
    ...Object.entries(intents).flatMap(([name, { patterns }]) => listed(patterns, "intents", name, "patterns")),
    [["detection", "extract"], detection.extract !== undefined && patternFault(detection.extract, work)],
    ...Object.entries(injection.custom).flatMap(([name, patterns]) => listed(patterns, "injection", "custom", name)),
  ];
};

function patternFault(...[source, work]: Parameters<typeof compilePattern>): string | undefined {
  const compiled = compilePattern(source, work);
  return compiled.ok ? undefined : `cannot be used as a pattern: ${compiled.error}`;
}

export const checkInjectionSets: Check = ({ injection, tools }) => {
  const builtIn: readonly string[] = injectionSetNames;
  const custom = Object.keys(injection.custom);
  const known = new Set([...builtIn, ...custom]);
  const unknown = (sets: readonly string[] = [], ...path: string[]) =>
    sets.map((set, index): Finding => {
      const fault = !known.has(set) && `unknown set \`${set}\`, use one of ${[...known].join(", ")}`;
      return [[...path, index], fault, [["injection", "custom", set]]];
    });
  return [
    ...custom.map((name): Finding => {
      return [["injection", "custom", name], builtIn.includes(name) && "is a built-in set, choose another name"];
    }),
    ...unknown(injection.sets, "injection", "sets"),
    ...Object.entries(tools).flatMap(([key, settings]) =>
      settings.injection ? unknown(settings.injection.sets, "tools", key, "injection", "sets") : [],
    ),
  ];
};

export const checkPassFields: Check = ({ passFields }) =>
  passFields.flatMap((name, index): Finding[] => {
    const twin = governedTwin(name);
    return [
      [["passFields", index], isGoverned(name) && `the gateway governs \`${name}\`, remove it`],
      [
        ["passFields", index],
        twin !== undefined && `is another spelling of \`${twin}\`, which the gateway governs: remove it`,
      ],
    ];
  });
