/** How the page stands with the gateway. */
import { signal } from "@preact/signals";

export type Link = "connecting" | "live" | "polling" | "offline";

export const link = signal<Link>("connecting");
