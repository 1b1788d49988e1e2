/** Stands in for the browser's locks: one holder of a name at a time, the others in their order. */

import type { Locks } from "../../src/live/lead";

interface Waiting {
  held: () => Promise<void>;
  signal: AbortSignal;
  settle: { resolve: () => void; reject: (error: unknown) => void };
}

export class FakeLocks implements Locks {
  #waiting = new Map<string, Waiting[]>();
  #held = new Set<string>();

  request(
    name: string,
    { signal }: { signal: AbortSignal },
    held: () => Promise<void>,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const one: Waiting = { held, signal, settle: { resolve, reject } };
      signal.addEventListener("abort", () => this.#drop(name, one));
      this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), one]);
      this.#next(name);
    });
  }

  #drop(name: string, one: Waiting): void {
    const waiting = this.#waiting.get(name) ?? [];
    if (!waiting.includes(one)) return;
    this.#waiting.set(
      name,
      waiting.filter((other) => other !== one),
    );
    one.settle.reject(new DOMException("Given up", "AbortError"));
  }

  #next(name: string): void {
    if (this.#held.has(name)) return;
    const one = this.#waiting.get(name)?.shift();
    if (one === undefined) return;
    this.#held.add(name);
    void one
      .held()
      .then(one.settle.resolve, one.settle.reject)
      .finally(() => {
        this.#held.delete(name);
        this.#next(name);
      });
  }
}
