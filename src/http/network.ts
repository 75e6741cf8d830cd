/** Which network a request comes from, for limits on what nobody has authenticated. Pure. */
import { readAddress } from "../tools/reach/address.ts";

/** Of IPv6 the first half: who has one address there has the whole network. Cloudflare sets the header; elsewhere all are one, "". */
export function networkOf(headers: Headers): string {
  const address = headers.get("cf-connecting-ip");
  const bytes = address === null ? undefined : readAddress(address);
  return (bytes?.length === 16 ? bytes.slice(0, 8) : (bytes ?? [])).join(".");
}
