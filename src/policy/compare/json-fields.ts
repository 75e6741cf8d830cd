/** Fields as they go into a JSON reply; one that is undefined is left out there. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** By UTF-16 code unit, whatever the machine's language. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
