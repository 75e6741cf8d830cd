/** One turn of a session: the user's message and detected intents, the tools, the calls of each step, and its end. */
import { useEffect, useRef } from "preact/hooks";
import type { ApprovalRow, DecisionRow, RunRow, TurnRow } from "../../api-views/trail-views.ts";
import { Pill } from "../parts/parts.tsx";
import { duration, number, when } from "../texts/texts.ts";
import { Heard, Said } from "../trail/heard.tsx";
import { reasonWords, stopWords } from "../trail/trail-texts.ts";
import { DecisionEntry } from "./decision-entry.tsx";
import { texts } from "./texts.ts";

interface TurnProps {
  readonly number: number;
  readonly turn: TurnRow;
  /** Whether the page was opened to show this turn. */
  readonly isChosen: boolean;
  readonly decisions: readonly DecisionRow[];
  /** Outcome of the questions that it ended with; undefined if it had none. */
  readonly outcome: string | undefined;
  /** The events of the whole session: an answer comes in a later turn than its question. */
  readonly approvals: readonly ApprovalRow[];
  readonly runs: readonly RunRow[];
}

export function TurnCard({ number, turn, isChosen, decisions, outcome, approvals, runs }: TurnProps) {
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: "start" });
  }, [isChosen]);
  const inOrder = [...decisions].sort((one, other) => one.seq - other.seq);
  const steps = [...Map.groupBy(inOrder, ({ step }) => step)];
  return (
    <li ref={card} class={`panel-box turn ${isChosen ? "chosen" : ""}`} aria-current={isChosen ? "true" : undefined}>
      <div class="turn-head">
        <h2>{texts.turn(number)}</h2>
        <Pill tone="calm">{turn.role}</Pill>
        <Pill tone="calm">{turn.mode}</Pill>
        <Pill tone="calm">
          {turn.state_opened === turn.state_closed ? turn.state_closed : `${turn.state_opened} → ${turn.state_closed}`}
        </Pill>
        <time dateTime={turn.at}>{when(turn.at)}</time>
      </div>
      <Said words={turn.detection?.words} />
      <TurnFacts turn={turn} />
      {turn.instructions?.map(({ tool }) => (
        <p key={tool} class="note warn">
          {texts.instructions(tool ?? "–")}
        </p>
      ))}
      {steps.map(([step, calls]) => (
        <div key={step} class="step">
          {turn.steps > 1 && <h3>{texts.step(step)}</h3>}
          {calls.map((decision) => (
            <DecisionEntry
              key={decision.id}
              decision={decision}
              events={approvals.filter(({ approval }) => approval === decision.approval)}
              run={runs.find((run) => run.decision === decision.id)}
            />
          ))}
        </div>
      ))}
      {/* In observe mode a refused call was run. */}
      <Ended
        turn={turn}
        outcome={outcome}
        refused={decisions.filter((one) => one.effect === "deny" && !one.observed).length}
      />
    </li>
  );
}

function TurnFacts({ turn: { detection, offered, withheld } }: { readonly turn: TurnRow }) {
  return (
    <dl class="turn-facts">
      <dt>{texts.heard}</dt>
      <dd>{detection ? <Heard {...detection} /> : <span class="hint">{texts.continues}</span>}</dd>
      <dt>{texts.offered}</dt>
      <dd class="mono">{offered.join(", ") || texts.noTools}</dd>
      {withheld.length > 0 && (
        <>
          <dt>{texts.withheld}</dt>
          <dd>
            <details>
              <summary>{texts.withheldCount(withheld.length)}</summary>
              <ul>
                {withheld.map(({ name, reasons }) => (
                  <li key={name}>
                    <span class="mono">{name}</span>: {reasons.map(reasonWords).join(", ")}
                  </li>
                ))}
              </ul>
            </details>
          </dd>
        </>
      )}
    </dl>
  );
}

function Ended({ turn, outcome, refused }: EndedProps) {
  const { at, ended_at: endedAt, stop_reason: reason, error, steps, usage, tokens_saved: saved } = turn;
  const took = duration(Date.parse(endedAt) - Date.parse(at));
  return (
    <p class="turn-end">
      <strong title={reason}>{outcome ?? stopWords(reason)}</strong>
      {refused > 0 && (
        <>
          , <span class="grave-text">{texts.refused(refused)}</span>
        </>
      )}{" "}
      · {texts.took(took, steps)}
      {usage?.total_tokens !== undefined && ` · ${tokenWords(usage.total_tokens, saved)}`}
      {error !== null && <span class="grave-text"> {error}</span>}
    </p>
  );
}

const tokenWords = (used: number, saved: number): string =>
  saved < 0 ? texts.tokensAdded(number(used), number(-saved)) : texts.tokens(number(used), number(saved));

interface EndedProps {
  readonly turn: TurnRow;
  readonly outcome: string | undefined;
  /** Calls. */
  readonly refused: number;
}
