/** The result of a simulated turn: detected intents with their words, offered tools, and the decisions on its calls. */

import type { SimulationView } from "../../api-views/policy-views.ts";
import type { SaidWords } from "../../api-views/trail-views.ts";
import { cutAtMarks } from "../../lib/text/marked-text.ts";
import { Heard, Said } from "../trail/heard.tsx";
import { EffectPill, Origins, Reasons } from "../trail/trail-parts.tsx";
import { reasonWords } from "../trail/trail-texts.ts";
import { texts as words } from "./simulate-texts.ts";

interface SimulatedProps {
  /** The message that was simulated. */
  readonly message: string;
  readonly simulation: SimulationView;
}

export function Simulated({ message, simulation }: SimulatedProps) {
  const { detection, state, steps, stopped } = simulation;
  const last = steps.at(-1);
  return (
    <div role="status">
      {detection && <Said words={heardWords(message, detection)} />}
      <dl class="turn-facts">
        <dt>{words.heard}</dt>
        <dd>
          <Heard intents={detection?.intents ?? []} discounted={detection?.discounted ?? []} />
        </dd>
        <dt>{words.state}</dt>
        <dd class="mono">{state}</dd>
        {last && (
          <>
            <dt>{words.offered}</dt>
            <dd class="mono">{last.offered.join(", ") || "–"}</dd>
            <dt>{words.withheld}</dt>
            <dd>
              {last.withheld.length === 0 && "–"}
              <ul class="plain-list">
                {last.withheld.map(({ name, reasons }) => (
                  <li key={name}>
                    <span class="mono">{name}</span>: {reasons.map(({ code }) => reasonWords(code)).join(", ")}
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
      </dl>
      {detection && detection.missed.length > 0 && <p class="note warn">{words.missed}</p>}
      {stopped && <p class="note warn">{stopped.message}</p>}
      {steps.flatMap(({ calls }) => calls.map((call) => <SimulatedCall key={call.id} call={call} />))}
    </div>
  );
}

type Call = SimulationView["steps"][number]["calls"][number];

function SimulatedCall({ call: { name, effect, reasons, origins, question } }: { readonly call: Call }) {
  return (
    <div class="decision">
      <EffectPill effect={effect} />
      <div>
        <strong class="mono">{name}</strong>
        <Reasons reasons={reasons} />
        <Origins origins={origins} />
        {question && (
          <details open>
            <summary>{words.question}</summary>
            <pre class="json">{question.text}</pre>
          </details>
        )}
      </div>
    </div>
  );
}

/** Cuts the message into pieces, in the form of a record that keeps its message. */
function heardWords(
  message: string,
  { intents, discounted }: NonNullable<SimulationView["detection"]>,
): readonly SaidWords[] {
  const marks = [...intents, ...discounted].flatMap(({ name, evidence }) =>
    evidence
      .filter(({ text, at }) => text !== "" && message.startsWith(text, at))
      .map(({ text, at, discounted: why }) => {
        return { from: at, to: at + text.length, as: { name, counts: why === undefined } };
      }),
  );
  return cutAtMarks(message, marks).map(({ text, as }) => {
    const named = (counts: boolean) => as.filter((one) => one.counts === counts).map(({ name }) => name);
    const [heard, not] = [named(true), named(false)];
    return { text, ...(heard.length > 0 ? { heard } : {}), ...(not.length > 0 ? { discounted: not } : {}) };
  });
}
