/** Judges by its text whether a tool may send a request to a URL. Pure. */
import { isSameHost, listedHost, withoutDot } from "../../lib/host.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { RunFailure } from "../run.ts";
import { type Address, isPrivate, kindOfAddress, readAddress } from "./address.ts";

export interface ReachBounds {
  /** Absent: the host that the policy's URL names. */
  readonly allowHosts?: readonly string[] | undefined;
  /** As honoured: false wherever the gateway does not run for development. */
  readonly allowPrivate: boolean;
}

interface Refusal {
  readonly failure: RunFailure;
  /** For a person; holds no argument. */
  readonly detail: string;
}

interface JudgedUrl {
  readonly url: URL;
  /** Must be resolved, and its addresses judged; undefined if the host is an address. */
  readonly name: string | undefined;
}

/** @param host of the URL in the policy: secrets are filled in for it, so no list can allow another. */
export function judgeUrl(text: string, host: string, bounds: ReachBounds): Result<JudgedUrl, Refusal> {
  if (!URL.canParse(text)) return forbidden("the URL cannot be read");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return forbidden(`\`${url.protocol}\` is not a scheme that tools may use`);
  if (url.protocol === "http:" && !bounds.allowPrivate) return forbidden("http is not encrypted: use https");
  if (url.username !== "" || url.password !== "") return forbidden("the URL holds a user or password");
  const allowed = bounds.allowHosts?.map((entry) => listedHost(entry, url.protocol)) ?? [host];
  const listed = allowed.some((one) => one !== undefined && isSameHost(one, url.host));
  if (!listed || !isSameHost(host, url.host))
    return err({ failure: "host_forbidden", detail: `${url.host} is not among the hosts that the tool may reach` });
  const name = withoutDot(url.hostname).toLowerCase();
  const address = readAddress(name);
  if (address) {
    const refusal = judgeAddress(name, address, bounds);
    return refusal ? err(refusal) : ok({ url, name: undefined });
  }
  const refused = judgeName(name, bounds.allowPrivate);
  return refused === undefined ? ok({ url, name }) : forbidden(refused);
}

/** @param host whose address it is, as a person knows it. */
export function judgeAddress(host: string, address: Address, { allowPrivate }: ReachBounds): Refusal | undefined {
  const kind = kindOfAddress(address);
  if (kind === "public" || (allowPrivate && isPrivate(kind))) return undefined;
  return { failure: "address_forbidden", detail: `${host} is at ${article(kind)} ${kind} address` };
}

const article = (word: string): string => (/^[aeiou]/.test(word) ? "an" : "a");

const METADATA =
  /^(metadata|instance-data|metadata\.goog|metadata\.[a-z0-9-]+\.internal|instance-data\.ec2\.internal)$/;
/** Never delegated in the public DNS, or served by the machine itself. */
const LOCAL = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

/** Names that mean the local machine or network, whatever a resolver answers. */
function judgeName(name: string, allowPrivate: boolean): string | undefined {
  if (METADATA.test(name)) return `${name} is where a cloud gives credentials away`;
  if (allowPrivate) return undefined;
  if (LOCAL.test(name) || !name.includes(".")) return `${name} is a name of a private network`;
  return undefined;
}

const forbidden = (detail: string) => err<Refusal>({ failure: "address_forbidden", detail });

type Redirect =
  | { readonly kind: "none" }
  | { readonly kind: "followed"; readonly url: string }
  | { readonly kind: "refused"; readonly detail: string };

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Only a GET is followed, and only to the same origin: what was sent with it, secrets included, was meant for that origin.
 * @param from the URL that answered.
 * @param more whether another redirect may be followed.
 */
export function judgeRedirect(
  method: string,
  from: URL,
  { status, headers, type }: { readonly status: number; readonly headers: Headers; readonly type: string },
  more: boolean,
): Redirect {
  const hidden = type === "opaqueredirect";
  if (!hidden && !REDIRECTS.has(status)) return { kind: "none" };
  const location = headers.get("location");
  if (hidden || location === null || !URL.canParse(location, from.href))
    return refused(`${from.host} redirects to what cannot be read`);
  const to = new URL(location, from.href);
  if (to.origin !== from.origin || to.username !== "" || to.password !== "")
    return refused(`${from.host} redirects to ${originText(to)}`);
  if (method !== "GET") return refused(`${from.host} redirects a ${method}, which is not sent twice`);
  if (!more) return refused(`${from.host} redirects too often`);
  // What a server puts behind `#` is not sent.
  to.hash = "";
  return { kind: "followed", url: to.href };
}

/** A longer name could be a text for the model, outside of the text that is marked as the server's. */
const MAX_PLACE = 80;

function originText({ host, origin, protocol }: URL): string {
  const place = host === "" ? `\`${protocol}\`` : origin;
  return place.length > MAX_PLACE ? "another place" : place;
}

const refused = (detail: string): Redirect => ({ kind: "refused", detail });
