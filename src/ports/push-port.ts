/** The port to the browsers of a user that are notified of what waits. */
import type { PushKeys } from "../lib/web-push/encrypt-push.ts";
import type { Owner } from "../session/principal.ts";

export interface PushSubscription extends PushKeys {
  /** Where the browser's push service takes messages for it. */
  readonly endpoint: string;
}

export interface PushPort {
  /** The same endpoint again replaces its keys. Of many the oldest give way. */
  subscribe(owner: Owner, subscription: PushSubscription): Promise<void>;
  /** @returns false where there was none. */
  unsubscribe(endpoint: string): Promise<boolean>;
}
