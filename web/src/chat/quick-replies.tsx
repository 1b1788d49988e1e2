/** What could be said next: one click says it. */

import { texts } from "../texts";
import { Visible } from "../values/visible";

interface QuickRepliesProps {
  replies: readonly string[];
  /** Nothing can be said at this moment. */
  blocked: boolean;
  onSay: (text: string) => void;
}

export function QuickReplies({ replies, blocked, onSay }: QuickRepliesProps) {
  return (
    <ul aria-label={texts.chat.replies} className="flex flex-wrap gap-2">
      {replies.map((reply) => (
        <li key={reply} className="max-w-full">
          <button
            type="button"
            disabled={blocked}
            onClick={() => onSay(reply)}
            className="control max-w-full rounded-full! px-3.5 py-1.5 text-left text-[0.8125rem] wrap-anywhere enabled:hover:bg-hover disabled:opacity-60 pointer-coarse:min-h-10"
          >
            <Visible text={reply} />
          </button>
        </li>
      ))}
    </ul>
  );
}
