/** Files on their way into a message. Pure. */

import type { FileUIPart } from "ai";
import { fileUrl } from "../api/files";

export const MOST_FILES = 10;
export const LARGEST_FILE = 10 * 1024 * 1024;

const IMAGES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

interface Chosen {
  key: string;
  name: string;
  size: number;
}

export type Attachment =
  | (Chosen & { state: "sending"; part: number })
  | (Chosen & { state: "ready"; fileId: string; mediaType: string })
  | (Chosen & { state: "failed"; why: string });

export type ReadyAttachment = Extract<Attachment, { state: "ready" }>;

export function isImage(mediaType: string): boolean {
  return IMAGES.has(mediaType);
}

export function isReady(attachment: Attachment): attachment is ReadyAttachment {
  return attachment.state === "ready";
}

export function change(
  attachments: readonly Attachment[],
  key: string,
  next: Attachment,
): Attachment[] {
  return attachments.map((one) => (one.key === key ? next : one));
}

/** As the message has them, before the server has said it. */
export function toPart({ fileId, mediaType, name }: ReadyAttachment): FileUIPart {
  return { type: "file", mediaType, filename: name, url: fileUrl(fileId) };
}

/** The ids of our own files in a message. */
export function fileIdsOf(parts: readonly { type: string; url?: string }[]): string[] {
  return parts
    .filter(({ type }) => type === "file")
    .map(({ url = "" }) => url.split("/").at(-1) ?? "");
}

const UNITS = ["B", "KB", "MB"] as const;

export function describeSize(size: number): string {
  const step = size < 1024 ? 0 : size < 1024 * 1024 ? 1 : 2;
  const value = size / 1024 ** step;
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[step]}`;
}

/** Of what was kept for this chat, what still makes sense. */
export function parseKept(kept: string): ReadyAttachment[] {
  try {
    const read: unknown = JSON.parse(kept);
    if (!Array.isArray(read)) return [];
    return read.filter((one) => one?.state === "ready" && typeof one.fileId === "string");
  } catch {
    return [];
  }
}
