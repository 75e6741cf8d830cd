/** Calls that another policy decides differently, by tool and reason, each with a turn as an example. */
import type { ReplayView } from "../../api-views/policy-views.ts";
import { when } from "../texts/texts.ts";
import { EffectPill } from "../trail/trail-parts.tsx";
import { reasonWords } from "../trail/trail-texts.ts";
import { texts } from "./texts.ts";

export function ChangeList({ changes }: Pick<ReplayView, "changes">) {
  const words = texts.replay;
  return (
    <ul class="versions">
      {changes.map(({ tool, from, to, reasons, calls, examples }) => (
        <li key={`${tool} ${from} ${to} ${reasons.join()}`}>
          <p class="decision-line">
            <strong class="mono">{tool}</strong>
            <EffectPill effect={from} />→<EffectPill effect={to} />
            <span>{words.calls(calls)}</span>
          </p>
          <p class="hint">
            {reasons.map(reasonWords).join(", ")}
            {examples[0] && (
              <>
                {" · "}
                <a class="row-link" href={`/console/turns/${encodeURIComponent(examples[0].turn)}`}>
                  {words.turn} {when(examples[0].at)}
                </a>
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
