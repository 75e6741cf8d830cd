/** The ways in which one may sign in to this gateway. */
import { signal } from "@preact/signals";
import { call } from "../api/call.ts";

export interface Ways {
  /** The development keys open, as they do on the developer's own machine. */
  readonly development: boolean;
  readonly tokens: boolean;
  readonly sign_in: { readonly name: string } | null;
}

export const ways = signal<Ways | undefined>(undefined);

export async function loadWays(): Promise<void> {
  const told = await call<Ways>("/console/config.json");
  if (told.ok) ways.value = told.value;
}
