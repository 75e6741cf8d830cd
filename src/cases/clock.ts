/** The clock of the Worker that runs policy cases: the real one, moved forward by what cases ask for. Never back. */

let offset = 0;

const realNow = Date.now.bind(Date);

/** Milliseconds by which the objects' clock is ahead: what the runtime is told (alarms) is in its own time. */
export const ahead = (): number => offset;

export function advance(ms: number): void {
  offset += ms;
}

export function installClock(): void {
  Date.now = () => realNow() + offset;
}
