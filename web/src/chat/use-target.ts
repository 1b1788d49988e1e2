/** Opens a chat at the message that its address names. */

import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { describeFailure } from "../api/failure";
import { texts } from "../texts";
import { useToast } from "../ui/toast";
import { anchorOf, parseAnchor } from "./message-link";
import type { OpenConversation } from "./use-conversation";
import type { useStick } from "./use-stick";

const MARKED_MS = 2_400;

/** For the eye that looks where it is now; who reads by keyboard or ear goes on from there. */
function mark(message: HTMLElement): void {
  // After the composer, which takes the focus when a chat is opened.
  setTimeout(() => message.focus({ preventScroll: true }), 0);
  message.animate?.(
    [{ backgroundColor: "var(--color-accent-soft)" }, { backgroundColor: "transparent" }],
    { duration: MARKED_MS, easing: "ease-in" },
  );
}

export function useTarget(
  { earlier: { reach } }: Pick<OpenConversation, "earlier">,
  { toMessage }: ReturnType<typeof useStick>,
): void {
  const { hash, key } = useLocation();
  const say = useToast();
  const wanted = useRef<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same address again leads there again.
  useEffect(() => {
    const messageId = parseAnchor(hash);
    wanted.current = messageId;
    if (messageId === null) return;
    reach(messageId).then(
      (found) => !found && say(texts.chat.messageGone, "failed"),
      (error) => say(describeFailure(error), "failed"),
    );
  }, [hash, key, reach, say]);

  useEffect(() => {
    if (wanted.current === null) return;
    const message = document.getElementById(anchorOf(wanted.current));
    if (message === null) return;
    wanted.current = null;
    toMessage(message);
    mark(message);
  });
}
