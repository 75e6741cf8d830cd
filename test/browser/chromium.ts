/** Headless Chromium: Debian's own, since a browser cannot be downloaded everywhere. */
import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { chromiumPath } from "./chromium-path.ts";

export const hasChromium = existsSync(chromiumPath);
if (!hasChromium) {
  console.warn(
    `tests in a browser are skipped: there is no ${chromiumPath} (apt-get install chromium-headless-shell, or CHROMIUM_PATH)`,
  );
}

/** It asks nothing of the network by itself, which may be closed. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const launch = (): Promise<Browser> => chromium.launch({ executablePath: chromiumPath, args: flags });

export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
  locale: "en-GB",
};
export const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, locale: "en-GB" };

export interface OpenPage {
  readonly page: Page;
  /** What the page wrote as an error, and what its security policy stopped. */
  readonly complaints: string[];
  /** Addresses of other hosts that it asked; there are to be none. */
  readonly strangers: string[];
}

/** A page with a profile of its own, for the test that runs: one that stayed open would go on asking and drawing. */
export async function openPage(browser: Browser, origin: string, options: BrowserContextOptions): Promise<OpenPage> {
  const context = await browser.newContext({ baseURL: origin, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  const strangers: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // A refusal of the API is no fault of the page.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.origin !== origin) strangers.push(request.url());
  });
  return { page, complaints, strangers };
}
