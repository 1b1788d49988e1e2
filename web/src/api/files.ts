/** Uploading a file, with how far it has come, and taking it back. */

import { CSRF_HEADER } from "./client";
import { parseProblem, unreachable } from "./problem";
import type { StoredFile } from "./types";

interface Upload {
  onProgress: (part: number) => void;
  signal: AbortSignal;
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** By the older interface: it is the one that tells how much was sent. */
export function uploadFile(file: File, { onProgress, signal }: Upload): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/files");
    request.setRequestHeader(CSRF_HEADER, "1");
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(unreachable());
    request.onabort = () => reject(new DOMException("Stopped", "AbortError"));
    request.onload = () => {
      const body = parseBody(request.responseText);
      if (request.status === 201) return resolve(body as StoredFile);
      const headers = new Headers({
        "content-type": request.getResponseHeader("content-type") ?? "",
      });
      reject(parseProblem(new Response(null, { status: request.status, headers }), body));
    };
    signal.addEventListener("abort", () => request.abort());
    const form = new FormData();
    form.append("file", file);
    request.send(form);
  });
}

/** What stays behind goes by itself after a day. */
export async function discardFile(id: string): Promise<void> {
  const headers = { [CSRF_HEADER]: "1" };
  await fetch(`/api/files/${id}`, { method: "DELETE", headers }).catch(() => {});
}

export const fileUrl = (id: string) => `/api/files/${id}`;
