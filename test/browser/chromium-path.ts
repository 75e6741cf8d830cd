import { existsSync } from "node:fs";

/** Of Debian's, the first that is there. The headless shell draws no windows, which halves what a test costs. */
const packaged = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] as const;

/** The browser of the tests. Nothing need be there. */
export const chromiumPath: string =
  process.env.CHROMIUM_PATH ?? packaged.find((path) => existsSync(path)) ?? packaged[0];
