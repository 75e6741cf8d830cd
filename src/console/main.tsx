/** The entry of the console's pages. */

import { effect } from "@preact/signals";
import { render } from "preact";
import { App } from "./app.tsx";
import { waiting } from "./inbox/approvals.ts";
import { startClock } from "./inbox/clock.ts";
import { followApprovals } from "./inbox/follow.ts";
import { pauseAnswersWhenListMoves, watchExpiry } from "./inbox/listed.ts";
import { countOthersWaiting } from "./inbox/scope.tsx";
import { loadMeOnSignIn, me } from "./sign-in/me.ts";
import { language, texts } from "./texts/texts.ts";

document.documentElement.lang = language;
startClock();
loadMeOnSignIn();
followApprovals();
countOthersWaiting();
watchExpiry();
pauseAnswersWhenListMoves();
followTitle();

const place = document.getElementById("console");
if (place) render(<App />, place);

function followTitle(): void {
  effect(() => {
    if (!me.value) return;
    const count = waiting.value.length;
    document.title = `${count > 0 ? `(${count}) ` : ""}${texts.nav.waiting} · Toolgate`;
  });
}
