/** What `npm start` says of a policy that is valid. Pure. */

import type { CompiledPolicy } from "../../policy/compile.ts";
import { unboundSecrets as unboundIn } from "../../policy/document/checks/secret-warnings.ts";
import { boundSecret, NO_SECRETS, readToolSecrets } from "../../settings/tool-secrets.ts";
import type { PolicyFile } from "../policy-file.ts";

/** One line each. Private addresses are for where this runs. */
export const policyWarnings = (
  { warnings, policy }: PolicyFile,
  bindings: Readonly<Record<string, string>>,
): readonly string[] => [
  ...warnings.filter((warning) => !/^\s*\S+\/allowPrivate: /.test(warning)),
  ...unboundSecrets(policy, "default", bindings),
];

/** One line each, with the place in the document. */
export function unboundSecrets(
  { tools, mcpServers }: Pick<CompiledPolicy, "tools" | "mcpServers">,
  tenant: string,
  bindings: Readonly<Record<string, string>>,
): readonly string[] {
  const read = readToolSecrets(bindings);
  const secrets = read.ok ? read.value : NO_SECRETS;
  const isBound = (name: string, host: string) => boundSecret(secrets, name, tenant, host) !== undefined;
  return unboundIn({ tools: Object.fromEntries(tools), mcpServers }, isBound).map(
    ({ path, message }) => `  ${path}: ${message}`,
  );
}
