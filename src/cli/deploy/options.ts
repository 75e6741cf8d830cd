/** What `npm run deploy` is told on its command line. */
import { parseArgs } from "node:util";
import { err, ok, type Result } from "../../lib/result.ts";

export interface DeployOptions {
  readonly dryRun: boolean;
  /** The Worker's name; KV and D1 are named after it. Undefined: as `wrangler.toml` has it. */
  readonly name: string | undefined;
  /** A custom domain in a zone of the account; without one the Worker is reached at its workers.dev address. */
  readonly domain: string | undefined;
  /** Make an operator's key although there are keys already. */
  readonly newAdminKey: boolean;
}

export const usage = `npm run deploy -- [--dry-run] [--name NAME] [--domain HOST] [--new-admin-key]
settings and secrets come from \`.deploy.vars\` (as \`.dev.vars\`: NAME=value) and the environment, which goes first`;

export function readDeployOptions(argv: readonly string[]): Result<DeployOptions, string> {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        "dry-run": { type: "boolean", default: false },
        name: { type: "string" },
        domain: { type: "string" },
        "new-admin-key": { type: "boolean", default: false },
      },
    });
    const { name, domain } = values;
    if (name !== undefined && !/^[a-z0-9][a-z0-9-]{0,53}$/.test(name))
      return err(`--name is \`${name}\`: use up to 54 small letters, digits and \`-\``);
    if (domain !== undefined && !/^([a-z0-9-]+\.)+[a-z]{2,}$/.test(domain))
      return err(`--domain is \`${domain}\`: write a host name, such as tools.example.com`);
    return ok({ dryRun: values["dry-run"], name, domain, newAdminKey: values["new-admin-key"] });
  } catch (error) {
    return err(`${(error as Error).message}\n${usage}`);
  }
}
