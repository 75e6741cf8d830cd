/** The filters that are set, each a pill that takes itself away, and a form that adds one. */
import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { Icon } from "../shell/icon.tsx";
import { texts } from "./texts.ts";
import { addressOf, CHOICES, KINDS, type View, withFilter, withoutFilter } from "./view.ts";

export function Filters({ view }: { readonly view: View }) {
  const { route } = useLocation();
  const names: readonly string[] = KINDS[view.kind];
  const chosen = useSignal<string>(names[0] ?? "user");
  const choices = (CHOICES as Readonly<Record<string, readonly string[]>>)[chosen.value];
  return (
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
      {view.filters.map(([name, value]) => (
        <a
          key={name}
          class="filter-pill"
          href={addressOf(withoutFilter(view, name))}
          aria-label={texts.without(name, value)}
        >
          {name}: {value}
          <Icon name="cross" />
        </a>
      ))}
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
              {name}
            </option>
          ))}
        </select>
      </label>
      <label for="filter-value">
        {texts.value}
        <ValueField name={chosen.value} choices={choices} />
      </label>
      <button type="submit" class="button">
        {texts.add}
      </button>
    </form>
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
          {choice}
        </option>
      ))}
    </select>
  );
}
