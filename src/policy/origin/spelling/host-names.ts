/** Hosts with letters beyond ASCII have two spellings: their own (`bücher.example`) and one in ASCII (`xn--bcher-kva.example`). Pure. */
import { lazyRegExp } from "../../../lib/once.ts";

const hosts = lazyRegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}.-])(?:[\p{L}\p{M}\p{N}-]{1,63}\.){1,10}[\p{L}\p{M}]{2,24}(?![\p{L}\p{N}])`,
  "gu",
);

/** A text with these hosts in ASCII, as browsers and mail programs write them to the network. @param text folded. */
export const asciiHosts = (text: string): string =>
  /[\u0080-\uffff]/.test(text) ? text.replace(hosts(), asciiHost) : text;

function asciiHost(host: string): string {
  if (!/[\u0080-\uffff]/.test(host) || host.length > 253) return host;
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return host;
  }
}
