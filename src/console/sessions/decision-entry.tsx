/** One call in the trail: decision and reasons, origins of its values, the user's answer, and its run. */
import { useLocation } from "preact-iso";
import type { ApprovalRow, DecisionRow, RunRow } from "../../api-views/trail-views.ts";
import { showWholeTenant } from "../inbox/scope.tsx";
import { ActIcon } from "../parts/act-icon.tsx";
import { Pill } from "../parts/parts.tsx";
import { ruleAddress, triedCall } from "../policies/policy-address.ts";
import { me } from "../sign-in/me.ts";
import { duration } from "../texts/texts.ts";
import { EffectPill, Origins, Reasons } from "../trail/trail-parts.tsx";
import { eventWords, trailTexts } from "../trail/trail-texts.ts";
import { texts } from "./texts.ts";

interface DecisionProps {
  readonly decision: DecisionRow;
  /** The events of its approval. */
  readonly events: readonly ApprovalRow[];
  readonly run: RunRow | undefined;
}

export function DecisionEntry({ decision, events, run }: DecisionProps) {
  const { tool, effect, reasons, origins, observed } = decision;
  return (
    <div class="decision">
      <ActIcon tool={tool} />
      <div>
        <p class="decision-line">
          <strong class="mono">{tool}</strong>
          <EffectPill effect={effect} />
          {observed && <Pill tone="calm">{trailTexts.observed}</Pill>}
          {reasons.length === 0 && <span class="hint">{trailTexts.allowed}</span>}
        </p>
        {reasons.length > 0 && <Reasons reasons={reasons} />}
        {reasons.length > 0 && <RuleLinks decision={decision} />}
        {origins && <Origins origins={origins} />}
        <Answers events={events} />
        {events.length === 1 && events[0]?.event === "asked" && (
          <p>
            <a
              class="row-link"
              href={`/console/approvals#${events[0].approval}`}
              onClick={() => decision.user !== me.value?.user && showWholeTenant(true)}
            >
              {texts.question}
            </a>
          </p>
        )}
        {run && (
          <p>
            {texts.ran(run.target, run.status, run.ms)}
            {run.detail && <span class="hint"> {run.detail}</span>}
          </p>
        )}
        {/* Open if the call was not simply allowed: its arguments are what a reader looks at next. */}
        <details open={effect !== "allow"}>
          <summary>{texts.arguments}</summary>
          {decision.arguments === null ? (
            <p class="hint">{texts.noArguments}</p>
          ) : (
            <pre class="json">{JSON.stringify(decision.arguments, null, 2)}</pre>
          )}
        </details>
      </div>
    </div>
  );
}

/** Links from a decision to the tool's entry in the policy, and to a simulation of the same call under the draft. */
function RuleLinks({ decision: { tool, policy, role, mode, arguments: args } }: Pick<DecisionProps, "decision">) {
  const { route } = useLocation();
  return (
    <p class="pills">
      <a class="filter-pill" href={ruleAddress(tool, policy)}>
        {trailTexts.seeRule}
      </a>
      {args !== null && (
        <button
          type="button"
          class="filter-pill"
          onClick={() => {
            triedCall.value = { role, mode, tool, arguments: args };
            route(ruleAddress(tool));
          }}
        >
          {trailTexts.tryCall}
        </button>
      )}
    </p>
  );
}

/** Outcome of the question, with the time it took. */
function Answers({ events }: { readonly events: readonly ApprovalRow[] }) {
  const question = events.find(({ event }) => event === "asked");
  const later = events.filter((one) => one !== question);
  if (!question || later.length === 0) return null;
  return (
    <>
      {later.map(({ id, event, by, at, reason }) => {
        const after = duration(Math.max(0, Date.parse(at) - Date.parse(question.at)));
        return (
          <p key={id}>
            {by === null ? texts.event(eventWords(event), after) : texts.answer(eventWords(event), by, after)}
            {reason && <q> {reason}</q>}
          </p>
        );
      })}
    </>
  );
}
