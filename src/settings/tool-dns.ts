/** Who resolves the names of tools' hosts, so that their addresses can be judged: `TOOL_DNS`. Pure. */
import { err, ok, type Result } from "../lib/result.ts";

export interface ToolDnsVariables {
  /** The URL of a resolver over HTTPS (RFC 8484), or `off`. */
  readonly TOOL_DNS?: string;
}

const DEFAULT_RESOLVER = "https://cloudflare-dns.com/dns-query";

/** Undefined: names are not resolved before they are reached. */
export function readToolDns({ TOOL_DNS }: ToolDnsVariables): Result<string | undefined, readonly string[]> {
  const text = TOOL_DNS?.trim() || DEFAULT_RESOLVER;
  if (text === "off") return ok(undefined);
  const advice = `write an https URL such as ${DEFAULT_RESOLVER}, or \`off\``;
  if (!URL.canParse(text)) return err([`TOOL_DNS is no URL: ${advice}`]);
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== "https:") return err([`TOOL_DNS begins with \`${protocol}\`: ${advice}`]);
  if (username !== "" || password !== "" || hash !== "")
    return err([`TOOL_DNS holds a user, password or fragment: ${advice}`]);
  return ok(text);
}
