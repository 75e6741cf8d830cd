/** The command line of `npm run deploy`. */
import { err, ok, type Result } from "../../lib/result.ts";
import { readArguments, type UsageAnswer } from "../program-arguments.ts";
import { isSubdomain, SUBDOMAIN_RULE } from "./subdomain.ts";

export interface DeployOptions {
  readonly dryRun: boolean;
  /** The Worker's name; KV and D1 are named after it. Undefined: as `wrangler.toml` has it. */
  readonly name: string | undefined;
  /** A custom domain in a zone of the account; without one the Worker is reached at its workers.dev address. */
  readonly domain: string | undefined;
  /** To register for an account that has none; undefined: the deployment asks for one. */
  readonly subdomain: string | undefined;
  /** Make an operator's key although there are keys already. */
  readonly newAdminKey: boolean;
  /** Make none: for CI, whose log third parties may read. */
  readonly noAdminKey: boolean;
  /** Ask the gateway afterwards whether it works. */
  readonly smokeTest: boolean;
}

const usage = `npm run deploy -- [--dry-run] [--name NAME] [--domain HOST] [--subdomain NAME]
    [--new-admin-key | --no-admin-key] [--no-smoke-test]
  --dry-run         says each step, bundles, changes nothing
  --name NAME       deploys a Worker of this name, with stores of its own
  --domain HOST     serves at this host of a zone of the account
  --subdomain NAME  registers NAME.workers.dev for an account that has none
  --new-admin-key   makes an operator's key although there are keys
  --no-admin-key    makes none, not with the first deployment either: for CI, whose log others read
  --no-smoke-test   does not ask the gateway afterwards whether it works
settings and secrets come from the environment and \`.deploy.vars\` (as \`.dev.vars\`: NAME=value)`;

export function readDeployOptions(argv: readonly string[]): Result<DeployOptions, UsageAnswer> {
  const read = readArguments(argv, usage, {
    "dry-run": { type: "boolean", default: false },
    name: { type: "string" },
    domain: { type: "string" },
    subdomain: { type: "string" },
    "new-admin-key": { type: "boolean", default: false },
    "no-admin-key": { type: "boolean", default: false },
    "no-smoke-test": { type: "boolean", default: false },
  });
  if (!read.ok) return read;
  const { name, domain, subdomain } = read.value;
  if (name !== undefined && !/^[a-z0-9][a-z0-9-]{0,53}$/.test(name))
    return wrong(`--name is \`${name}\`: use up to 54 small letters, digits and \`-\``);
  if (domain !== undefined && !/^([a-z0-9-]+\.)+[a-z]{2,}$/.test(domain))
    return wrong(`--domain is \`${domain}\`: write a host name, such as tools.example.com`);
  if (subdomain !== undefined && !isSubdomain(subdomain))
    return wrong(`--subdomain is \`${subdomain}\`: ${SUBDOMAIN_RULE}`);
  const { "dry-run": dryRun, "new-admin-key": newAdminKey, "no-admin-key": noAdminKey } = read.value;
  if (newAdminKey && noAdminKey) return wrong("--new-admin-key and --no-admin-key: give one of them");
  return ok({ dryRun, name, domain, subdomain, newAdminKey, noAdminKey, smokeTest: !read.value["no-smoke-test"] });
}

const wrong = (text: string): Result<never, UsageAnswer> => err({ text, exitCode: 2 });
