/** The URIs of servers' resources as clients of `/mcp` know them: two servers may have the same. Pure. */
import { isObject } from "../../lib/json/json-value.ts";

const PREFIX = "toolgate://";

/** A URI, or a template of URIs. */
export const outerUri = (server: string, uri: string): string => `${PREFIX}${encodeURIComponent(server)}/${uri}`;

interface InnerUri {
  readonly server: string;
  readonly uri: string;
}

/** Undefined for a URI of no server. */
export function innerUri(uri: string): InnerUri | undefined {
  const [, server, inner] = /^toolgate:\/\/([^/]+)\/([\s\S]+)$/.exec(uri) ?? [];
  if (server === undefined || inner === undefined) return undefined;
  try {
    return { server: decodeURIComponent(server), uri: inner };
  } catch {
    return undefined;
  }
}

/** With all of its URIs as clients know them. */
export function withOuterUris<T>(server: string, value: T): T {
  if (Array.isArray(value)) return value.map((one) => withOuterUris(server, one)) as T;
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => {
    const isUri = (key === "uri" || key === "uriTemplate") && typeof part === "string";
    return [key, isUri ? outerUri(server, part) : withOuterUris(server, part)];
  });
  return Object.fromEntries(entries) as T;
}
