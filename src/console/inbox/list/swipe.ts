/** Recognises a finger that swipes a line of the list sideways. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** CSS pixels: farther than a thumb slips, nearer than half of a narrow phone. */
const FAR = 96;
/** CSS pixels after which the movement is a swipe, and no longer a press or a scroll. */
const BEGINS = 12;

export type Side = "left" | "right";

/** @param onSwipe is called once the finger lets go far enough from where it began. */
export function useSwipe(line: RefObject<HTMLElement | null>, onSwipe: (side: Side) => void): void {
  useEffect(() => {
    const element = line.current;
    if (!element) return;
    let from: { readonly id: number; readonly x: number } | undefined;
    let moved = 0;
    const show = (by: number): void => {
      moved = by;
      element.classList.toggle("swiping", by !== 0);
      element.classList.toggle("far", Math.abs(by) >= FAR);
      element.style.setProperty("--drawn", `${by}px`);
    };
    const down = ({ pointerType, isPrimary, pointerId: id, clientX: x }: PointerEvent): void => {
      if (pointerType === "touch" && isPrimary) from = { id, x };
    };
    const move = ({ pointerId, clientX }: PointerEvent): void => {
      if (from?.id !== pointerId) return;
      const by = clientX - from.x;
      if (moved === 0 && Math.abs(by) < BEGINS) return;
      element.setPointerCapture(pointerId);
      show(by);
    };
    const up = ({ pointerId }: PointerEvent): void => {
      if (from?.id !== pointerId) return;
      const by = moved;
      from = undefined;
      show(0);
      if (Math.abs(by) >= FAR) onSwipe(by < 0 ? "left" : "right");
    };
    /** The browser has taken the touch for scrolling. */
    const cancel = (): void => {
      from = undefined;
      show(0);
    };
    element.addEventListener("pointerdown", down);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", up);
    element.addEventListener("pointercancel", cancel);
    return () => {
      element.removeEventListener("pointerdown", down);
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", up);
      element.removeEventListener("pointercancel", cancel);
    };
  }, [onSwipe]);
}
