/** Where the chat is that is looked at: on a page of its own, or docked beside another one. */

import { createContext, use } from "react";

export interface ChatPlace {
  docked: boolean;
  /** The chat that is shown, if any is. */
  shownId: string | null;
  /** Grows whenever the composer should take the focus; at zero it must not. */
  focus: number;
  /** Shows another chat in the same place. */
  open: (id: string) => void;
  startNew: () => void;
  /** From the dock to the page, and back beside the page that was looked at before. */
  move: () => void;
  close: () => void;
}

export const PlaceContext = createContext<ChatPlace | null>(null);

export function usePlace(): ChatPlace {
  const place = use(PlaceContext);
  if (place === null) throw new Error("usePlace needs a PlaceContext above it");
  return place;
}
