/** The address of the policy page at a place of a version, and a recorded call on its way into a simulation there. */
import { signal } from "@preact/signals";
import { toPointer } from "../../lib/json/json-value.ts";

/** @param version of which the place is; absent: the one in force. */
export const ruleAddress = (tool: string, version?: string): string =>
  `/console/policy?${new URLSearchParams({ ...(version === undefined ? {} : { version }), at: toPointer(["tools", tool]) })}`;

interface TriedCall {
  readonly role: string;
  readonly mode: string;
  readonly tool: string;
  readonly arguments: unknown;
}

/** In memory: arguments of a call stand in no address. */
export const triedCall = signal<TriedCall | undefined>(undefined);
