/**
 * Markdown without anything that reaches out: no images, no raw HTML, links only through `SafeLink`.
 *
 * Every element is our own, so that nothing of the renderer's look or buttons comes along.
 */

import { type ComponentProps, createContext, type ReactNode, useContext, useMemo } from "react";
import { type Components, defaultRehypePlugins, Streamdown } from "streamdown";
import { texts } from "../texts";
import { CodeBlock } from "./code-block";
import { findTail, mayGoOn } from "./link-target";
import { SafeLink } from "./safe-link";

type Pluggables = NonNullable<ComponentProps<typeof Streamdown>["rehypePlugins"]>;

/** Without the plugin that parses HTML, tags are shown as the text they are. */
const REHYPE = [defaultRehypePlugins.sanitize].filter((plugin) => plugin !== undefined);

interface ElementProps {
  children?: ReactNode;
}

function bare(Tag: keyof typeof TAGS) {
  return ({ children }: ElementProps) => <Tag>{children}</Tag>;
}

const TAGS = {
  p: true,
  ul: true,
  li: true,
  strong: true,
  em: true,
  blockquote: true,
  thead: true,
  tbody: true,
  tr: true,
  th: true,
  td: true,
  sup: true,
  sub: true,
  section: true,
} as const;

/** An answer is part of a page that has headings of its own. */
const heading = ({ children }: ElementProps) => <h3>{children}</h3>;
const smallHeading = ({ children }: ElementProps) => <h4>{children}</h4>;

interface ImageProps {
  alt?: string | undefined;
}

function Image({ alt }: ImageProps) {
  return (
    <span className="text-muted">{alt ? texts.chat.image(alt) : texts.chat.imageUnnamed}</span>
  );
}

const Tail = createContext("");

interface AnchorProps extends ElementProps {
  href?: string;
}

/** A bare address is a link from its first letters on: half of one must not be followed. */
function Anchor({ href, children }: AnchorProps) {
  const unfinished = mayGoOn(href, useContext(Tail));
  return <SafeLink href={unfinished ? undefined : href}>{children}</SafeLink>;
}

function Table({ children }: ElementProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard.
    <div tabIndex={0} className="markdown-table">
      <table>{children}</table>
    </div>
  );
}

const own = Object.fromEntries(
  Object.keys(TAGS).map((tag) => [tag, bare(tag as keyof typeof TAGS)]),
);

const COMPONENTS = {
  ...own,
  h1: heading,
  h2: heading,
  h3: heading,
  h4: smallHeading,
  h5: smallHeading,
  h6: smallHeading,
  hr: () => <hr />,
  ol: ({ children, start }: ElementProps & { start?: number }) => <ol start={start}>{children}</ol>,
  a: Anchor,
  img: Image,
  table: Table,
  pre: ({ children }: ElementProps) => <CodeBlock>{children}</CodeBlock>,
  code: ({ children }: ElementProps) => <code>{children}</code>,
  inlineCode: ({ children }: ElementProps) => <code>{children}</code>,
} as unknown as Components;

interface MarkdownProps {
  text: string;
  growing: boolean;
}

export function Markdown({ text, growing }: MarkdownProps) {
  const plugins = useMemo(() => REHYPE as Pluggables, []);
  return (
    <Tail value={growing ? findTail(text) : ""}>
      <Streamdown
        className="markdown"
        mode={growing ? "streaming" : "static"}
        isAnimating={growing}
        parseIncompleteMarkdown={growing}
        controls={false}
        components={COMPONENTS}
        rehypePlugins={plugins}
        linkSafety={{ enabled: false }}
      >
        {text}
      </Streamdown>
    </Tail>
  );
}
