/** The heading of a page, which names the tab and takes the focus when one comes to the page from another. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

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
