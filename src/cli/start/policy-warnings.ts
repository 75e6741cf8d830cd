/** Warnings of `npm start` about a valid policy. Pure. */
import type { CompiledPolicy } from "../../policy/compile.ts";
import { unboundSecrets as unboundIn } from "../../policy/document/checks/secret-warnings.ts";
import { boundSecret, NO_SECRETS, readToolSecrets } from "../../settings/tool-secrets.ts";
import { developmentKeyText, issueText } from "../policy/command.ts";
import type { PolicyOnDisk } from "../policy-file.ts";

type Bindings = Readonly<Record<string, string>>;

/** One line each. Private addresses give no warning: `npm start` may reach them. */
export const policyWarnings = (
  { warnings, document, compiled }: PolicyOnDisk,
  bindings: Bindings,
): readonly string[] => [
  ...warnings
    .filter(({ severity, path }) => severity === "warning" && !path.endsWith("/allowPrivate"))
    .map((warning) => `  ${issueText(warning)}`),
  ...strandedKey(document.roles),
  ...unboundSecrets(compiled, "default", bindings),
];

function strandedKey(roles: readonly string[]): readonly string[] {
  const message = developmentKeyText(roles);
  return message === undefined ? [] : [`  ${issueText({ path: "/roles", message })}`];
}

/** Secrets that the policy names and the settings do not bind to the host: calls that need them do not start. */
export function unboundSecrets(
  { tools, mcpServers }: Pick<CompiledPolicy, "tools" | "mcpServers">,
  tenant: string,
  bindings: Bindings,
): readonly string[] {
  const read = readToolSecrets(bindings);
  const secrets = read.ok ? read.value : NO_SECRETS;
  const isBound = (name: string, host: string) => boundSecret(secrets, name, tenant, host) !== undefined;
  const document = { tools: Object.fromEntries(tools), mcpServers: Object.fromEntries(mcpServers) };
  return unboundIn(document, isBound).map((issue) => `  ${issueText(issue)}`);
}
