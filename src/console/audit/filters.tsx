/** The filters that are set, each a pill that removes its filter, and a form that adds a filter as soon as it has a value. */
import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { Icon } from "../shell/icon.tsx";
import { texts } from "./texts.ts";
import {
  addressOf,
  asInstant,
  choicesOf,
  isTime,
  KINDS,
  SPANS,
  type View,
  withFilter,
  withoutFilter,
  withSpan,
} from "./view.ts";
import { nameWords, valueWords } from "./words.ts";

export function Filters({ view }: { readonly view: View }) {
  const { route } = useLocation();
  const names: readonly string[] = KINDS[view.kind];
  const chosen = useSignal<string>(names[0] ?? "user");

  function apply(form: HTMLFormElement | null): void {
    const value = form === null ? "" : String(new FormData(form).get("value") ?? "").trim();
    if (form === null || value === "") return;
    for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[name=value]")) field.value = "";
    route(addressOf(withFilter(view, chosen.value, isTime(chosen.value) ? asInstant(value) : value)));
  }

  return (
    <>
      {view.filters.map(([name, value]) => (
        <a
          key={name}
          class="filter-pill set"
          href={addressOf(withoutFilter(view, name))}
          aria-label={texts.without(nameWords(name), valueWords(name, value))}
        >
          {nameWords(name)}: {valueWords(name, value)}
          <Icon name="cross" />
        </a>
      ))}
      <details class="tool-box">
        <summary class="filter-pill">{texts.filter}</summary>
        <form
          class="filters"
          onSubmit={(event) => {
            event.preventDefault();
            apply(event.currentTarget);
          }}
        >
          <label>
            {texts.addFilter}
            <select
              value={chosen.value}
              onChange={({ currentTarget }) => {
                apply(currentTarget.form);
                chosen.value = currentTarget.value;
              }}
            >
              {names.map((name) => (
                <option key={name} value={name}>
                  {nameWords(name)}
                </option>
              ))}
            </select>
          </label>
          <label for="filter-value">
            {texts.value}
            <ValueField name={chosen.value} choices={choicesOf(view.kind, chosen.value)} onChosen={apply} />
          </label>
          <button type="submit" class="button">
            {texts.add}
          </button>
        </form>
        <nav class="pills spans" aria-label={texts.spansLabel}>
          {SPANS.map((span) => (
            <button
              key={span}
              type="button"
              class="filter-pill"
              onClick={() => route(addressOf(withSpan(view, span, Date.now())))}
            >
              {texts.spans[span]}
            </button>
          ))}
        </nav>
      </details>
    </>
  );
}

interface ValueFieldProps {
  readonly name: string;
  readonly choices: readonly string[] | undefined;
  /** A value that was typed takes effect when the field loses the focus: an export holds no more than the form shows. */
  readonly onChosen: (form: HTMLFormElement | null) => void;
}

function ValueField({ name, choices, onChosen }: ValueFieldProps) {
  const field = { id: "filter-value", name: "value", autocomplete: "off" } as const;
  const onBlur = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onChosen(currentTarget.form);
  if (isTime(name)) return <input key="time" {...field} type="datetime-local" onBlur={onBlur} />;
  if (!choices) return <input key="text" {...field} onBlur={onBlur} />;
  return (
    <select {...field} onChange={({ currentTarget }) => onChosen(currentTarget.form)}>
      <option value="" />
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {valueWords(name, choice)}
        </option>
      ))}
    </select>
  );
}
