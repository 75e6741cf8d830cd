/** Allowing the tool from now on: for how long, and only for which values. The sentence says what is given. */
import { useSignal } from "@preact/signals";
import { isObject } from "../../../lib/json/json-value.ts";
import { shownJson, shownLine } from "../../../lib/text/visible-text.ts";
import type { GrantBody } from "../../api/views.ts";
import { HIDDEN, holdsHidden } from "../../form/field.ts";
import { FailureNote } from "../../shell/page-parts.tsx";
import { texts } from "../../texts/texts.ts";
import type { PanelProps } from "./answer-area.tsx";
import { PanelButtons } from "./panels.tsx";

const SHOWN = 60;

export function GrantPanel({ approval, busy, sending, failure, onAnswer, onCancel }: PanelProps) {
  const length = useSignal<GrantLength>("session");
  const only = useSignal<readonly string[]>([]);
  const words = texts.grant;
  const values = isObject(approval.arguments) ? approval.arguments : {};
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
        // What is asked about as a first use would be asked about again.
        const enable = approval.first_use === null ? {} : { enable: true };
        onAnswer({ action: "approve", grant: grantBody(length.value, only.value, values), ...enable });
      }}
    >
      <h3>{words.title}</h3>
      <GrantChoices
        id={approval.id}
        length={length.value}
        onLength={(next) => {
          length.value = next;
        }}
        conditions={bindable.map(([name, value]) => [name, words.is(name, shown(value))] as const)}
        only={only.value}
        onOnly={toggle}
      />
      <p class="given" role="status">
        {words.sentence(approval.tool, length.value, conditions)}
      </p>
      {(length.value === "open" || length.value === "month") && <p class="hint">{words.bounded}</p>}
      {failure && <FailureNote failure={failure} />}
      <PanelButtons submit={words.submit} kind="strong" busy={busy} sending={sending} onCancel={onCancel} />
    </form>
  );
}

/** On one line. */
function shown(value: unknown): string {
  const text = typeof value === "string" ? `“${shownLine(value).text}”` : shownJson(JSON.stringify(value)).text;
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

export interface GrantChoicesProps {
  /** Keeps the choices of two calls apart. */
  readonly id: string;
  readonly length: GrantLength;
  readonly onLength: (length: GrantLength) => void;
  /** Each condition that can be chosen, as text, by its argument's name. */
  readonly conditions: readonly (readonly [string, string])[];
  readonly only: readonly string[];
  readonly onOnly: (name: string, on: boolean) => void;
}

export function GrantChoices({ id, length, onLength, conditions, only, onOnly }: GrantChoicesProps) {
  const words = texts.grant;
  return (
    <>
      <fieldset class="choices">
        <legend class="label">{words.howLong}</legend>
        {grantLengths.map((one) => (
          <label key={one} class="choice">
            <input type="radio" name={`${id}-length`} checked={length === one} onChange={() => onLength(one)} />
            <span>{words.length[one]}</span>
          </label>
        ))}
      </fieldset>
      {conditions.length > 0 && (
        <fieldset class="conditions">
          <legend class="label">{words.onlyIf}</legend>
          {conditions.map(([name, text]) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={only.includes(name)}
                onChange={(event) => onOnly(name, event.currentTarget.checked)}
              />
              <span>{text}</span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

export const grantLengths = ["session", "hours", "month", "open"] as const;
export type GrantLength = (typeof grantLengths)[number];

const until: Readonly<Record<GrantLength, string>> = {
  session: "session",
  hours: "8h",
  month: "30d",
  open: "withdrawn",
};

/** @param only names of arguments whose values the grant is bound to. */
export function grantBody(
  length: GrantLength,
  only: readonly string[],
  values: Readonly<Record<string, unknown>>,
): GrantBody {
  const conditions = Object.fromEntries(only.map((name) => [name, { equals: values[name] }]));
  return { until: until[length], ...(only.length > 0 ? { arguments: conditions } : {}) };
}
