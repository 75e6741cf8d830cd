/** Which gateway a command talks to, and as whom. Pure. */
import { isLoopbackHost } from "../../lib/host.ts";
import { err, ok, type Result } from "../../lib/result.ts";

export interface GatewayAddress {
  /** Without a slash at its end. */
  readonly url: string;
  /** Never printed. */
  readonly key: string;
  /** Where the key comes from, in words. */
  readonly keyFrom: string;
}

export const DEFAULT_GATEWAY = "http://localhost:8787";

/** The key comes from the environment alone: a process list shows arguments to everybody on the machine. */
export function readGatewayAddress(
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
): Result<GatewayAddress, readonly string[]> {
  const parsed = URL.parse(url);
  if (!parsed || !["http:", "https:"].includes(parsed.protocol)) {
    return err([`--gateway is \`${url}\`: it must be an http or https URL, such as ${DEFAULT_GATEWAY}`]);
  }
  if (parsed.username !== "" || parsed.password !== "")
    return err(["--gateway must hold no user name and no password"]);
  const address = `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, "").replace(/\/v1$/, "");
  const key = environment.TOOLGATE_KEY?.trim();
  if (key) {
    if (!/^[\x21-\x7e]+$/.test(key))
      return err(["TOOLGATE_KEY is not a key: it holds a space or a character that no key has"]);
    if (parsed.protocol === "http:" && !isLoopbackHost(parsed.hostname)) {
      return err([`${address} is not encrypted: the key would go over the network for all to read; use https`]);
    }
    return ok({ url: address, key, keyFrom: "TOOLGATE_KEY" });
  }
  if (!isLoopbackHost(parsed.hostname)) return err([`TOOLGATE_KEY is not set: ${address} needs an operator's key`]);
  return ok({ url: address, key: "tg-dev-admin", keyFrom: "the development key, since TOOLGATE_KEY is not set" });
}

export const hostOf = (url: string): string => new URL(url).hostname;
