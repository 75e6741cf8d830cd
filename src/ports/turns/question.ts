/** How a person is asked about a call: what UserGuard makes an approval of. */
import type { Channel, CodeDemand } from "../../approvals/approval.ts";
import type { Disclosure } from "../../approvals/disclosure/disclosed.ts";
import type { EndorsableSource } from "../../policy/origin/endorsable-source.ts";

export interface Question {
  readonly channel: Channel;
  readonly disclosure: Disclosure;
  /** The arguments without what the policy redacts; absent: as `CallToDecide.recorded`. */
  readonly recorded?: unknown;
  /** The beginning of what the user wrote, which the task began with. Absent: nothing. */
  readonly words?: string | undefined;
  readonly schema: unknown;
  readonly editable: boolean;
  readonly grantable: boolean;
  /** The result that a yes may endorse for the task. Absent: none. */
  readonly endorsable?: EndorsableSource | undefined;
  /** Why an answer in the chat must name the code. Absent: it need not. */
  readonly typedFor?: CodeDemand | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}
