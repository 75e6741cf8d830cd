/** In place of the answer: nobody answered in time. */
import type { ApprovalView } from "../../api/approval.ts";
import { texts } from "../../texts/texts.ts";
import { dismiss } from "./expired.ts";

export function ExpiredNote({ approval }: { readonly approval: ApprovalView }) {
  const words = texts.expired;
  return (
    <div class="answer over">
      {/* Without a connection the page knows that the time is up, not whether somebody answered before. */}
      <p>{approval.status === "expired" ? words.note : words.unknown}</p>
      <button type="button" class="button" onClick={() => dismiss(approval.id)}>
        {words.dismiss}
      </button>
    </div>
  );
}
