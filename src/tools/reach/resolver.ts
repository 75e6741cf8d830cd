/**
 * Asks a resolver over HTTPS (RFC 8484) for every address of a name.
 *
 * The gateway judges this resolver's answer, and the runtime looks the name up again when it connects: `fetch` does not take an
 * address. A name whose owner changes its answer in between (DNS rebinding) is therefore not stopped by
 * this alone. On Cloudflare's network such a name can do little: requests of Workers go out from Cloudflare's
 * edge, which reaches neither the deployer's private networks nor a host's loopback or metadata service. If the
 * gateway runs on a machine of the operator's own, its network must forbid what it must not reach.
 */
import { readBounded } from "../../lib/read-bounded.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { Address } from "./address.ts";

export interface Resolver {
  /** All IPv4 and IPv6 addresses; never empty. The error is for a person. Never rejects. */
  resolve(name: string, signal: AbortSignal): Promise<Result<readonly Address[], string>>;
}

/** A chain longer than this is no honest one; resolvers follow chains themselves. */
const MAX_ALIASES = 4;
/** A DNS message has at most this many bytes. */
const MAX_MESSAGE = 65_535;

/** @param url of the resolver: the settings', so it is not judged itself. */
export function httpsResolver(url: string, fetcher: typeof fetch): Resolver {
  const query = async (name: string, type: "A" | "AAAA", signal: AbortSignal): Promise<DnsAnswer | undefined> => {
    const message = dnsQuery(name, type);
    if (message === undefined) return undefined;
    const response = await fetcher(url, {
      method: "POST",
      headers: { "content-type": "application/dns-message", accept: "application/dns-message" },
      body: message,
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
      let current = name;
      try {
        for (let hop = 0; hop <= MAX_ALIASES; hop++) {
          const answers = await Promise.all([query(current, "A", signal), query(current, "AAAA", signal)]);
          // A missing answer may hold a private address.
          if (answers.includes(undefined)) return err(`the DNS resolver (TOOL_DNS) did not answer for ${name}`);
          const addresses = answers.flatMap((answer) => answer?.addresses ?? []);
          if (addresses.length > 0) return ok(addresses);
          const alias = answers.find((answer) => answer?.alias !== undefined)?.alias;
          if (alias === undefined) return err(`${name} has no address`);
          current = alias;
        }
      } catch {
        return err(`the DNS resolver (TOOL_DNS) could not be reached for ${name}`);
      }
      return err(`${name} has too many aliases`);
    },
  };
}

interface DnsAnswer {
  /** All addresses of the answer, under any name of a chain of aliases. */
  readonly addresses: readonly Address[];
  /** The end of the chain, if the resolver did not follow it further. */
  readonly alias: string | undefined;
}

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
const IN = 1;
const RECURSION_DESIRED = 0x0100;
const HEADER = 12;

/** @returns undefined for a name that DNS does not allow. */
export function dnsQuery(name: string, type: "A" | "AAAA"): Uint8Array<ArrayBuffer> | undefined {
  const labels = name.split(".");
  if (name.length > 253 || !labels.every((label) => /^[\x21-\x7e]{1,63}$/.test(label))) return undefined;
  const question = labels.flatMap((label) => [label.length, ...new TextEncoder().encode(label)]);
  // The id is 0, as RFC 8484 advises: the connection identifies the answer.
  const header = [0, 0, RECURSION_DESIRED >> 8, RECURSION_DESIRED & 0xff, 0, 1, 0, 0, 0, 0, 0, 0];
  return new Uint8Array([...header, ...question, 0, 0, TYPES[type], 0, IN]);
}

/** @returns undefined for an incomplete answer, an answer to another question, and a failure. */
export function readDnsAnswer(bytes: Uint8Array, name: string, type: "A" | "AAAA"): DnsAnswer | undefined {
  try {
    return read(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), name, type);
  } catch (error) {
    // Past its end: the message was cut, or its lengths are wrong.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function read(view: DataView, name: string, type: "A" | "AAAA"): DnsAnswer | undefined {
  const flags = view.getUint16(2);
  const [isResponse, isCut, code] = [(flags & 0x8000) !== 0, (flags & 0x0200) !== 0, flags & 0x000f];
  // 3: there is no such name. It has no address then, which is an answer.
  if (!isResponse || isCut || (code !== 0 && code !== 3) || view.getUint16(4) !== 1) return undefined;
  const question = readName(view, HEADER);
  if (question.name.toLowerCase() !== name.toLowerCase() || view.getUint16(question.end) !== TYPES[type])
    return undefined;
  const addresses: Address[] = [];
  const aliases = new Map<string, string>();
  let at = question.end + 4;
  for (let left = view.getUint16(6); left > 0; left--) {
    const owner = readName(view, at);
    const kind = view.getUint16(owner.end);
    const length = view.getUint16(owner.end + 8);
    const data = owner.end + 10;
    if ((kind === TYPES.A && length === 4) || (kind === TYPES.AAAA && length === 16))
      addresses.push(Array.from({ length }, (_, index) => view.getUint8(data + index)));
    if (kind === TYPES.CNAME) aliases.set(owner.name.toLowerCase(), readName(view, data).name.toLowerCase());
    at = data + length;
  }
  return { addresses, alias: endOf(name.toLowerCase(), aliases) };
}

function endOf(name: string, aliases: ReadonlyMap<string, string>): string | undefined {
  let end: string | undefined;
  // Each alias is followed once: they may form a circle.
  for (let left = aliases.size; left > 0; left--) end = aliases.get(end ?? name) ?? end;
  return end;
}

const MAX_JUMPS = 16;

function readName(view: DataView, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let end: number | undefined;
  let at = start;
  for (let jumps = 0; ; ) {
    const length = view.getUint8(at);
    if (length === 0) return { name: labels.join("."), end: end ?? at + 1 };
    if (length >= 0xc0) {
      end ??= at + 2;
      at = view.getUint16(at) & 0x3fff;
      // A pointer to itself has no end.
      if (++jumps > MAX_JUMPS) throw new RangeError("a name has no end");
    } else if (length > 63) throw new RangeError("a label is of no known kind");
    else {
      labels.push(String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(at + 1 + index))));
      at += length + 1;
      if (labels.length > 128) throw new RangeError("a name has too many labels");
    }
  }
}
