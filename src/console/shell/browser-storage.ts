/** Browser storage that never throws. If the browser refuses to store, values last as long as the page. */

type PageStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const PROBE = "toolgate.probe";

/** For this tab. */
export const inTab: PageStorage = storageOrMemory(() => sessionStorage);
/** For this device. */
export const onDevice: PageStorage = storageOrMemory(() => localStorage);

function storageOrMemory(open: () => Storage): PageStorage {
  try {
    const storage = open();
    storage.setItem(PROBE, "");
    storage.removeItem(PROBE);
    return storage;
  } catch {
    const memory = new Map<string, string>();
    return {
      getItem: (name) => memory.get(name) ?? null,
      setItem: (name, value) => void memory.set(name, value),
      removeItem: (name) => void memory.delete(name),
    };
  }
}
