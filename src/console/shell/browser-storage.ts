/** What the page keeps in the browser. Where the browser keeps nothing for it, which throws, it lasts as long as the page. */

export interface BrowserStorage {
  get(name: string): string | null;
  set(name: string, value: string): void;
  remove(name: string): void;
}

/** For this tab. */
export const inTab: BrowserStorage = storageOrMemory(() => sessionStorage);
/** For this device. */
export const onDevice: BrowserStorage = storageOrMemory(() => localStorage);

function storageOrMemory(storage: () => Storage): BrowserStorage {
  const memory = new Map<string, string>();
  const attempt = <T>(ask: (kept: Storage) => T, otherwise: () => T): T => {
    try {
      return ask(storage());
    } catch {
      return otherwise();
    }
  };
  return {
    get: (name) =>
      attempt(
        (kept) => kept.getItem(name),
        () => memory.get(name) ?? null,
      ),
    set: (name, value) =>
      attempt(
        (kept) => kept.setItem(name, value),
        () => void memory.set(name, value),
      ),
    remove: (name) =>
      attempt(
        (kept) => kept.removeItem(name),
        () => void memory.delete(name),
      ),
  };
}
