/** The one time format of the API: ISO 8601 in UTC. Only OpenAI's own objects keep seconds. Pure. */

/** @param ms milliseconds since the epoch. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

export const isoTimeOrNull = (ms: number | null | undefined): string | null => (ms == null ? null : isoTime(ms));
