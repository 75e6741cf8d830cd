/**
 * How the editor looks, and where it is drawn: in a shadow root, where its styles are objects. Elsewhere it writes `<style>`, which the
 * page's security policy does not let through.
 */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
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
  // Its own sign is in no font of the console.
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

/** The shadow root of an element; made where there is none. */
export const shadowOf = (box: HTMLElement): ShadowRoot => box.shadowRoot ?? box.attachShadow({ mode: "open" });
