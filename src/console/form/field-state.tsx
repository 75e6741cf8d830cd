/** Whether a field has a value at all: left out, null, hidden, or given. */
import { texts } from "../texts/texts.ts";
import type { Draft } from "./draft.ts";
import type { FieldProps } from "./field-props.ts";

export function FieldState({ field, draft, onChange }: FieldProps) {
  const words = texts.form;
  const to = (state: Draft["state"], label: string) => (
    <button key={state} type="button" class="quiet small" onClick={() => onChange({ ...draft, state })}>
      {label}
      <span class="visually-hidden"> {field.label}</span>
    </button>
  );
  const choices = [];
  if (draft.state === "hidden") choices.push(to("given", words.replace));
  if (draft.state === "absent" || draft.state === "null") choices.push(to("given", words.fill));
  if (draft.state === "given" && field.nullable) choices.push(to("null", words.none));
  if (draft.state !== "absent" && !field.required) choices.push(to("absent", words.leaveOut));
  return choices.length > 0 ? <div class="field-states">{choices}</div> : null;
}
