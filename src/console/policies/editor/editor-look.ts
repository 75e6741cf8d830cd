/**
 * Styles and loading of the policy editor. It is drawn in a shadow root, in which its styles are objects: otherwise it writes `<style>`,
 * which the page's security policy blocks.
 */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Extension, StateEffect } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const frame = EditorView.theme({
  "&": {
    maxHeight: "70vh",
    background: "var(--slip)",
    color: "var(--ink)",
    fontSize: "var(--text-2)",
  },
  "&.cm-focused": { outline: "2px solid var(--go)", outlineOffset: "-2px" },
  ".cm-scroller": { overflow: "auto", fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { border: "0", background: "var(--inset)", color: "var(--soft)" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "color-mix(in srgb, var(--inset) 60%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--go-tint)",
  },
  ".cm-tooltip, .cm-panels, .cm-collapsedLines": {
    borderColor: "var(--line)",
    background: "var(--slip)",
    color: "var(--ink)",
  },
  ".cm-collapsedLines": { background: "var(--inset)" },
  // No font of the console has the editor's own sign.
  ".cm-collapsedLines::before, .cm-collapsedLines::after": { content: "'…'" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--go)", color: "var(--on-go)" },
  ".cm-foldPlaceholder": { borderColor: "var(--line)", background: "var(--inset)", color: "var(--soft)" },
  ".cm-completionInfo, .cm-hint": { maxWidth: "24rem", padding: "0.5rem", font: "var(--text-2)/1.5 var(--sans)" },
  ".cm-diagnostic": { font: "var(--text-2)/1.5 var(--sans)" },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--kind-read)" },
  { tag: tags.string, color: "var(--go)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--kind-leave)" },
  { tag: tags.punctuation, color: "var(--soft)" },
]);

export const editorLook = [frame, syntaxHighlighting(colours), EditorView.lineWrapping];

/** The shadow root of an element; created if there is none. */
export const shadowOf = (box: HTMLElement): ShadowRoot => box.shadowRoot ?? box.attachShadow({ mode: "open" });

/** Number of extensions added per task: all of them in one task would block input for 50 ms. */
const PARTS = 6;

/**
 * Adds extensions to an editor that already shows its text, a few per task, so that input is not blocked meanwhile.
 * @param extensions in order of precedence; a list is added part by part.
 * @returns a function that stops it.
 */
export function extendInTurn(view: EditorView, extensions: readonly Extension[], onDone?: () => void): () => void {
  const rest = [...extensions];
  let timer = setTimeout(extend);
  function extend(): void {
    const next = rest.shift();
    if (next === undefined) {
      onDone?.();
      return;
    }
    const [now, later] = Array.isArray(next) ? [next.slice(0, PARTS), next.slice(PARTS)] : [next, []];
    if (later.length > 0) rest.unshift(later);
    view.dispatch({ effects: StateEffect.appendConfig.of(now) });
    timer = setTimeout(extend);
  }
  return () => clearTimeout(timer);
}
