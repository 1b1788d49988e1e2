/** Files that are chosen for a message: uploaded at once, kept with the draft until they are sent. */

import { useEffect, useRef, useState } from "react";
import { describeFailure } from "../api/failure";
import { discardFile, uploadFile } from "../api/files";
import { texts } from "../texts";
import {
  type Attachment,
  change,
  isReady,
  LARGEST_FILE,
  MOST_FILES,
  parseKept,
} from "./attachments";
import { readKept, writeKept } from "./draft";

const words = texts.chat.files;
const keyOf = (conversationId: string) => `assent.files.${conversationId}`;

export function useAttachments(conversationId: string) {
  const key = keyOf(conversationId);
  const [all, setAll] = useState<Attachment[]>(() => parseKept(readKept(key)));
  const [tooMany, setTooMany] = useState(false);
  const numbered = useRef(0);
  const uploads = useRef(new Map<string, AbortController>());

  useEffect(() => {
    const ready = all.filter(isReady);
    writeKept(key, ready.length === 0 ? "" : JSON.stringify(ready));
  }, [key, all]);
  useEffect(() => () => uploads.current.forEach((one) => void one.abort()), []);

  async function send(chosen: Attachment, file: File) {
    const upload = new AbortController();
    uploads.current.set(chosen.key, upload);
    const show = (next: Attachment) => setAll((now) => change(now, chosen.key, next));
    try {
      const stored = await uploadFile(file, {
        onProgress: (part) => show({ ...chosen, state: "sending", part }),
        signal: upload.signal,
      });
      const { id, name, mediaType, size } = stored;
      show({ key: chosen.key, name, size, state: "ready", fileId: id, mediaType });
    } catch (error) {
      if (!upload.signal.aborted) show({ ...chosen, state: "failed", why: describeFailure(error) });
    } finally {
      uploads.current.delete(chosen.key);
    }
  }

  function add(files: readonly File[]) {
    const room = MOST_FILES - all.length;
    setTooMany(files.length > room);
    for (const file of files.slice(0, Math.max(room, 0))) {
      numbered.current += 1;
      const one = { key: `${Date.now()}-${numbered.current}`, name: file.name, size: file.size };
      if (file.size > LARGEST_FILE) {
        setAll((now) => [...now, { ...one, state: "failed", why: words.tooLarge }]);
        continue;
      }
      const chosen: Attachment = { ...one, state: "sending", part: 0 };
      setAll((now) => [...now, chosen]);
      void send(chosen, file);
    }
  }

  function remove(gone: Attachment) {
    uploads.current.get(gone.key)?.abort();
    if (gone.state === "ready") void discardFile(gone.fileId);
    setAll((now) => now.filter((one) => one.key !== gone.key));
    setTooMany(false);
  }

  /** They belong to a message now. */
  function clear() {
    setAll([]);
    setTooMany(false);
  }

  return { all, ready: all.filter(isReady), tooMany, add, remove, clear };
}

export type Attachments = ReturnType<typeof useAttachments>;
