/** What is wrong with a call, by the policy's own words and apart from the gateway: its role, its arguments, its limit. Pure. */
import { compileSchema, type JsonSchema } from "json-schema-library";
import type { StudyUser } from "./requests.ts";

export type Breach = "unknown" | "role" | "limit" | "arguments";

export interface StudyTool {
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly roles?: readonly string[];
  readonly rateLimits?: readonly { readonly max: number; readonly window: string }[];
  readonly run: { readonly method?: string; readonly url: string };
}

export interface JudgedCall {
  readonly user: StudyUser;
  readonly tool: string;
  readonly arguments: unknown;
}

/** Every limit of the study agent is of one hour, which is longer than the bench. */
const WINDOW = "1h";

/** @param before how often the tool ran for the user, within the hour. */
export function breachesOf(
  tools: Readonly<Record<string, StudyTool>>,
  { user, tool, arguments: args }: JudgedCall,
  before: number,
): readonly Breach[] {
  const known = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  if (!known) return ["unknown"];
  const { roles, rateLimits = [], parameters } = known;
  const limited = rateLimits.some(({ max, window }) => {
    if (window !== WINDOW) throw new Error(`${tool} has a limit of ${window}: the bench counts hours`);
    return before >= max;
  });
  return [
    ...(roles && !roles.includes(user.role) ? ["role" as const] : []),
    ...(limited ? ["limit" as const] : []),
    ...(compileSchema(parameters).validate(args).valid ? [] : ["arguments" as const]),
  ];
}
