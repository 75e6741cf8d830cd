/** One turn of a session: its facts, and its calls in the order in which they were decided. */
import { useEffect, useRef } from "preact/hooks";
import type { ApprovalRow, DecisionRow, RunRow, TurnRow } from "../api/trail-views.ts";
import { Pill } from "../parts/parts.tsx";
import { duration, when } from "../texts/texts.ts";
import { reasonWords } from "../trail/trail-texts.ts";
import { DecisionEntry } from "./decision-entry.tsx";
import { texts } from "./texts.ts";

interface TurnProps {
  readonly number: number;
  readonly turn: TurnRow;
  /** The page was opened to show it. */
  readonly isChosen: boolean;
  readonly decisions: readonly DecisionRow[];
  /** Of the whole session: an answer comes in a later turn than its question. */
  readonly approvals: readonly ApprovalRow[];
  readonly runs: readonly RunRow[];
}

export function TurnCard({ number, turn, isChosen, decisions, approvals, runs }: TurnProps) {
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: "start" });
  }, [isChosen]);
  const inOrder = [...decisions].sort((one, other) => one.seq - other.seq);
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
      <TurnFacts turn={turn} />
      {turn.instructions?.map(({ tool }) => (
        <p key={tool} class="note warn">
          {texts.instructions(tool ?? "–")}
        </p>
      ))}
      {inOrder.map((decision) => (
        <DecisionEntry
          key={decision.id}
          decision={decision}
          events={approvals.filter(({ approval }) => approval === decision.approval)}
          run={runs.find((run) => run.decision === decision.id)}
        />
      ))}
    </li>
  );
}

function TurnFacts({ turn }: { readonly turn: TurnRow }) {
  const { detection, offered, withheld, steps, usage, tokens_saved: saved } = turn;
  const took = duration(Date.parse(turn.ended_at) - Date.parse(turn.at));
  return (
    <dl class="turn-facts">
      <dt>{texts.heard}</dt>
      <dd>
        <Heard detection={detection} />
      </dd>
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
      <dt>{texts.end}</dt>
      <dd>
        <span class="mono">{turn.error ?? turn.stop_reason}</span> {texts.took(took, steps)}
        {usage?.total_tokens !== undefined && `, ${texts.tokens(usage.total_tokens, saved)}`}
      </dd>
    </dl>
  );
}

/** The user's words are in no record: what they matched is. */
function Heard({ detection }: { readonly detection: TurnRow["detection"] }) {
  if (!detection) return <span class="hint">{texts.continues}</span>;
  if (detection.intents.length === 0) return <span class="hint">{texts.nothingHeard}</span>;
  return (
    <ul class="plain-list">
      {detection.intents.map(({ name, confidence, layer, evidence }) => (
        <li key={name}>
          <span class="mono">{name}</span>{" "}
          <span class="hint">{texts.by(layer, confidence.toLocaleString(undefined, { style: "percent" }))}</span>{" "}
          {evidence.map(({ source, at }) => (
            <Pill key={`${source} ${at}`} tone="calm">
              {source}
            </Pill>
          ))}
        </li>
      ))}
    </ul>
  );
}
