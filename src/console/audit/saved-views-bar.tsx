/** The views that are kept on this device, and the form that keeps one. */
import { useLocation } from "preact-iso";
import { announce } from "../shell/announcer.tsx";
import { Icon } from "../shell/icon.tsx";
import { forgetView, savedViews, saveView } from "./saved-views.ts";
import { texts } from "./texts.ts";
import { addressOf, type View } from "./view.ts";

export function SavedViews({ view }: { readonly view: View }) {
  const { route } = useLocation();
  return (
    <details class="tool-box">
      <summary class="filter-pill">
        {texts.views}
        {savedViews.value.length > 0 && ` (${savedViews.value.length})`}
      </summary>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const name = String(new FormData(form).get("name") ?? "").trim();
          if (name === "") return;
          saveView(name, addressOf(view));
          form.reset();
          announce(texts.saved(name));
        }}
      >
        {savedViews.value.map(({ name, address }) => (
          <span key={name} class="pills">
            <button type="button" class="filter-pill" onClick={() => route(address)}>
              {name}
            </button>
            <button type="button" class="icon-button" aria-label={texts.forget(name)} onClick={() => forgetView(name)}>
              <Icon name="trash" />
            </button>
          </span>
        ))}
        <label>
          {texts.viewName}
          <input name="name" maxLength={40} autocomplete="off" />
        </label>
        <button type="submit" class="button">
          {texts.saveView}
        </button>
      </form>
    </details>
  );
}
