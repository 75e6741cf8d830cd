/** Views of the audit explorer that a person saves on this device, each by its name: the list, and the form that saves one. */
import { signal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { isObject } from "../../lib/json/json-value.ts";
import { announce } from "../shell/announcer.tsx";
import { onDevice } from "../shell/browser-storage.ts";
import { Icon } from "../shell/icon.tsx";
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

interface SavedView {
  readonly name: string;
  readonly address: string;
}

const KEY = "toolgate.audit-views";

const savedViews = signal<readonly SavedView[]>(readViews());

function saveView(name: string, address: string): void {
  keep([...savedViews.value.filter((one) => one.name !== name), { name, address }]);
}

function forgetView(name: string): void {
  keep(savedViews.value.filter((one) => one.name !== name));
}

function keep(views: readonly SavedView[]): void {
  savedViews.value = views;
  onDevice.setItem(KEY, JSON.stringify(views));
}

/** Stored data is untrusted: only addresses of this page are read. */
function readViews(): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(onDevice.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  if (!isObject(value) || typeof value.name !== "string") return false;
  return typeof value.address === "string" && value.address.startsWith("/console/audit?");
}
