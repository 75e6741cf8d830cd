/** The changes from a version of the policy to the draft: one text with removed and added lines marked, the rest folded. */
import { json } from "@codemirror/lang-json";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { basicSetup } from "codemirror";
import { useEffect, useRef } from "preact/hooks";
import { editorLook, extendInTurn, shadowOf } from "./editor-look.ts";

interface MergeProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}

export function Merge({ before, after, label }: MergeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return;
    const root = shadowOf(box.current);
    const view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: after,
        extensions: [
          editorLook,
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            collapseUnchanged: { margin: 3, minSize: 6 },
          }),
        ],
      }),
    });
    const stop = extendInTurn(view, [json(), basicSetup]);
    return () => {
      stop();
      view.destroy();
    };
  }, [before, after]);
  return <div ref={box} class="editor" />;
}
