/** What `npm start` says of a policy that is valid. Pure. */
import type { PolicyFile } from "../policy-file.ts";
import { unboundSecrets } from "./unbound-secrets.ts";

/** One line each. Private addresses are for where this runs. */
export const policyWarnings = (
  { warnings, policy }: PolicyFile,
  bindings: Readonly<Record<string, string>>,
): readonly string[] => [
  ...warnings.filter((warning) => !/^\s*\S+\/allowPrivate: /.test(warning)),
  ...unboundSecrets(policy, "default", bindings),
];
