/** The templates and headers of a request that the policy describes: `{{arguments.name}}`, `{{secret.NAME}}` and the like. Pure. */

export const REFERENCE = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** In order, each once. */
export const referencesIn = (template: string): readonly string[] => [
  ...new Set(template.matchAll(REFERENCE).map(([, reference = ""]) => reference)),
];

export const isSecret = (reference: string): boolean => /^(secret\..+|connection\.token)$/.test(reference);

/** Names of the secrets that headers hold, sorted. */
export const secretsIn = (headers: Readonly<Record<string, string>>): readonly string[] =>
  [...new Set(Object.values(headers).flatMap(referencesIn))]
    .filter((reference) => reference.startsWith("secret."))
    .map((reference) => reference.slice("secret.".length))
    .sort();

/** Whether headers hold the user's token for a linked provider. */
export const holdsToken = (headers: Readonly<Record<string, string>>): boolean =>
  Object.values(headers).some((text) => referencesIn(text).includes("connection.token"));

/** The argument that a reference names, without the path into it; undefined if it names none. */
export function argumentOf(reference: string): string | undefined {
  const [source, name] = reference.split(".");
  return source === "arguments" || source === "system" ? name : undefined;
}

/** The text with each reference replaced by `filler`. */
export const withoutReferences = (template: string, filler: string): string =>
  template.replaceAll(REFERENCE, () => filler);

export const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name);

/** A line break would begin another header. */
export const isHeaderText = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

const CONNECTION_HEADERS =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|cf-.*|x-forwarded-.*|x-real-ip)$/i;

/** Headers of the connection, and those that could name another host than the one that was checked. */
export const isConnectionHeader = (name: string): boolean => CONNECTION_HEADERS.test(name);
