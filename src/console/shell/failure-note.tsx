/** What went wrong, in the page's words and, where it has some, the gateway's. */
import type { Failure } from "../api/failure.ts";
import { texts } from "../texts/texts.ts";

export function FailureNote({ failure }: { readonly failure: Failure }) {
  const words = texts.failure;
  return (
    <p class="note warn" role="alert">
      {failure.kind === "unreachable" ? words.unreachable : words.other}
      {failure.kind === "refused" && failure.message !== "" && <span class="theirs"> {failure.message}</span>}
    </p>
  );
}
