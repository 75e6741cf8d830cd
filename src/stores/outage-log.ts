/** Notices when a store begins to fail and when it works again: one line in the log for each, however many requests meet it. */
export interface OutageLog {
  /** Reads, and notes whether that worked. Throws what the read throws. */
  watch<T>(read: () => Promise<T>): Promise<T>;
  lasting(): boolean;
}

/** @param what for the log: what fails, and what that means. */
export function outageLog(what: string): OutageLog {
  let lasting = false;
  return {
    async watch(read) {
      try {
        const value = await read();
        if (lasting) console.warn(`over: ${what}`);
        lasting = false;
        return value;
      } catch (error) {
        if (!lasting) console.error(`${what}:`, error instanceof Error ? error.message : error);
        lasting = true;
        throw error;
      }
    },
    lasting: () => lasting,
  };
}
