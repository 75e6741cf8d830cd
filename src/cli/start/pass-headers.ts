/** Which headers the listener of `npm start` passes on. Pure. */

/**
 * Those of one connection alone, and those by which a proxy tells the runtime what a request is (`mf-original-url` would
 * be taken for its URL): whoever writes them could pose as this machine.
 */
const NOT_PASSED =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|mf-.*|cf-.*|x-forwarded-.*|forwarded|x-real-ip|true-client-ip|x-toolgate-listener)$/;

/** @param rawHeaders names and values in turn. */
export function passedHeaders(rawHeaders: readonly string[]): string[] {
  const ofConnection = new Set<string>();
  eachHeader(rawHeaders, (name, value) => {
    if (name === "connection") for (const one of value.split(",")) ofConnection.add(one.trim().toLowerCase());
  });
  const passed: string[] = [];
  eachHeader(rawHeaders, (name, value, written) => {
    if (!NOT_PASSED.test(name) && !ofConnection.has(name)) passed.push(written, value);
  });
  return passed;
}

function eachHeader(
  rawHeaders: readonly string[],
  visit: (name: string, value: string, written: string) => void,
): void {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [written = "", value = ""] = [rawHeaders[at], rawHeaders[at + 1]];
    visit(written.toLowerCase(), value, written);
  }
}
