/** Allowing the tool from now on: for how long, and only for which values. The sentence says what is given. */
import { useSignal } from "@preact/signals";
import { HIDDEN, holdsHidden, isRecord } from "../form/field.ts";
import { FailureNote } from "../shell/failure-note.tsx";
import { texts } from "../texts/texts.ts";
import type { PanelProps } from "./answer-area.tsx";
import { type GrantLength, grantBody, grantLengths } from "./grant-body.ts";

const SHOWN = 60;

export function GrantPanel({ approval, busy, failure, onAnswer, onCancel }: PanelProps) {
  const length = useSignal<GrantLength>("session");
  const only = useSignal<readonly string[]>([]);
  const words = texts.grant;
  const values = isRecord(approval.arguments) ? approval.arguments : {};
  const bindable = Object.entries(values).filter(([, value]) => value !== HIDDEN && !holdsHidden(value));
  const conditions = only.value.map((name) => words.is(name, shown(values[name])));
  const toggle = (name: string, on: boolean) => {
    const names = new Set(only.value);
    if (on) names.add(name);
    else names.delete(name);
    only.value = bindable.map(([one]) => one).filter((one) => names.has(one));
  };
  return (
    <form
      class="panel"
      aria-label={words.title}
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer({ action: "approve", grant: grantBody(length.value, only.value, values) });
      }}
    >
      <h3>{words.title}</h3>
      <fieldset class="choices">
        <legend class="label">{words.howLong}</legend>
        {grantLengths.map((one) => (
          <label key={one} class="choice">
            <input
              type="radio"
              name={`${approval.id}-length`}
              checked={length.value === one}
              onChange={() => {
                length.value = one;
              }}
            />
            <span>{words.length[one]}</span>
          </label>
        ))}
      </fieldset>
      {bindable.length > 0 && (
        <fieldset class="conditions">
          <legend class="label">{words.onlyIf}</legend>
          {bindable.map(([name, value]) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={only.value.includes(name)}
                onChange={(event) => toggle(name, event.currentTarget.checked)}
              />
              <span>{words.is(name, shown(value))}</span>
            </label>
          ))}
        </fieldset>
      )}
      <p class="given" role="status">
        {words.sentence(approval.tool, length.value, conditions)}
      </p>
      {(length.value === "open" || length.value === "month") && <p class="hint">{words.bounded}</p>}
      {failure && <FailureNote failure={failure} />}
      <div class="buttons">
        <button type="button" class="button" onClick={onCancel}>
          {texts.answer.cancel}
        </button>
        <button type="submit" class="button strong" aria-disabled={busy}>
          {words.submit}
        </button>
      </div>
    </form>
  );
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? `“${value}”` : JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
