/** The edge of the dock: dragged, or moved with the arrow keys, it makes the dock wider. */

import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { texts } from "../texts";
import { classes } from "../ui/classes";
import { clampWidth, LEAST_WIDTH, mostWidth, USUAL_WIDTH, widthAfterKey } from "./width";

interface ResizeHandleProps {
  width: number;
  onChange: (width: number) => void;
  /** The width was chosen, so it can be kept. */
  onDone: (width: number) => void;
}

export function ResizeHandle({ width, onChange, onDone }: ResizeHandleProps) {
  const [grip, setGrip] = useState<{ x: number; width: number } | null>(null);

  function drag({ clientX }: PointerEvent) {
    if (grip !== null) onChange(clampWidth(grip.width + grip.x - clientX, window.innerWidth));
  }

  function drop() {
    if (grip === null) return;
    setGrip(null);
    onDone(width);
  }

  function press(event: KeyboardEvent) {
    const wanted = widthAfterKey(event.key, width, event.shiftKey);
    if (wanted === null) return;
    event.preventDefault();
    onDone(clampWidth(wanted, window.innerWidth));
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that can be moved is no rule between texts.
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={texts.dock.resize}
      aria-valuenow={width}
      aria-valuemin={LEAST_WIDTH}
      aria-valuemax={mostWidth(window.innerWidth)}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setGrip({ x: event.clientX, width });
      }}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={drop}
      onDoubleClick={() => onDone(clampWidth(USUAL_WIDTH, window.innerWidth))}
      onKeyDown={press}
      className="group/edge absolute inset-y-3 -left-2 z-10 flex w-2 cursor-col-resize touch-none justify-center rounded-full"
    >
      <span
        className={classes(
          "h-full w-0.5 rounded-full transition-colors duration-100 group-hover/edge:bg-line-strong",
          grip !== null && "bg-accent!",
        )}
      />
    </div>
  );
}
