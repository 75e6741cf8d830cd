/**
 * Addresses that lead to the policy page: to a tool of a version, or with tools that no policy names, to be added to the draft. A recorded
 * call to be simulated there is passed in memory.
 */
import { signal } from "@preact/signals";
import { toPointer } from "../../lib/json/json-value.ts";

/** @param version absent: the one in force. */
export const ruleAddress = (tool: string, version?: string): string =>
  `/console/policy?${new URLSearchParams({ ...(version === undefined ? {} : { version }), at: toPointer(["tools", tool]) })}`;

interface TriedCall {
  readonly role: string;
  readonly mode: string;
  readonly tool: string;
  readonly arguments: unknown;
}

/** Kept in memory: a call's arguments must not be in an address. */
export const triedCall = signal<TriedCall | undefined>(undefined);

const PARAMETER = "take";

export const takingAddress = (names: readonly string[]): string =>
  `/console/policy?${new URLSearchParams(names.map((name) => [PARAMETER, name]))}`;

export const takenNames = (search: string): readonly string[] => new URLSearchParams(search).getAll(PARAMETER);
