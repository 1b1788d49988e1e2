/** Rating an answer: up at once, down with reasons and a comment. */

import { ThumbsDown, ThumbsUp } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { describeFailure } from "../api/failure";
import { rateMessage, unrateMessage } from "../api/messages";
import type { Feedback } from "../api/types";
import { texts } from "../texts";
import { Button, IconButton } from "../ui/button";
import { TextInput } from "../ui/input";
import { useToast } from "../ui/toast";
import type { ChatMessage } from "./message";

const words = texts.chat;
const REASONS = Object.keys(words.feedback.reasons) as (keyof typeof words.feedback.reasons)[];
const CHOSEN = "[&_svg]:fill-current text-accent!";

export function useRating(message: ChatMessage) {
  const [feedback, setFeedback] = useState<Feedback | null>(message.metadata?.feedback ?? null);
  const [asking, setAsking] = useState(false);
  const say = useToast();

  async function set(next: Feedback | null) {
    const before = feedback;
    setFeedback(next);
    try {
      if (next === null) await unrateMessage(message.id);
      else await rateMessage(message.id, next);
    } catch (error) {
      setFeedback(before);
      say(describeFailure(error), "failed");
    }
  }

  function press(rating: Feedback["rating"]) {
    const again = feedback?.rating === rating;
    setAsking(rating === "down" && !again);
    void set(again ? null : { rating, reasons: [], comment: "" });
  }

  const rating = feedback?.rating;
  const buttons = (
    <>
      <IconButton
        label={words.good}
        icon={ThumbsUp}
        aria-pressed={rating === "up"}
        onClick={() => press("up")}
        className={rating === "up" ? CHOSEN : undefined}
      />
      <IconButton
        label={words.bad}
        icon={ThumbsDown}
        aria-pressed={rating === "down"}
        onClick={() => press("down")}
        className={rating === "down" ? CHOSEN : undefined}
      />
    </>
  );
  const panel = asking && (
    <Why
      onSend={(reasons, comment) => {
        setAsking(false);
        void set({ rating: "down", reasons, comment }).then(() => say(words.feedback.thanks));
      }}
      onCancel={() => setAsking(false)}
    />
  );
  return { buttons, panel };
}

type Reason = (typeof REASONS)[number];

interface WhyProps {
  onSend: (reasons: Reason[], comment: string) => void;
  onCancel: () => void;
}

function Why({ onSend, onCancel }: WhyProps) {
  const [chosen, setChosen] = useState<Reason[]>([]);
  const [comment, setComment] = useState("");

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    onSend(chosen, comment.trim());
  }

  return (
    <form
      onSubmit={submit}
      aria-label={words.feedback.label}
      className="flex max-w-xl flex-col gap-3 rounded-xl border border-line bg-raised p-4 shadow-soft"
    >
      <fieldset>
        <legend className="pb-2 text-[0.8125rem] font-medium">{words.feedback.ask}</legend>
        <div className="flex flex-wrap gap-2">
          {REASONS.map((reason) => (
            <label
              key={reason}
              className="control flex min-h-8 cursor-pointer items-center px-3 py-1 text-[0.8125rem] has-checked:border-accent has-checked:bg-accent-soft has-checked:text-on-accent-soft has-focus-visible:outline-2 pointer-coarse:min-h-10"
            >
              <input
                type="checkbox"
                checked={chosen.includes(reason)}
                onChange={({ target }) =>
                  setChosen((now) =>
                    target.checked ? [...now, reason] : now.filter((one) => one !== reason),
                  )
                }
                className="sr-only"
              />
              {words.feedback.reasons[reason]}
            </label>
          ))}
        </div>
      </fieldset>
      <TextInput
        aria-label={words.feedback.comment}
        placeholder={words.feedback.comment}
        maxLength={2000}
        value={comment}
        onChange={(event) => setComment(event.target.value)}
      />
      <div className="flex justify-end gap-2">
        <Button size="small" variant="ghost" onClick={onCancel}>
          {texts.actions.cancel}
        </Button>
        <Button size="small" variant="primary" type="submit">
          {words.feedback.send}
        </Button>
      </div>
    </form>
  );
}
