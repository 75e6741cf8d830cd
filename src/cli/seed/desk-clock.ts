/** The clock of the seeded week, which the Worker of the policy cases uses in place of its own. */
export class DeskClock {
  private readonly origin: string;
  private now: number;

  /** @param now milliseconds since the epoch, as the Worker begins. */
  constructor(origin: string, now: number) {
    this.origin = origin;
    this.now = now;
  }

  /** @param user whose alarm moves with it. */
  async setTo(user: string, at: number): Promise<void> {
    // Never back, except the first time: a conversation may have lasted beyond the begin of the next one.
    const ms = Math.round(at - this.now);
    if (this.moved && ms <= 0) return;
    await this.advance(user, ms);
  }

  async advance(user: string, ms: number): Promise<void> {
    await this.control(user, "advance", { ms: String(ms) });
    this.now += ms;
    this.moved = true;
  }

  async control(
    user: string,
    action: "advance" | "deliver",
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const query = new URLSearchParams({ ...parameters, tenant: "default", user });
    const response = await fetch(`${this.origin}/.cases/${action}?${query}`, { method: "POST" });
    if (!response.ok) throw new Error(`the clock cannot be moved: ${response.status}`);
  }

  private moved = false;
}
