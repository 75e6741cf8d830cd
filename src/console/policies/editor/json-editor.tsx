/** The policy editor: JSON, with completion by the schema and the gateway's errors at their positions. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { jsonLanguage } from "@codemirror/lang-json";
import { forceParsing, LanguageSupport, syntaxTree } from "@codemirror/language";
import { type Diagnostic, diagnosticCount, linter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, hoverTooltip, lineNumbers } from "@codemirror/view";
import { useSignal } from "@preact/signals";
import { basicSetup } from "codemirror";
import { useEffect, useRef } from "preact/hooks";
import schema from "../../../../policies/policy.schema.json" with { type: "json" };
import { withoutComments } from "../../../lib/json/json-comments.ts";
import { jsonFault, readJsonDocument } from "../../../lib/json/json-document.ts";
import { toPointer } from "../../../lib/json/json-value.ts";
import { editorLook, extendInTurn, shadowOf } from "./editor-look.ts";
import { namesIn, pathOf, placeOf } from "./json-places.ts";
import { descriptionAt, keysAt, type Suggestion, valuesAt } from "./schema-help.ts";

export interface Issue {
  /** JSON pointer. */
  readonly path: string;
  readonly message: string;
  readonly severity: "error" | "warning";
}

const PARSE_MS = 500;

interface JsonEditorProps {
  /** The text at the start, and again when `generation` changes. */
  readonly text: string;
  readonly generation: number;
  readonly label: string;
  readonly issues: readonly Issue[];
  /** JSON pointer of the value that is shown first. */
  readonly at?: string | undefined;
  readonly onChange: (text: string) => void;
}

export function JsonEditor({ text, generation, label, issues, at, onChange }: JsonEditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  /** The generation whose editor is complete, so that JSON pointers can be found in it. */
  const ready = useSignal(-1);
  useEffect(() => {
    if (!box.current) return;
    const root = shadowOf(box.current);
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: text,
        extensions: [
          editorLook,
          lineNumbers(),
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    const help = [linter(findFaults), autocompletion({ override: [complete] }), hoverTooltip(describeAt)];
    const stop = extendInTurn(editor, [new LanguageSupport(commentedJson), basicSetup, help], () => {
      ready.value = generation;
    });
    return () => {
      stop();
      editor.destroy();
    };
  }, [generation]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || ready.value !== generation) return;
    if (issues.length === 0 && diagnosticCount(editor.state) === 0) return;
    const diagnostics = issues.map(({ path, message, severity }): Diagnostic => {
      return { ...placeOf(editor.state, path), message, severity };
    });
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [issues, ready.value, generation]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || ready.value !== generation || !at) return;
    // The end of a long text may not be parsed yet.
    forceParsing(editor, editor.state.doc.length, PARSE_MS);
    const { from, to } = placeOf(editor.state, at);
    editor.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, { y: "start" }),
    });
  }, [at, ready.value]);
  return <div ref={box} class="editor" />;
}

/** JSON with comments. The parser knows no comments: they are replaced by blanks, so that all positions stay the same. */
const commentedJson = jsonLanguage.configure({
  // Not incremental: the start or end of a comment changes the meaning of text far behind it.
  wrap: (_parse, input, _fragments, ranges) =>
    jsonLanguage.parser.startParse(withoutComments(input.read(0, input.length)), [], ranges),
});

/** Faults that readers could interpret differently: the position at which the text stops being JSON, and duplicate keys. */
function findFaults({ state }: EditorView): readonly Diagnostic[] {
  const plain = withoutComments(state.doc.toString());
  return readJsonDocument(plain).faults.map(({ problem, path, message }): Diagnostic => {
    const place = problem === "syntax" ? characterAt(plain, jsonFault(plain).offset) : placeOf(state, toPointer(path));
    return { ...place, message, severity: "error" };
  });
}

/** The range of one character; at the end of the text, the last one. */
const characterAt = (text: string, offset: number) => ({
  from: Math.max(0, Math.min(offset, text.length - 1)),
  to: Math.min(offset + 1, text.length),
});

function complete(context: CompletionContext): CompletionResult | null {
  const { state, pos, explicit } = context;
  const node = syntaxTree(state).resolveInner(pos, -1);
  const word = context.matchBefore(/"?[\w$*:-]*/);
  if (!word || (word.from === word.to && !explicit)) return null;
  const inName = node.name === "PropertyName" || node.name === "Object" || node.parent?.name === "Object";
  const object = node.name === "Object" ? node : node.name === "PropertyName" ? node.parent?.parent : node.parent;
  const suggestions =
    inName && object?.name === "Object"
      ? keysAt(schema, pathOf(state, object), namesIn(state, object))
      : valuesAt(schema, pathOf(state, node));
  const to = state.sliceDoc(pos, pos + 1) === '"' && word.text.startsWith('"') ? pos + 1 : pos;
  return { from: word.from, to, options: suggestions.map(optionOf), filter: true };
}

const optionOf = ({ label, apply, info }: Suggestion): Completion => ({
  // With quotes, because the typed word may begin with one.
  label: apply.startsWith('"') ? apply : label,
  displayLabel: label,
  apply,
  ...(info === undefined ? {} : { info }),
});

function describeAt(view: EditorView, pos: number) {
  const node = syntaxTree(view.state).resolveInner(pos, 1);
  if (node.name !== "PropertyName") return null;
  const text = descriptionAt(schema, pathOf(view.state, node));
  if (text === undefined) return null;
  return {
    pos: node.from,
    end: node.to,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "cm-hint";
      dom.textContent = text;
      return { dom };
    },
  };
}
