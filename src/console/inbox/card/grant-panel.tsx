/** The panel that allows a tool from now on: for how long, and for which values. One sentence states the grant. */
import { useSignal } from "@preact/signals";
import type { GrantBody } from "../../../api-views/approval-views.ts";
import { isObject } from "../../../lib/json/json-value.ts";
import { shownJson, shownLine } from "../../../lib/text/visible-text.ts";
import { HIDDEN, holdsHidden } from "../../form/field.ts";
import { texts } from "../../texts/texts.ts";
import { PanelForm, type PanelProps } from "./panels.tsx";

/** The API's spelling of each length. */
const until = { session: "session", hours: "8h", month: "30d", open: "withdrawn" } as const;
type GrantLength = keyof typeof until;
const grantLengths = Object.keys(until) as GrantLength[];

export function GrantPanel(props: PanelProps) {
  const { approval, onAnswer } = props;
  const length = useSignal<GrantLength>("session");
  const bound = useSignal<ReadonlySet<string>>(new Set());
  const words = texts.grant;
  const values = isObject(approval.arguments) ? approval.arguments : {};
  const bindable = Object.entries(values).filter(([, value]) => value !== HIDDEN && !holdsHidden(value));
  const conditions = bindable.map(([name, value]) => ({ name, text: words.is(name, onOneLine(value)) }));
  const chosen = conditions.filter(({ name }) => bound.value.has(name));
  const toggle = (name: string) => {
    bound.value = bound.value.symmetricDifference(new Set([name]));
  };
  const submit = () => {
    const grant = grantBody(
      length.value,
      chosen.map(({ name }) => name),
      values,
    );
    // Without `enable` the next call would ask about its first use again.
    onAnswer({ action: "approve", grant, enable: approval.first_use === null ? undefined : true });
  };
  return (
    <PanelForm {...props} title={words.title} submit={words.submit} kind="strong" onSubmit={submit}>
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
      {conditions.length > 0 && (
        <fieldset class="conditions">
          <legend class="label">{words.onlyIf}</legend>
          {conditions.map(({ name, text }) => (
            <label key={name} class="check">
              <input type="checkbox" checked={bound.value.has(name)} onChange={() => toggle(name)} />
              <span>{text}</span>
            </label>
          ))}
        </fieldset>
      )}
      <p class="given" role="status">
        {words.sentence(
          approval.tool,
          length.value,
          chosen.map(({ text }) => text),
        )}
      </p>
      {(length.value === "open" || length.value === "month") && <p class="hint">{words.bounded}</p>}
    </PanelForm>
  );
}

const MAX_SHOWN = 60;

function onOneLine(value: unknown): string {
  const text = typeof value === "string" ? `“${shownLine(value).text}”` : shownJson(JSON.stringify(value)).text;
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** @param only names of the arguments whose values the grant is bound to. */
export function grantBody(
  length: GrantLength,
  only: readonly string[],
  values: Readonly<Record<string, unknown>>,
): GrantBody {
  const conditions = Object.fromEntries(only.map((name) => [name, { equals: values[name] }]));
  return { until: until[length], ...(only.length > 0 ? { arguments: conditions } : {}) };
}
