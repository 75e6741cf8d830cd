/** Cases that the playground saves on this device, for the policy page to run. */
import { isObject } from "../../lib/json/json-value.ts";
import { onDevice } from "../shell/browser-storage.ts";

const KEY = "toolgate.cases";
/** The oldest are dropped. */
const MOST = 100;

interface CaseFile {
  readonly tools: Readonly<Record<string, unknown>>;
  readonly cases: readonly unknown[];
}

export function keptCases(): CaseFile {
  try {
    const file: unknown = JSON.parse(onDevice.getItem(KEY) ?? "{}");
    if (isObject(file) && isObject(file.tools) && Array.isArray(file.cases)) return file as unknown as CaseFile;
  } catch {
    // Not stored by this page: ignored.
  }
  return { tools: {}, cases: [] };
}

/** @param text a file of cases. */
export function keepCases(text: string): void {
  const before = keptCases();
  const { tools, cases } = JSON.parse(text) as CaseFile;
  const all = [...before.cases, ...cases].slice(-MOST);
  onDevice.setItem(KEY, JSON.stringify({ tools: { ...before.tools, ...tools }, cases: all }));
}

export const forgetCases = (): void => onDevice.removeItem(KEY);
