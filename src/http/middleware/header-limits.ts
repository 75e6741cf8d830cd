/** How large a request's headers may be. Pure. */
import type { Limits } from "../../settings/limits.ts";
import { headersTooLarge, type Problem } from "../problem.ts";

/** Of a credential, in bytes: what is longer is not read as one. */
const MAX_CREDENTIAL_BYTES = 8 * 1024;

export function checkHeaders(headers: Headers, { maxHeaderBytes }: Limits): Problem | undefined {
  for (const name of ["authorization", "x-upstream-authorization"]) {
    const length = headers.get(name)?.length ?? 0;
    if (length > MAX_CREDENTIAL_BYTES)
      return headersTooLarge(`the header \`${name}\` is`, MAX_CREDENTIAL_BYTES, "token_too_large");
  }
  let bytes = 0;
  for (const [name, value] of headers) bytes += name.length + value.length;
  return bytes > maxHeaderBytes ? headersTooLarge("the headers together are", maxHeaderBytes) : undefined;
}
