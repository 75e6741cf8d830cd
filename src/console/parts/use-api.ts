/** Hooks that read the API for a page: when it opens, when the path changes, and on `reload`. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ListOf } from "../../api-views/approval-views.ts";
import { call, type Failure } from "../api/call.ts";
import { connectionStatus } from "../inbox/connection.ts";

interface FromApi<T> {
  /** The last response for this path. It stays while the path is read again, and if that fails. */
  readonly value: ReadonlySignal<T | undefined>;
  readonly failure: ReadonlySignal<Failure | undefined>;
  readonly loading: ReadonlySignal<boolean>;
  readonly reload: () => void;
}

/** @param path undefined: nothing is read. */
export function useApi<T>(path: string | undefined): FromApi<T> {
  const value = useSignal<T | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const loading = useSignal(path !== undefined);
  const again = useSignal(0);
  const shown = useRef(path);
  useEffect(() => {
    // The previous path's response must not be shown for this one.
    if (shown.current !== path) {
      value.value = undefined;
      failure.value = undefined;
    }
    shown.current = path;
    if (path === undefined) return;
    const leaving = new AbortController();
    loading.value = true;
    void call<T>(path, { signal: leaving.signal }).then((read) => {
      if (leaving.signal.aborted) return;
      loading.value = false;
      failure.value = read.ok ? undefined : read.error;
      if (read.ok) value.value = read.value;
    });
    return () => leaving.abort();
  }, [path, again.value]);
  const reload = () => {
    again.value++;
  };
  useReconnection(failure, reload);
  return { value, failure, loading, reload };
}

/** Repeats a request that got no response, once the page is connected again. */
function useReconnection(failure: ReadonlySignal<Failure | undefined>, reload: () => void): void {
  const isConnected = connectionStatus.value === "live" || connectionStatus.value === "polling";
  const was = useRef(isConnected);
  useEffect(() => {
    if (isConnected && !was.current && failure.peek()?.kind === "unreachable") reload();
    was.current = isConnected;
  }, [isConnected]);
}

export interface PagesFromApi<T> {
  /** Undefined until the first page has arrived. */
  readonly rows: ReadonlySignal<readonly T[] | undefined>;
  readonly more: ReadonlySignal<boolean>;
  /** The list covers only the latest records: there were too many to count. */
  readonly cut: ReadonlySignal<boolean>;
  readonly failure: ReadonlySignal<Failure | undefined>;
  readonly loading: ReadonlySignal<boolean>;
  readonly loadMore: () => void;
  /** Adds newer rows in front. */
  readonly loadNewer: () => Promise<void>;
  /** Reads the list from its start, without rows that are gone. */
  readonly reload: () => void;
}

/** Reads a list page by page, newest first. @param path with its filters; another path starts another list. */
export function usePages<T extends { readonly id: string }>(path: string): PagesFromApi<T> {
  const rows = useSignal<readonly T[] | undefined>(undefined);
  const more = useSignal(false);
  const cut = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const loading = useSignal(true);
  const current = useRef(new AbortController());

  async function load(after: string | undefined): Promise<void> {
    const { signal } = current.current;
    loading.value = true;
    const cursor = after === undefined ? "" : `${path.includes("?") ? "&" : "?"}after=${encodeURIComponent(after)}`;
    const page = await call<ListOf<T>>(`${path}${cursor}`, { signal });
    if (signal.aborted) return;
    loading.value = false;
    failure.value = page.ok ? undefined : page.error;
    if (!page.ok) return;
    rows.value = [...(after === undefined ? [] : (rows.value ?? [])), ...page.value.data];
    more.value = page.value.has_more;
    cut.value = page.value.cut === true;
  }

  async function loadNewer(): Promise<void> {
    const { signal } = current.current;
    const page = await call<ListOf<T>>(path, { signal });
    if (signal.aborted) return;
    failure.value = page.ok ? undefined : page.error;
    if (!page.ok) return;
    const fresh = new Set(page.value.data.map(({ id }) => id));
    const before = rows.value ?? [];
    // If more rows came than a page holds, the list starts again: it must have no gap.
    const joins = before.some(({ id }) => fresh.has(id));
    if (!joins) more.value = page.value.has_more;
    rows.value = [...page.value.data, ...(joins ? before.filter(({ id }) => !fresh.has(id)) : [])];
  }

  useEffect(() => {
    current.current = new AbortController();
    rows.value = undefined;
    void load(undefined);
    return () => current.current.abort();
  }, [path]);
  const reload = () => void load(undefined);
  useReconnection(failure, reload);
  return {
    rows,
    more,
    cut,
    failure,
    loading,
    loadMore: () => void load(rows.peek()?.at(-1)?.id),
    loadNewer,
    reload,
  };
}
