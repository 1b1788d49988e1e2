/** Where chats are. Pure. */

export const NEW_CHAT_PATH = "/";

export function chatPath(id: string): string {
  return `/chat/${encodeURIComponent(id)}`;
}
