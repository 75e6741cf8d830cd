/** Whether the person has come to an element by reading or scrolling; once reached, it stays so, until what stands above it changes. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** `unknown` until the browser has said. */
export type Reached = "unknown" | "no" | "yes";

/** On a phone the navigation and the buttons above it cover the end of the screen, see `answer.css`. */
const COVERED = window.matchMedia("(max-width: 39.99rem)").matches ? "0px 0px -136px 0px" : "0px";

/** @param above what stands before the element: where it changes, the person has to come to the element anew. */
export function useReached(element: RefObject<HTMLElement | null>, above: boolean): ReadonlySignal<Reached> {
  const reached = useSignal<Reached>("unknown");
  useEffect(() => {
    if (!element.current) return;
    reached.value = "unknown";
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        reached.value = entry.isIntersecting ? "yes" : "no";
        if (entry.isIntersecting) observer.disconnect();
      },
      { rootMargin: COVERED },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [above]);
  return reached;
}
