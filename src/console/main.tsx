/** The entry of the console's pages. */

import { effect } from "@preact/signals";
import { render } from "preact";
import { App } from "./app.tsx";
import { waiting } from "./inbox/approvals.ts";
import { startClock } from "./inbox/clock.ts";
import { followApprovals } from "./inbox/follow.ts";
import { watchExpiry, watchMoves } from "./inbox/listed.ts";
import { followOthers } from "./inbox/scope.tsx";
import { followCredential, me } from "./sign-in/me.ts";
import { language, texts } from "./texts/texts.ts";

document.documentElement.lang = language;
startClock();
followCredential();
followApprovals();
followOthers();
watchExpiry();
watchMoves();
followTitle();

const place = document.getElementById("console");
if (place) render(<App />, place);

export function followTitle(): void {
  effect(() => {
    if (!me.value) return;
    const count = waiting.value.length;
    document.title = `${count > 0 ? `(${count}) ` : ""}${texts.nav.waiting} · Toolgate`;
  });
}
