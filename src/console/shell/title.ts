/** The title of the tab: the number of waiting calls and the page's name. */
import { effect, signal } from "@preact/signals";
import { waiting } from "../inbox/approvals.ts";
import type { Page } from "../pages.ts";
import { me } from "../sign-in/me.ts";
import { texts } from "../texts/texts.ts";

const shown = signal<Page["name"]>("waiting");

export function showTitle(page: Page["name"]): void {
  shown.value = page;
}

export function followTitle(): void {
  effect(() => {
    if (!me.value) return;
    const count = waiting.value.length;
    document.title = `${count > 0 ? `(${count}) ` : ""}${texts.nav[shown.value]} · Toolgate`;
  });
}
