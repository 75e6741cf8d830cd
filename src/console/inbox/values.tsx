/** The arguments of a call. */
import { visibleJson } from "../../lib/visible-text.ts";
import type { ApprovalView } from "../api/approval.ts";
import { texts } from "../texts/texts.ts";
import { readable } from "./readable.ts";

/** What stands beside its name on a phone; longer ones stand below it. */
const BRIEF = 24;

export interface ValuesProps {
  readonly values: ApprovalView["details"]["arguments"];
  /** How many are not among them. */
  readonly more: number;
  readonly whole: unknown;
}

export function Values({ values, more, whole }: ValuesProps) {
  const words = texts.card;
  if (values.length === 0 && more === 0) return <p class="hint">{words.noValues}</p>;
  return (
    <section class="values">
      <h3>{words.values}</h3>
      <dl>
        {values.map(({ name, value, redacted }) => {
          const text = readable(value);
          const long = !redacted && (text.length > BRIEF || text.includes("\n"));
          return (
            <div key={name} class={long ? "long" : undefined}>
              <dt>{name}</dt>
              <dd class={redacted ? "hidden-value" : undefined}>{redacted ? words.hidden : text}</dd>
            </div>
          );
        })}
      </dl>
      {more > 0 && <p class="hint">{words.more(more)}</p>}
      {isLong(values, more, whole) && (
        <details class="whole">
          <summary>{words.whole}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
          <section tabIndex={0} aria-label={words.whole}>
            <pre class="mono">{visibleJson(whole)}</pre>
          </section>
        </details>
      )}
    </section>
  );
}

/** Whether the lines above may leave something out. */
function isLong(values: ValuesProps["values"], more: number, whole: unknown): boolean {
  if (whole === null || typeof whole !== "object") return false;
  return more > 0 || values.some(({ value }) => value.includes("…"));
}
