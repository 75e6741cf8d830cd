/** What UserGuard answers a turn that is opened in a fresh session without a history. */
import type { OpenResult } from "../../src/ports/turns/open-turn-request.ts";

export const openedTurn: OpenResult = {
  session: "s",
  mode: undefined,
  fresh: false,
  intents: [],
  detected: [],
  succeeded: [],
  reminded: false,
  untrusted: false,
  changedDefinitions: [],
  hidden: [],
  replay: undefined,
};
