/** What the tests of a file share: a browser, the pages, and an API that says what a test wants. */
import type { Browser, BrowserContextOptions } from "playwright-core";
import { onTestFinished } from "vitest";
import { startGateway } from "../clients/support/worker.ts";
import { launch, type OpenPage, openPage } from "./chromium.ts";
import { type FakeGateway, fakeGateway } from "./fake-gateway.ts";

export interface Stage {
  readonly browser: Browser;
  /** Where the real gateway is, which serves the pages. */
  readonly gateway: string;
  /** A page of somebody who is signed in, and an API of its own. */
  enter(options: BrowserContextOptions, prepare?: (fake: FakeGateway) => void, path?: string): Promise<Entered>;
  close(): Promise<void>;
}

interface Entered extends OpenPage {
  readonly fake: FakeGateway;
}

export async function openStage(): Promise<Stage> {
  const [gateway, browser] = await Promise.all([startGateway(), launch()]);
  const origin = new URL(gateway.baseURL).origin;
  return {
    browser,
    gateway: origin,
    async enter(options, prepare, path = "/console/approvals") {
      const fake = await fakeGateway(origin);
      onTestFinished(() => fake.close());
      prepare?.(fake);
      const opened = await openPage(browser, fake.origin, options);
      await opened.page.addInitScript(() => {
        if (sessionStorage.getItem("seen") === null) sessionStorage.setItem("toolgate.key", "tg_test");
        sessionStorage.setItem("seen", "1");
      });
      await opened.page.goto(path);
      return { ...opened, fake };
    },
    async close() {
      await browser.close();
      await gateway.stop();
    },
  };
}
