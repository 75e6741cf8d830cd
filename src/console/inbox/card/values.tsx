/** The arguments of a call, each whole and as it is laid out. */
import { texts } from "../../texts/texts.ts";
import { BRIEF, type ValueView } from "./shown-values.ts";

export interface ValuesProps {
  readonly values: readonly ValueView[];
  /** Names of those that are opened: what is private or long waits until then. */
  readonly seen: ReadonlySet<string>;
  readonly onSee: (name: string) => void;
}

export function Values({ values, seen, onSee }: ValuesProps) {
  const words = texts.card;
  if (values.length === 0) return <p class="hint">{words.noValues}</p>;
  return (
    <section class="values">
      <h3>{words.values}</h3>
      <dl>
        {values.map((value) => {
          const isBrief = value.isHidden || (value.text.length <= BRIEF && !value.text.includes("\n"));
          return (
            <div key={value.name} class={isBrief ? undefined : "long"}>
              <dt>
                {value.name}
                <Aside value={value} />
              </dt>
              <dd>
                <Value value={value} isSeen={seen.has(value.name)} onSee={() => onSee(value.name)} />
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

function Aside({ value: { isJson, escaped } }: { readonly value: ValueView }) {
  const notes = [...(isJson ? ["JSON"] : []), ...(escaped ? [texts.card.escaped] : [])];
  return notes.length === 0 ? null : <span class="aside"> {notes.join(", ")}</span>;
}

interface ValueProps {
  readonly value: ValueView;
  readonly isSeen: boolean;
  readonly onSee: () => void;
}

function Value({ value: { text, isHidden, isPrivate, isLong, characters, name }, isSeen, onSee }: ValueProps) {
  const words = texts.card;
  if (isHidden) return <span class="hidden-value">{words.hidden}</span>;
  if (isPrivate && !isSeen) {
    return (
      <button type="button" class="quiet small reveal" aria-label={words.revealOne(name)} onClick={onSee}>
        {words.reveal}
      </button>
    );
  }
  if (!isLong) return <pre class="mono value">{text}</pre>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <pre class={isSeen ? "mono value block open" : "mono value block"} tabIndex={0}>
        {text}
      </pre>
      {!isSeen && (
        <button type="button" class="quiet small" onClick={onSee}>
          {words.showAll(characters)}
        </button>
      )}
    </>
  );
}
