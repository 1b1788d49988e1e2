/**
 * Going back while something is typed: the way is taken back before the router hears of it, and
 * whoever wants to leave goes it again. Listeners of a window are called in the order in which they
 * came, so this one has to be there before the router's.
 */

type Asked = (steps: number) => void;

interface Guard {
  here: number;
  ask: Asked;
}

let guard: Guard | null = null;
let returning = false;

/** Where the router counts a step of the browser's history. */
function stepOf(state: unknown): number | null {
  const step = (state as { idx?: unknown } | null)?.idx;
  return typeof step === "number" ? step : null;
}

function onPop(event: PopStateEvent) {
  const there = stepOf(event.state);
  if (returning) {
    returning = false;
    event.stopImmediatePropagation();
  } else if (guard !== null && there !== null && there !== guard.here) {
    event.stopImmediatePropagation();
    returning = true;
    window.history.go(guard.here - there);
    guard.ask(there - guard.here);
  }
}

/** Once, before there is a router. */
export function watchBack() {
  window.addEventListener("popstate", onPop);
}

/** Ask before going back from here; gives the end of that. */
export function guardBack(ask: Asked): () => void {
  const here = stepOf(window.history.state);
  const own = here === null ? null : { here, ask };
  guard = own;
  return () => {
    if (guard === own) guard = null;
  };
}
