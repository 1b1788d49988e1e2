/** One message: what a person said, or what the assistant said and did. */

import { memo, type ReactNode, type RefObject, useRef, useState } from "react";
import { texts } from "../texts";
import { classes } from "../ui/classes";
import { Visible } from "../values/visible";
import { type Block, buildBlocks } from "./blocks";
import { Editing } from "./editing";
import { Fold } from "./fold";
import {
  type AnswerValue,
  type ChatMessage,
  type Ending,
  filesOf,
  type ReceiptData,
  skillOf,
  textOf,
} from "./message";
import { AnswerDeeds, IN_GAP, ReadDeeds, SaidDeeds } from "./message-deeds";
import { anchorOf } from "./message-link";
import { useNear } from "./near";
import { PlanCard } from "./plan-card";
import { ProposalPart } from "./proposal-part";
import { QuestionCard } from "./question-card";
import { QuickReplies } from "./quick-replies";
import { RichText } from "./rich-text";
import { SafeLink } from "./safe-link";
import { ShownFiles } from "./shown-files";
import { SkillMark } from "./skill-picker";
import { useHeldBack } from "./use-held-back";

const words = texts.chat;

/** What a message may ask the page to do. All must keep their identity. */
export interface MessageDeeds {
  /** Try the last message again, or say it as it is written now. */
  onRedo: (text?: string) => void;
  onDecided: (proposalId: string) => void;
  onAnswer: (partId: string, value: AnswerValue) => void;
  onSay: (text: string) => void;
}

interface MessageViewProps extends MessageDeeds {
  message: ChatMessage;
  /** It is being written. */
  growing: boolean;
  /** A person has said something after it. */
  passed: boolean;
  /** Something goes on, so that nothing can be answered now. */
  blocked: boolean;
  /** The last that was said, or what followed it at the end. */
  last: boolean;
  /** Shown with all it has even before it comes near. */
  whole?: boolean;
  /** An older version: it can be copied, and nothing else. */
  readOnly?: boolean;
  /** The way to its other versions. */
  pager?: ReactNode;
}

interface Shown extends MessageViewProps {
  element: RefObject<HTMLElement | null>;
  /** Far from what is looked at: its plain text will do. */
  far: boolean;
}

export const MessageView = memo(function MessageView(props: MessageViewProps) {
  const element = useRef<HTMLElement>(null);
  const near = useNear(element, props.whole ?? false);
  const shown = { ...props, element, far: !near && !props.growing };
  return props.message.role === "user" ? <Said {...shown} /> : <Answered {...shown} />;
});

function Said({ message, last, onRedo, element, far, readOnly, pager }: Shown) {
  const [editing, setEditing] = useState(false);
  const text = textOf(message);
  const files = filesOf(message);
  const skill = skillOf(message);
  const deeds = readOnly ? (
    <ReadDeeds message={message} />
  ) : (
    <SaidDeeds message={message} onEdit={last ? () => setEditing(true) : null} />
  );
  return (
    <article
      ref={element}
      id={anchorOf(message.id)}
      tabIndex={-1}
      aria-label={words.you}
      className="group/message flex flex-col items-end gap-2 rounded-lg pl-8 outline-none! sm:pl-16"
    >
      {!far && <ShownFiles files={files} />}
      {skill !== null && <SkillMark name={skill.data.name} />}
      {editing ? (
        <Editing
          text={text}
          mayBeEmpty={files.length > 0}
          onCancel={() => setEditing(false)}
          onSend={(written) => {
            setEditing(false);
            onRedo(written);
          }}
        />
      ) : (
        <>
          {text !== "" && (
            <p
              dir="auto"
              className="max-w-full rounded-2xl rounded-br-md bg-accent-soft px-4 py-2.5 text-[0.9375rem] leading-relaxed whitespace-pre-wrap text-on-accent-soft wrap-anywhere"
            >
              {text}
            </p>
          )}
          <div
            className={classes("flex min-h-7 items-center gap-1.5 pointer-coarse:min-h-9", IN_GAP)}
          >
            {pager}
            {!far && deeds}
          </div>
        </>
      )}
    </article>
  );
}

function Answered({ element, far, ...props }: Shown) {
  return (
    <article
      ref={element}
      id={anchorOf(props.message.id)}
      tabIndex={-1}
      aria-label={words.assistant}
      aria-busy={props.growing}
      className="group/message flex flex-col gap-3.5 rounded-lg outline-none!"
    >
      {far ? <Plain message={props.message} /> : <Blocks {...props} />}
    </article>
  );
}

