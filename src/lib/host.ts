/** Hosts as policies and settings write them, and as URLs have them. Pure. */

/**
 * The host of a URL that may hold templates after it: in lower case and punycode, with the port unless it is the scheme's.
 * Undefined if there is none, or if it holds a template: the template's value would choose the host.
 */
export function hostOf(url: string): string | undefined {
  const [, start] = /^(https?:\/\/[^/?#\\]*)/i.exec(url) ?? [];
  return start === undefined || start.includes("{{") ? undefined : originOf(start)?.host;
}

/** A host of a list, in the form that URLs have. @param protocol decides which port may be omitted. */
export function listedHost(entry: string, protocol: string): string | undefined {
  if (/[/?#\\@\s]/.test(entry)) return undefined;
  return originOf(`${protocol}//${entry}`)?.host;
}

function originOf(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.host === "" ? undefined : url;
}

/** Without the dot that makes a name absolute: `example.com.` is `example.com`. */
export const withoutDot = (host: string): string => host.replace(/\.(?=(:\d+)?$)/, "");

/** Whether two hosts of URLs are the same. */
export const isSameHost = (one: string, other: string): boolean =>
  withoutDot(one).toLowerCase() === withoutDot(other).toLowerCase();

/**
 * A host that a secret is bound to, as https URLs have it. A wildcard would send the secret to every owner of a subdomain.
 */
export const boundHost = (text: string): string | undefined =>
  text.includes("*") ? undefined : withoutDot(listedHost(text, "https:") ?? "") || undefined;

/** Whether a URL's `hostname` is this machine. `URL` normalises every spelling of an IPv4 address to four numbers. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
