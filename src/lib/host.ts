/** Hosts as policies and settings write them, and as URLs have them. Pure. */

/**
 * The host of a URL that may hold templates behind it: in lower case and punycode, with the port where it is not the
 * scheme's own. Undefined where there is none, or a template stands before its end: who fills it would choose the host.
 */
export function hostOf(url: string): string | undefined {
  const [, start] = /^(https?:\/\/[^/?#\\]*)/i.exec(url) ?? [];
  return start === undefined || start.includes("{{") ? undefined : originOf(start)?.host;
}

/** A host of a list, in the form that URLs have. @param protocol decides which port need not be written. */
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

/** Whether two hosts of URLs are one. */
export const isSameHost = (one: string, other: string): boolean =>
  withoutDot(one).toLowerCase() === withoutDot(other).toLowerCase();

/**
 * A host that something secret is bound to, as https URLs have it. A wildcard would send it to whoever gets a name under it.
 */
export const boundHost = (text: string): string | undefined =>
  text.includes("*") ? undefined : withoutDot(listedHost(text, "https:") ?? "") || undefined;

/** Whether a URL's `hostname` is this machine's alone. `URL` has written every spelling of an IPv4 address in four numbers. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
