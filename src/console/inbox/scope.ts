/** Whose calls are shown: one's own, or, for operators, everybody's in the tenant. */
import { computed, signal } from "@preact/signals";
import { me } from "../sign-in/who.ts";

const NAME = "toolgate.scope";
const wanted = signal(sessionStorage.getItem(NAME) === "tenant");

export const wholeTenant = computed(() => wanted.value && me.value?.sees_tenant === true);

export function showWholeTenant(whole: boolean): void {
  sessionStorage.setItem(NAME, whole ? "tenant" : "own");
  wanted.value = whole;
}

/** For the query of a list. */
export const scopeQuery = (whole: boolean): string => (whole ? "&scope=tenant" : "");
