/** Allowing the tool from now on: for how long, and only for which values. The sentence says what is given. */
import { useSignal } from "@preact/signals";
import { isObject } from "../../../lib/json/json-value.ts";
import { shownJson, shownLine } from "../../../lib/text/visible-text.ts";
import { HIDDEN, holdsHidden } from "../../form/field.ts";
import { FailureNote } from "../../shell/failure-note.tsx";
import { texts } from "../../texts/texts.ts";
import type { PanelProps } from "./answer-area.tsx";
import { type GrantLength, grantBody } from "./grant-body.ts";
import { GrantChoices } from "./grant-choices.tsx";
import { PanelButtons } from "./panel-buttons.tsx";

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
