/** Views of the audit explorer that a person keeps on this device, each by its name. */
import { signal } from "@preact/signals";
import { isObject } from "../../lib/json/json-value.ts";
import { onDevice } from "../shell/browser-storage.ts";

interface SavedView {
  readonly name: string;
  readonly address: string;
}

const KEY = "toolgate.audit-views";

export const savedViews = signal<readonly SavedView[]>(readViews());

export function saveView(name: string, address: string): void {
  keep([...savedViews.value.filter((one) => one.name !== name), { name, address }]);
}

export function forgetView(name: string): void {
  keep(savedViews.value.filter((one) => one.name !== name));
}

function keep(views: readonly SavedView[]): void {
  savedViews.value = views;
  onDevice.setItem(KEY, JSON.stringify(views));
}

/** Whoever wrote it: only addresses of this page come out. */
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
