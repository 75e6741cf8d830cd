/**
 * Asks a resolver over HTTPS (RFC 8484) for every address of a name.
 *
 * What is judged here is what this resolver says, and the runtime looks the name up again when it connects: `fetch` cannot be
 * told which address to use. A name whose owner changes its answer in between (DNS rebinding) is therefore not stopped by
 * this alone. On Cloudflare's network what is left to such a name is little: requests of Workers go out from Cloudflare's
 * edge, from where neither the deployer's private networks nor a host's loopback or metadata service are reached. Where the
 * gateway runs on a machine of one's own, its network must forbid what it must not reach.
 */
import { readBounded } from "../../lib/read-bounded.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { Address } from "./address.ts";
import { type DnsAnswer, dnsQuery, readDnsAnswer } from "./dns-message.ts";

export interface Resolver {
  /** All of them, IPv4 and IPv6; never empty. The error says what is wrong, for a person. Never rejects. */
  resolve(name: string, signal: AbortSignal): Promise<Result<readonly Address[], string>>;
}

/** A chain longer than this is no honest one; resolvers follow them themselves. */
const MAX_ALIASES = 4;
/** A DNS message has at most this many bytes. */
const MAX_MESSAGE = 65_535;

/** @param url of the resolver: the settings', so it is not judged itself. */
export function httpsResolver(url: string, fetcher: typeof fetch): Resolver {
  const ask = async (name: string, type: "A" | "AAAA", signal: AbortSignal): Promise<DnsAnswer | undefined> => {
    const query = dnsQuery(name, type);
    if (query === undefined) return undefined;
    const response = await fetcher(url, {
      method: "POST",
      headers: { "content-type": "application/dns-message", accept: "application/dns-message" },
      body: query,
      redirect: "manual",
      signal,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return undefined;
    }
    const bytes = await readBounded(response.body, MAX_MESSAGE);
    return bytes && readDnsAnswer(bytes, name, type);
  };
  return {
    async resolve(name, signal) {
      let asked = name;
      try {
        for (let hop = 0; hop <= MAX_ALIASES; hop++) {
          const answers = await Promise.all([ask(asked, "A", signal), ask(asked, "AAAA", signal)]);
          // One that is not known may be the private one.
          if (answers.includes(undefined)) return err(`the DNS resolver (TOOL_DNS) did not answer for ${name}`);
          const addresses = answers.flatMap((answer) => answer?.addresses ?? []);
          if (addresses.length > 0) return ok(addresses);
          const alias = answers.find((answer) => answer?.alias !== undefined)?.alias;
          if (alias === undefined) return err(`${name} has no address`);
          asked = alias;
        }
      } catch {
        return err(`the DNS resolver (TOOL_DNS) could not be reached for ${name}`);
      }
      return err(`${name} has too many aliases`);
    },
  };
}
