/** The gateway's account of the last turn: state, intents, tools offered and withheld, and decisions. */

import type { Note } from "../../api-views/chat-views.ts";
import { EffectPill } from "../trail/trail-parts.tsx";
import { mainReason, reasonWords } from "../trail/trail-texts.ts";
import { texts } from "./texts.ts";

interface TurnAsideProps {
  readonly note: Note;
  /** Whether the turn's page can be linked: the trail's pages show only the operator's own tenant. */
  readonly isOwnTenant: boolean;
}

export function TurnAside({ note, isOwnTenant }: TurnAsideProps) {
  const { state, intent, intents, offered = [], withheld = [], decisions = [], turn_id: turn } = note;
  const held = intents ?? (intent ? [intent] : []);
  return (
    <>
      <dl class="turn-facts">
        <dt>{texts.state}</dt>
        <dd class="mono">{state}</dd>
        <dt>{texts.intents}</dt>
        <dd class="mono">{held.join(", ") || texts.none}</dd>
        <dt>{texts.offered}</dt>
        <dd class="mono">{offered.join(", ") || texts.none}</dd>
        <dt>{texts.withheld}</dt>
        <dd>
          <ul class="plain-list">
            {withheld.map(({ name, reasons }) => (
              <li key={name}>
                <span class="mono">{name}</span>: {reasons.map(reasonWords).join(", ")}
              </li>
            ))}
          </ul>
          {withheld.length === 0 && texts.none}
        </dd>
        {decisions.length > 0 && (
          <>
            <dt>{texts.decided}</dt>
            <dd>
              {decisions.map(({ call_id, tool, effect, reasons }) => (
                <p key={`${call_id} ${effect}`} class="decision-line">
                  <span class="mono">{tool}</span> <EffectPill effect={effect} />
                  {reasons.length > 0 && <span class="hint">{reasonWords(mainReason(reasons) ?? "")}</span>}
                </p>
              ))}
            </dd>
          </>
        )}
      </dl>
      {turn && isOwnTenant && (
        <a class="row-link" href={`/console/turns/${encodeURIComponent(turn)}`}>
          {texts.details}
        </a>
      )}
    </>
  );
}
