/** The entry of the console's pages. */

import { render } from "preact";
import { App } from "./app.tsx";
import { startClock } from "./inbox/clock.ts";
import { followApprovals } from "./inbox/follow.ts";
import { pauseAnswersWhenListMoves, watchExpiry } from "./inbox/listed.ts";
import { followPush } from "./inbox/notifications.ts";
import { countOthersWaiting } from "./inbox/scope.tsx";
import { followTitle } from "./shell/title.ts";
import { loadMeOnSignIn } from "./sign-in/me.ts";
import { language, when } from "./texts/texts.ts";

document.documentElement.lang = language;
startClock();
loadMeOnSignIn();
followApprovals();
countOthersWaiting();
watchExpiry();
pauseAnswersWhenListMoves();
followTitle();
followPush();

const place = document.getElementById("console");
if (place) render(<App />, place);
// Formatting the first date takes 20 ms and more: it is done after the first paint, before a page needs it.
requestAnimationFrame(() => setTimeout(() => when(new Date().toISOString())));
