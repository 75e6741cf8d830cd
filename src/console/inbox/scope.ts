/** Whose calls are shown: one's own, or, for operators, everybody's in the tenant. */
import { computed, signal } from "@preact/signals";
import { inTab } from "../shell/kept.ts";
import { me } from "../sign-in/who.ts";

const NAME = "toolgate.scope";
const wanted = signal(inTab.get(NAME) === "tenant");

export const wholeTenant = computed(() => wanted.value && me.value?.sees_tenant === true);

export function showWholeTenant(whole: boolean): void {
  inTab.set(NAME, whole ? "tenant" : "own");
  wanted.value = whole;
}

/** For the query of a list. */
export const scopeQuery = (whole: boolean): string => (whole ? "&scope=tenant" : "");
