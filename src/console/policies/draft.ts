/** The draft of the tenant's policy: the edited text, and the gateway's check of it shortly after each change. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { PolicyDiffView, PolicyUpdateView, PolicyView, ProofView } from "../../api-views/policy-views.ts";
import { withoutComments } from "../../lib/json/json-comments.ts";
import { readJsonDocument } from "../../lib/json/json-document.ts";
import { isObject, toPointer } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { call, type Failure } from "../api/call.ts";
import type { Issue } from "./editor/json-editor.tsx";
import { forgetDraft, keepDraft, keptDraft } from "./kept-draft.ts";

/** Time from the last key to the check, which compiles the whole policy. */
const PAUSE_MS = 600;

export type Document = Readonly<Record<string, unknown>>;

export type Check =
  | { readonly state: "unchanged" }
  | { readonly state: "checking" }
  | { readonly state: "not_json"; readonly issues: readonly Issue[] }
  | { readonly state: "refused"; readonly issues: readonly Issue[] }
  | {
      readonly state: "valid";
      /** The text that was checked. */
      readonly text: string;
      readonly issues: readonly Issue[];
      readonly changes: readonly string[];
      readonly proof: ProofView;
    }
  | { readonly state: "failed"; readonly failure: Failure };

export interface Draft {
  readonly text: ReadonlySignal<string>;
  readonly check: ReadonlySignal<Check>;
  /** Increases when the text is replaced, so that the editor is made anew. */
  readonly generation: ReadonlySignal<number>;
  /** Whether it was started before this page was opened. */
  readonly isKept: boolean;
  /** Whether another policy was put in force since it was started. */
  readonly isOutdated: boolean;
  readonly edit: (text: string) => void;
  readonly replace: (text: string) => void;
  /** Returns to the policy in force. @returns a function that restores the draft, also after the page was left. */
  readonly discard: () => () => void;
}

export const textOfDocument = (document: Document): string => `${JSON.stringify(document, null, 2)}\n`;

/** Reads the text as the commands read a file: comments and trailing commas are allowed. Errors have their position. */
export function readDraft(text: string): Result<Document, readonly Issue[]> {
  const { read, faults } = readJsonDocument(withoutComments(text));
  if (faults.length > 0)
    return err(faults.map(({ path, message }) => ({ path: toPointer(path), message, severity: "error" })));
  if (isObject(read?.value)) return ok(read.value);
  return err([{ path: "", message: "a policy is an object: `{ … }`", severity: "error" }]);
}

/** Undefined if the text cannot be read. */
export function documentOf(text: string): Document | undefined {
  const read = readDraft(text);
  return read.ok ? read.value : undefined;
}

/** Comments are lost if only the document is kept. */
export const hasComments = (text: string): boolean => withoutComments(text) !== text;

export function useDraft(tenant: string, inForce: PolicyView): Draft {
  const original = textOfDocument(inForce.document);
  const kept = useMemo(() => keptDraft(tenant), []);
  const base = useSignal(kept ? kept.base : inForce.version);
  const text = useSignal(kept?.text ?? original);
  const generation = useSignal(0);
  const check = useSignal<Check>({ state: "unchanged" });
  const checking = useRef(new AbortController());
  useEffect(() => {
    checking.current.abort();
    const read = readDraft(text.value);
    if (text.value === original) {
      // The next edit starts from this version.
      base.value = inForce.version;
      forgetDraft(tenant);
    } else keepDraft(tenant, { text: text.value, base: base.value });
    if (text.value === original) check.value = { state: "unchanged" };
    else if (!read.ok) check.value = { state: "not_json", issues: read.error };
    else {
      checking.current = new AbortController();
      const { signal } = checking.current;
      const timer = setTimeout(async () => {
        check.value = { state: "checking" };
        const found = await checkDraft(tenant, read.value, signal);
        if (!signal.aborted) check.value = found;
      }, PAUSE_MS);
      return () => clearTimeout(timer);
    }
  }, [text.value, original]);
  const replace = (next: string) => {
    text.value = next;
    generation.value++;
  };
  return {
    text,
    isKept: kept !== undefined,
    isOutdated: base.value !== inForce.version,
    check,
    generation,
    edit: (next) => {
      text.value = next;
    },
    replace,
    discard: () => {
      const before = { text: text.peek(), base: base.peek() };
      replace(original);
      return () => {
        keepDraft(tenant, before);
        base.value = before.base;
        replace(before.text);
      };
    },
  };
}

async function checkDraft(tenant: string, policy: Document, signal: AbortSignal): Promise<Check> {
  const path = `/admin/policies/${encodeURIComponent(tenant)}`;
  const [dry, diff, proof] = await Promise.all([
    call<PolicyUpdateView>(`${path}?dry_run=true`, { method: "PUT", body: policy, signal }),
    call<PolicyDiffView>(`${path}/diff`, { method: "POST", body: { policy }, signal }),
    call<ProofView>(`${path}/prove`, { method: "POST", body: { policy }, signal }),
  ]);
  if (!dry.ok) {
    const { error } = dry;
    if (error.kind !== "refused" || error.errors.length === 0) return { state: "failed", failure: error };
    return { state: "refused", issues: error.errors.map((one) => ({ ...one, severity: "error" })) };
  }
  if (!diff.ok) return { state: "failed", failure: diff.error };
  if (!proof.ok) return { state: "failed", failure: proof.error };
  const issues = dry.value.warnings.map(({ path, message }): Issue => ({ path, message, severity: "warning" }));
  return { state: "valid", text: textOfDocument(policy), issues, changes: diff.value.summary, proof: proof.value };
}
