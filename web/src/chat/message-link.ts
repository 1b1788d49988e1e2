/** Addresses of single messages, behind the `#` of their chat's. Pure. */

import { chatPath } from "./paths";

const PREFIX = "message-";

/** What its element is called. */
export function anchorOf(messageId: string): string {
  return `${PREFIX}${messageId}`;
}

export function messagePath(chatId: string, messageId: string): string {
  return `${chatPath(chatId)}#${anchorOf(messageId)}`;
}

/** The message that an address leads to, if it does. */
export function parseAnchor(hash: string): string | null {
  const named = hash.replace(/^#/, "");
  return named.startsWith(PREFIX) && named !== PREFIX ? named.slice(PREFIX.length) : null;
}
