/** The entry of the console's pages. */
import { render } from "preact";
import { App } from "./app.tsx";
import { startClock } from "./inbox/card/clock.ts";
import { watchExpiry } from "./inbox/card/expired.ts";
import { followApprovals } from "./inbox/follow.ts";
import { watchMoves } from "./inbox/settling.ts";
import { followOthers } from "./inbox/waiting-counts.ts";
import { followTitle } from "./shell/title.ts";
import { followCredential } from "./sign-in/who.ts";
import { language } from "./texts/texts.ts";

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
