/** A turn as the gateway goes through it: opened, its calls decided, closed. */
import type {
  CloseRequest,
  DecidedCall,
  DecideRequest,
  OpenRequest,
  OpenResult,
  SaveHiddenRequest,
  TurnsPort,
} from "../../../ports/turns-port.ts";
import type { ObjectContext } from "../object-context.ts";
import { SWEEP_MS } from "../schema.ts";
import { closeTurn } from "./close.ts";
import { decideStep } from "./decide.ts";
import { saveHidden } from "./exchanges.ts";
import { openTurn, readsOthers } from "./open.ts";
import type { OpenTurns } from "./open-turns.ts";

export class TurnsApi implements TurnsPort {
  private readonly context: ObjectContext;
  private readonly openTurns: OpenTurns;

  constructor(context: ObjectContext, openTurns: OpenTurns) {
    this.context = context;
    this.openTurns = openTurns;
  }

  /**
   * A plain open is answered before it is written, so the model need not wait for a commit. If the object dies before the write,
   * the turn is unknown, and decides nothing.
   */
  async open(request: OpenRequest): Promise<OpenResult> {
    const { context } = this;
    const { sql, keys, writes } = context;
    if (readsOthers(request) || (request.session.id !== undefined && writes.hasPending())) writes.flush();
    const { opened, write, urgent, changed } = context.transact(() => {
      const turn = this.openTurns.open(request, (now) => openTurn(sql, keys, request, now));
      if (turn.urgent) turn.write();
      return turn;
    });
    if (!urgent) writes.queue(opened.session, write);
    if (changed) context.changed();
    context.alarm.clock.schedule(SWEEP_MS);
    return opened;
  }

  async decide(request: DecideRequest): Promise<readonly DecidedCall[]> {
    return this.context.change(({ sql, keys, now }) => decideStep(sql, keys, request, now));
  }

  async saveHidden(request: SaveHiddenRequest): Promise<void> {
    this.context.read(({ sql }) => saveHidden(sql, request));
  }

  /** What the client's next request must find is written at once. */
  async close(request: CloseRequest): Promise<void> {
    const { sql, keys, writes, alarm, now } = this.context;
    this.openTurns.close(request.turn);
    writes.queue(request.session, () => {
      closeTurn(sql, keys, request, now());
      alarm.turnClosed();
    });
    if (request.taskGoesOn || request.giveBack) writes.flush();
  }
}
