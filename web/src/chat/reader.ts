/**
 * Who scrolls: the reader, or the browser because what is shown has become shorter.
 *
 * A scroll event does not say. It is the reader's if they have just turned the wheel, moved a finger,
 * pressed a key that scrolls or held the scrollbar; and without any of that (a search in the page, a
 * screen reader) if nothing has changed its size lately.
 */

const GESTURE_MS = 800;
const CHANGE_MS = 300;
const MIDDLE = 1;
const KEYS = new Set(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", "Tab", " "]);

interface Reader {
  /** Whether what scrolls now is the reader. */
  scrolls: () => boolean;
  /** Something has changed its size. */
  seeChange: () => void;
  leave: () => void;
}

export function followReader(
  box: HTMLElement,
  now: () => number = () => performance.now(),
): Reader {
  let [gesture, change, holds] = [-Infinity, -Infinity, false];
  let height = box.scrollHeight;
  const listening = new AbortController();
  const options = { passive: true, signal: listening.signal };
  const move = () => {
    gesture = now();
  };
  box.addEventListener("wheel", move, options);
  box.addEventListener("touchmove", move, options);
  box.addEventListener("keydown", ({ key }) => KEYS.has(key) && move(), options);
  box.addEventListener(
    "pointerdown",
    ({ target, button }) => {
      holds = target === box || button === MIDDLE;
    },
    options,
  );
  for (const end of ["pointerup", "pointercancel"]) {
    window.addEventListener(
      end,
      () => {
        if (holds) move();
        holds = false;
      },
      options,
    );
  }
  const seeChange = () => {
    [change, height] = [now(), box.scrollHeight];
  };
  return {
    scrolls: () => {
      // The browser tells of a scroll before it tells of the size that led to it.
      if (box.scrollHeight !== height) seeChange();
      return holds || now() - gesture < GESTURE_MS || now() - change > CHANGE_MS;
    },
    seeChange,
    leave: () => listening.abort(),
  };
}
