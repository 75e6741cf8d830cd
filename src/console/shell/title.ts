/** The title of the tab: how many wait, where one is. */
import { effect } from "@preact/signals";
import { waiting } from "../inbox/approvals.ts";
import { me } from "../sign-in/who.ts";
import { texts } from "../texts/texts.ts";

export function followTitle(): void {
  effect(() => {
    if (!me.value) return;
    const count = waiting.value.length;
    document.title = `${count > 0 ? `(${count}) ` : ""}${texts.nav.waiting} · Toolgate`;
  });
}
