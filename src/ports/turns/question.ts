/** How a person is asked about a call: UserGuard makes an approval of it. */
import type { Approval } from "../../approvals/approval.ts";
import type { Disclosure } from "../../approvals/disclosure/disclosed.ts";

export interface Question
  extends Pick<
    Approval,
    "channel" | "words" | "schema" | "editable" | "grantable" | "endorsable" | "typedFor" | "expiresAt"
  > {
  readonly disclosure: Disclosure;
  /** The arguments without what the policy redacts; absent: as `CallToDecide.recorded`. */
  readonly recorded?: unknown;
}
