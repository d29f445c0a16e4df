// Something that is asked for whenever there is reason to, and done now and then: at once the first time, afterwards at
// most once in a span, never twice at the same time, and always once more after the last reason.

export class Paced {
  private busy = false;
  private again = false;
  private wait: ReturnType<typeof setTimeout> | null = null;
  private stopped = 0;

  constructor(
    private readonly span: number,
    private readonly act: () => Promise<void>,
  ) {}

  /** There is reason to do it. */
  ask(): void {
    if (this.busy || this.wait !== null) {
      this.again = true;
      return;
    }
    void this.run();
  }

  /** No reason counts any more. */
  stop(): void {
    if (this.wait !== null) clearTimeout(this.wait);
    this.wait = null;
    this.again = false;
    this.busy = false;
    this.stopped += 1;
  }

  private async run(): Promise<void> {
    const turn = this.stopped;
    this.busy = true;
    try {
      await this.act();
    } finally {
      if (turn === this.stopped) {
        this.busy = false;
        this.wait = setTimeout(() => {
          this.wait = null;
          if (!this.again) return;
          this.again = false;
          void this.run();
        }, this.span);
      }
    }
  }
}
