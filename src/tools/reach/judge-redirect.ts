/** Whether an answer leads elsewhere, and may. Pure. */

export type Redirect =
  | { readonly kind: "none" }
  | { readonly kind: "followed"; readonly url: string }
  | { readonly kind: "refused"; readonly detail: string };

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Only a GET is followed, and only to where it came from: what was sent with it, secrets among it, was meant for that origin.
 * @param from where the answer came from.
 * @param more whether another redirect may be followed.
 */
export function judgeRedirect(
  method: string,
  from: URL,
  { status, headers, type }: { readonly status: number; readonly headers: Headers; readonly type: string },
  more: boolean,
): Redirect {
  const hidden = type === "opaqueredirect";
  if (!hidden && !REDIRECTS.has(status)) return { kind: "none" };
  const location = headers.get("location");
  if (hidden || location === null || !URL.canParse(location, from.href))
    return refused(`${from.host} redirects to what cannot be read`);
  const to = new URL(location, from.href);
  if (to.origin !== from.origin || to.username !== "" || to.password !== "")
    return refused(`${from.host} redirects to ${originText(to)}`);
  if (method !== "GET") return refused(`${from.host} redirects a ${method}, which is not sent twice`);
  if (!more) return refused(`${from.host} redirects too often`);
  // What a server puts behind `#` is not sent.
  to.hash = "";
  return { kind: "followed", url: to.href };
}

/** A longer name is no place but a text, and it would be told outside of what is marked as the server's. */
const MAX_PLACE = 80;

function originText({ host, origin, protocol }: URL): string {
  const place = host === "" ? `\`${protocol}\`` : origin;
  return place.length > MAX_PLACE ? "another place" : place;
}

const refused = (detail: string): Redirect => ({ kind: "refused", detail });
