/** The filters that are set, each a pill that takes itself away, and a form that adds one. */
import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { Icon } from "../shell/icon.tsx";
import { texts } from "./texts.ts";
import { addressOf, choicesOf, KINDS, type View, withFilter, withoutFilter } from "./view.ts";
import { nameWords, valueWords } from "./words.ts";

export function Filters({ view }: { readonly view: View }) {
  const { route } = useLocation();
  const names: readonly string[] = KINDS[view.kind];
  const chosen = useSignal<string>(names[0] ?? "user");
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
            const form = event.currentTarget;
            const value = String(new FormData(form).get("value") ?? "").trim();
            if (value === "") return;
            form.reset();
            route(addressOf(withFilter(view, chosen.value, value)));
          }}
        >
          <label>
            {texts.addFilter}
            <select
              value={chosen.value}
              onChange={({ currentTarget }) => {
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
            <ValueField name={chosen.value} choices={choicesOf(view.kind, chosen.value)} />
          </label>
          <button type="submit" class="button">
            {texts.add}
          </button>
        </form>
      </details>
    </>
  );
}

function ValueField({ name, choices }: { readonly name: string; readonly choices: readonly string[] | undefined }) {
  const isTime = name === "from" || name === "to";
  if (!choices)
    return <input id="filter-value" name="value" autocomplete="off" placeholder={isTime ? "2026-11-01" : ""} />;
  return (
    <select id="filter-value" name="value">
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {valueWords(name, choice)}
        </option>
      ))}
    </select>
  );
}
