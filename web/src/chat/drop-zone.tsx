/** The whole chat takes files that are dropped on it. */

import { type DragEvent, type ReactNode, useState } from "react";
import { texts } from "../texts";

interface DropZoneProps {
  onDrop: (files: File[]) => void;
  children: ReactNode;
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes("Files");
}

export function DropZone({ onDrop, children }: DropZoneProps) {
  const [over, setOver] = useState(false);

  function hover(event: DragEvent) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(true);
  }

  function leave(event: DragEvent<HTMLElement>) {
    if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
  }

  function drop(event: DragEvent) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(false);
    onDrop([...event.dataTransfer.files]);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button is for everybody.
    <div
      onDragEnter={hover}
      onDragOver={hover}
      onDragLeave={leave}
      onDrop={drop}
      className="relative flex min-h-0 flex-1 flex-col"
    >
      {children}
      {over && (
        <div className="pointer-events-none absolute inset-2 z-10 flex items-center justify-center rounded-2xl border-2 border-dashed border-accent bg-surface/85 font-medium text-accent">
          {texts.chat.files.drop}
        </div>
      )}
    </div>
  );
}
