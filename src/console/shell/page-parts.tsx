/** Parts that most pages have: the heading, prose with code, a failure, the end of a list, placeholders while loading. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { proseParts } from "../../lib/text/prose.ts";
import type { Failure } from "../api/call.ts";
import type { PagesFromApi } from "../parts/use-api.ts";
import { texts } from "../texts/texts.ts";

let first = true;

export function PageHeading({ children }: { readonly children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!first) heading.current?.focus({ preventScroll: true });
    first = false;
  }, []);
  return (
    <h1 id="heading" tabIndex={-1} ref={heading}>
      {children}
    </h1>
  );
}

export function Prose({ text }: { readonly text: string }) {
  return (
    <>
      {proseParts(text).map((part, index) =>
        part.isCode ? <code key={`${index} ${part.text}`}>{part.text}</code> : part.text,
      )}
    </>
  );
}

interface FailureNoteProps {
  readonly failure: Failure;
  /** Repeats the request; absent if that is not possible. */
  readonly retry?: (() => void) | undefined;
}

export function FailureNote({ failure, retry }: FailureNoteProps) {
  const words = texts.failure;
  return (
    <p class="note warn" role="alert">
      {failure.kind === "unreachable" ? words.unreachable : words.other}
      {failure.kind === "refused" && failure.message !== "" && <span class="theirs"> {failure.message}</span>}
      {retry && (
        <button type="button" class="button" onClick={retry}>
          {words.retry}
        </button>
      )}
    </p>
  );
}

interface ListEndProps {
  readonly list: Pick<PagesFromApi<unknown>, "failure" | "loading" | "more" | "loadMore" | "reload">;
  /** The text of the button that loads more. */
  readonly more: string;
}

/** What follows the rows of a list that is read page by page. */
export const ListEnd = ({ list: { failure, loading, more, loadMore, reload }, more: text }: ListEndProps) => (
  <>
    {failure.value && <FailureNote failure={failure.value} retry={reload} />}
    {loading.value && <SkeletonRows />}
    {more.value && !loading.value && (
      <button type="button" class="button wide" onClick={loadMore}>
        {text}
      </button>
    )}
  </>
);

export const SkeletonCards = () => (
  <>
    <h1 class="visually-hidden">{texts.nav.waiting}</h1>
    <Skeleton kind="card" count={2} lines={4} />
  </>
);
export const SkeletonRows = () => <Skeleton kind="row" count={4} lines={2} />;

interface SkeletonProps {
  readonly kind: "card" | "row";
  readonly count: number;
  readonly lines: number;
}

function Skeleton({ kind, count, lines }: SkeletonProps) {
  return (
    <div class={`skeleton ${kind}s`}>
      <p class="visually-hidden" role="status">
        {texts.opening}
      </p>
      {Array.from({ length: count }, (_, item) => (
        <div key={item} class={kind} aria-hidden="true">
          {Array.from({ length: lines }, (_, line) => (
            <span key={line} class="bone" />
          ))}
        </div>
      ))}
    </div>
  );
}
