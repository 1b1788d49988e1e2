/** Text of the assistant. Markdown is loaded when it is first needed; until then the text is plain. */

import { Suspense } from "react";
import { deferred } from "../ui/deferred";

const Markdown = deferred(async () => (await import("./markdown")).Markdown);

interface RichTextProps {
  text: string;
  growing?: boolean;
}

/** As large as it will be, so that little moves when it becomes rich. */
function Plain({ text }: Pick<RichTextProps, "text">) {
  return (
    <div className="markdown">
      <p className="whitespace-pre-wrap">{text}</p>
    </div>
  );
}

export function RichText({ text, growing = false }: RichTextProps) {
  return (
    <Suspense fallback={<Plain text={text} />}>
      <Markdown text={text} growing={growing} />
    </Suspense>
  );
}
