/** The outline of what is about to be shown. */
import { texts } from "../texts/texts.ts";

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
