/** Text of the assistant. Markdown is loaded when it is first needed; until then the text is plain. */

import { Suspense } from "react";
import { deferred } from "../ui/deferred";

const Markdown = deferred(async () => (await import("./markdown")).Markdown);

interface RichTextProps {
  text: string;
  growing?: boolean;
}

export function RichText({ text, growing = false }: RichTextProps) {
  return (
    <Suspense fallback={<p className="leading-relaxed whitespace-pre-wrap">{text}</p>}>
      <Markdown text={text} growing={growing} />
    </Suspense>
  );
}
