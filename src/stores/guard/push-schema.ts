/** The table of the browsers that are told of what waits: a part of `schema.ts`. */

/** Version 19. */
export const PUSH_SUBSCRIPTIONS = `
-- p256dh, auth: the keys that messages for the browser are encrypted with (RFC 8291). at: when it subscribed.
CREATE TABLE push_subscriptions (
  endpoint TEXT PRIMARY KEY, p256dh TEXT NOT NULL, auth TEXT NOT NULL, at INTEGER NOT NULL
) WITHOUT ROWID;
`;
