/** Waits, but not past the moment at which the network or the person comes back. */
export function woken(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      document.removeEventListener("visibilitychange", done);
      stop.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
    document.addEventListener("visibilitychange", done);
    stop.addEventListener("abort", done);
  });
}