/** About as high as what it stands for, so that the scrollbar does not lie much. */
function Plain({ message }: Pick<MessageViewProps, "message">) {
  return (
    <div className="markdown min-h-24 pb-5 pointer-coarse:pb-10">
      <p className="whitespace-pre-wrap">{textOf(message)}</p>
    </div>
  );
}

function Blocks({ message, growing, readOnly, ...rest }: MessageViewProps) {
  const blocks = useHeldBack(buildBlocks(message.parts), growing);
  return (
    <>
      {blocks.map((block, index) => (
        <BlockView
          key={block.key}
          block={block}
          growing={growing && index === blocks.length - 1}
          {...rest}
        />
      ))}
      {growing && blocks.at(-1)?.kind !== "text" && blocks.at(-1)?.kind !== "steps" && <Working />}
      {!growing && rest.passed && <BrokenOff ending={message.metadata?.status} />}
      {!growing && blocks.length > 0 && !readOnly && (
        <AnswerDeeds message={message} last={rest.last} onRetry={() => rest.onRedo()} />
      )}
      {readOnly && blocks.length > 0 && <ReadDeeds message={message} />}
    </>
  );
}

const BROKEN_OFF: Record<Ending, string | null> = {
  completed: null,
  failed: words.brokeOff,
  cancelled: words.stopped,
  superseded: words.stopped,
};

interface BrokenOffProps {
  ending: Ending | null | undefined;
}

/** Of the last answer the notice below it says the same, and more. */
function BrokenOff({ ending }: BrokenOffProps) {
  const said = ending ? BROKEN_OFF[ending] : null;
  return said && <p className="text-[0.8125rem] text-muted">{said}</p>;
}

export function Working() {
  return (
    <p role="status" className="text-[0.8125rem] text-muted">
      <span className="shimmer">{words.working}</span>
    </p>
  );
}

type BlockState = Pick<MessageViewProps, "growing" | "passed" | "blocked">;

interface BlockViewProps extends BlockState, MessageDeeds {
  block: Block;
}

function BlockView({ block, growing, onDecided, onSay, ...rest }: BlockViewProps): ReactNode {
  switch (block.kind) {
    case "text":
      return <RichText text={block.text} growing={growing} />;
    case "steps":
      return <Fold steps={block.steps} working={growing} />;
    case "proposal":
      return <ProposalPart data={block.data} onDecided={onDecided} />;
    case "receipt":
      return <Receipt data={block.data} />;
    case "question":
      return <QuestionPart block={block} {...rest} />;
    case "plan":
      return <PlanCard data={block.data} passed={rest.passed} />;
    case "replies":
      return rest.passed ? null : (
        <QuickReplies replies={block.replies} blocked={rest.blocked} onSay={onSay} />
      );
    case "sources":
      return <Sources sources={block.sources} />;
  }
}

interface ReceiptProps {
  data: ReceiptData;
}

export function Receipt({ data }: ReceiptProps) {
  const states: Record<string, string> = words.receipts;
  return (
    <div className="rounded-xl border border-line bg-raised px-4 py-3.5">
      <p className="font-semibold">
        <Visible text={data.summary} />
      </p>
      <p className="text-[0.8125rem] text-muted">{states[data.state] ?? data.state}</p>
    </div>
  );
}

interface QuestionPartProps extends Pick<BlockViewProps, "passed" | "blocked" | "onAnswer"> {
  block: Extract<Block, { kind: "question" }>;
}

function QuestionPart({ block, onAnswer, ...state }: QuestionPartProps) {
  const { partId, data } = block;
  return (
    <QuestionCard
      questions={data.questions}
      answer={data.answer ?? null}
      onAnswer={(value) => partId !== null && onAnswer(partId, value)}
      {...state}
    />
  );
}

type SourcesProps = Pick<Extract<Block, { kind: "sources" }>, "sources">;

export function Sources({ sources }: SourcesProps) {
  return (
    <section className="text-[0.8125rem]">
      <h3 className="text-xs font-medium text-muted">{words.sources}</h3>
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
        {sources.map((source) => (
          <li key={source.sourceId}>
            {source.type === "source-url" ? (
              <SafeLink href={source.url}>{source.title ?? source.url}</SafeLink>
            ) : (
              source.title
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
