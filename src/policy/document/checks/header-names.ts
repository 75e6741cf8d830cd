/** Which headers a request to somebody else's server may be given. Pure. */

export const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name);

/** A line break would begin a header of its own. */
export const isHeaderText = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

const OURS =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|cf-.*|x-forwarded-.*|x-real-ip)$/i;

/** What belongs to the connection, or would tell another host than the one that was judged. */
export const isOurs = (name: string): boolean => OURS.test(name);
