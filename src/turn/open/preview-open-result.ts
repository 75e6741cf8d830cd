/**
 * The result of an open for a turn that never opens: a simulation, or the preview of a plan. It holds the current state of the session's
 * task; nothing is opened, counted or recorded. Pure.
 */
import type { OpenResult } from "../../ports/turns/open-turn-request.ts";
import type { SessionInfo } from "../../session/state.ts";

interface PreviewedTurn {
  readonly session: string;
  /** Undefined if there is no such session yet. */
  readonly info: SessionInfo | undefined;
  readonly mode: string | undefined;
  /** Connections that operators linked. */
  readonly connections: readonly string[];
}

export const previewOpenResult = ({ session, info, mode, connections }: PreviewedTurn): OpenResult => ({
  session,
  mode,
  fresh: false,
  intents: info?.intents ?? [],
  detected: info?.detected ?? [],
  succeeded: [],
  reminded: false,
  untrusted: false,
  changedDefinitions: [],
  hidden: [],
  replay: undefined,
  connections,
});
