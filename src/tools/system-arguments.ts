/** What the gateway fills in over whatever the model sent. Source: reference/intent-detection-and-safe-tools.md. Pure. */

import { type SystemValue, systemOf as systemOfSettings } from "../policy/arguments/system-arguments.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import type { SystemFacts } from "./tool-runner.ts";

/** By argument name. */
export const systemOf = ({ tools }: CompiledPolicy, tool: string): Readonly<Record<string, SystemValue>> =>
  systemOfSettings(tools.get(tool));

/** In place of a token, wherever it is told. */
const HIDDEN_TOKEN = "[connection token]";

/** @param token undefined: as it is told in records. */
export function systemArgumentsOf(
  system: Readonly<Record<string, SystemValue>>,
  facts: SystemFacts,
  token: string = HIDDEN_TOKEN,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(system).map(([name, value]) => [name, filledIn(value, facts, token)]));
}

function filledIn(value: SystemValue, { principal, session }: SystemFacts, token: string): string {
  switch (value) {
    case "user.id":
      return principal.user;
    case "user.tenant":
      return principal.tenant;
    case "user.role":
      return principal.role;
    case "session.id":
      return session;
    case "connection.token":
      return token;
  }
}
