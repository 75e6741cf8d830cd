/**
 * The account's workers.dev subdomain, at which a Worker without a domain is reached. A new account has none, and wrangler would notice
 * that last, when stores and secrets have been made. So it is found, or registered, first.
 */
import type { Cloudflare } from "./cloudflare.ts";

interface SubdomainOptions {
  readonly cloud: Pick<Cloudflare, "subdomain" | "registerSubdomain">;
  readonly account: string;
  readonly worker: string;
  /** Given on the command line: then there is no prompt. */
  readonly wanted: string | undefined;
  /** Undefined if there is no terminal. */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly say: (line: string) => void;
}

export const SUBDOMAIN_RULE = "use up to 63 small letters, digits and `-`, none of them `-` at an end";
export const isSubdomain = (name: string): boolean => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name);

const STEP = "1 subdomain ";

export async function ensureSubdomain(options: SubdomainOptions): Promise<void> {
  const { cloud, account, worker, wanted, say } = options;
  const found = await cloud.subdomain(account);
  // A token that may not see it may still deploy: wrangler then leaves it alone, too.
  if (found.kind === "hidden") return;
  if (found.kind === "is") return say(`${STEP} ${found.name}.workers.dev is there`);
  for (let name = wanted; ; name = undefined) {
    const chosen = name ?? (await askName(options));
    const refusal = await cloud.registerSubdomain(account, chosen);
    if (refusal === undefined) {
      return say(
        `${STEP} ${chosen}.workers.dev registered; https://${worker}.${chosen}.workers.dev takes some minutes`,
      );
    }
    if (wanted !== undefined)
      throw new Error(`the subdomain \`${chosen}\` cannot be registered: ${refusal}; choose another`);
    say(`${STEP} \`${chosen}\` cannot be registered: ${refusal}`);
  }
}

async function askName({ account, worker, ask, say }: SubdomainOptions): Promise<string> {
  for (;;) {
    const question = `the account has no workers.dev subdomain yet: https://${worker}.<subdomain>.workers.dev; which one?`;
    const answer = await ask(question);
    if (answer === undefined) throw new Error(missing(account));
    if (answer === "") throw new Error("nothing was deployed");
    const name = answer.toLowerCase().replace(/\.workers\.dev$/, "");
    if (isSubdomain(name)) return name;
    say(`${STEP} \`${answer}\` is no subdomain: ${SUBDOMAIN_RULE}`);
  }
}

const missing = (account: string): string =>
  [
    "nothing was deployed: the account has no workers.dev subdomain, and there is no terminal to ask for one; either",
    "  npm run deploy -- --subdomain NAME    registers NAME.workers.dev",
    "  npm run deploy -- --domain HOST       serves at a host of a zone of the account",
    `  https://dash.cloudflare.com/${account}/workers/onboarding`,
  ].join("\n");
