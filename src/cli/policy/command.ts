/** Shared by the `policy` commands: options, written files, and the wording of versions, errors and warnings. */
import { writeFileSync } from "node:fs";
import type { PolicyIssue } from "../../policy/document/policy-issue.ts";
import { DEFAULT_GATEWAY } from "../gateway-client.ts";
import { programName } from "../program-arguments.ts";

/** Options of every command that talks to a running gateway. */
export const remoteOptions = {
  gateway: { type: "string", default: DEFAULT_GATEWAY },
  tenant: { type: "string", default: "default" },
} as const;

/** Long enough to tell versions apart, and to find one in a list: `wholeVersion` finds the version that begins so. */
export const shortVersion = (version: string | null): string => version?.slice(0, 12) ?? "the embedded policy";

/** @returns whether the file was written. If not, the reason was printed. */
export function writeOut(path: string, text: string, force: boolean): boolean {
  try {
    writeFileSync(path, text, { flag: force ? "w" : "wx" });
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") console.error(`${path} is there already: name another file, or add --force to overwrite it`);
    else console.error(`${path} cannot be written: ${message}`);
    return false;
  }
}

/**
 * A policy with roles of its own may have none for the key that the examples of the documentation use on this machine. Undefined if it
 * has one.
 */
export function developmentKeyText(roles: readonly string[]): string | undefined {
  if (roles.includes("user")) return undefined;
  const names = roles.map((role) => `\`${role}\``).join(", ");
  const create = "keys create NAME ROLE";
  const command = programName(`npm run --silent toolgate -- ${create}`, create);
  return `the roles are ${names}, so tools that name roles are refused to the development key \`tg-dev-user\` and to examples that use it: make a key with one of these roles (\`${command}\`), or add \`user\` to them`;
}

/** On one line. */
export const issueText = ({ path, message }: PolicyIssue): string => `${path || "/"}: ${message}`;

/** A gateway of an earlier version gives neither code nor severity. */
interface GivenWarning extends PolicyIssue {
  readonly code?: string;
  readonly severity?: string;
}

/** One line for each message, with all its places: one setting on six tools is one warning. */
export const warningTexts = (warnings: readonly GivenWarning[]): readonly string[] =>
  texts(warnings.filter(({ severity }) => severity !== "note"));

/** Notes are worth reading once, not at every push. */
export const noteTexts = (warnings: readonly GivenWarning[]): readonly string[] =>
  texts(warnings.filter(({ severity }) => severity === "note"));

function texts(warnings: readonly GivenWarning[]): readonly string[] {
  const places = new Map<string, Set<string>>();
  for (const { path, message, code } of warnings) {
    const line = code === undefined ? message : `${message} (${code})`;
    places.set(line, (places.get(line) ?? new Set()).add(path || "/"));
  }
  return [...places].map(([message, paths]) => issueText({ path: [...paths].join(", "), message }));
}
