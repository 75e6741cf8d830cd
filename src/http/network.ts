/** Which network a request comes from, for limits on unauthenticated requests. Pure. */
import { readAddress } from "../tools/reach/address.ts";

/** For IPv6 the first half: the owner of one address there has the whole network. Cloudflare sets the header; elsewhere all are one, "". */
export function networkOf(headers: Headers): string {
  const address = headers.get("cf-connecting-ip");
  const bytes = address === null ? undefined : readAddress(address);
  return (bytes?.length === 16 ? bytes.slice(0, 8) : (bytes ?? [])).join(".");
}
