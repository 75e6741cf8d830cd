/** Notices when a store begins to fail and when it works again: one line in the log for each, however many requests meet it. */
import { log } from "../../lib/log.ts";

export interface OutageLog {
  /** Reads, and notes whether that worked. Throws what the read throws. */
  watch<T>(read: () => Promise<T>): Promise<T>;
  isOngoing(): boolean;
}

/** @param event names the outage in the log; its end is the same with `_over`. */
export function outageLog(event: string): OutageLog {
  let lasting = false;
  return {
    async watch(read) {
      try {
        const value = await read();
        if (lasting) log("warn", `${event}_over`);
        lasting = false;
        return value;
      } catch (error) {
        if (!lasting) log("error", event, { message: messageOf(error) });
        lasting = true;
        throw error;
      }
    },
    isOngoing: () => lasting,
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
