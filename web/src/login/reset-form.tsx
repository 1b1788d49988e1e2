/** A new password, typed twice, for somebody who came with a link. */

import { useState } from "react";
import { Link } from "react-router";
import { Problem } from "../api/problem";
import { Form, FormMessage, TextField } from "../forms/form";
import { useForm } from "../forms/use-form";
import { checkPassword, checkRepeated, invalidOf } from "../forms/validate";
import { texts } from "../texts";
import { Banner } from "../ui/banner";
import { Button } from "../ui/button";

interface ResetFormProps {
  onSubmit: (password: string) => Promise<unknown>;
}

export function ResetForm({ onSubmit }: ResetFormProps) {
  const [unusable, setUnusable] = useState(false);
  const form = useForm({
    initial: { password: "", repeated: "" },
    validate: ({ password, repeated }) =>
      invalidOf({
        password: checkPassword(password),
        repeated: checkRepeated(password, repeated),
      }),
    submit: ({ password }) => onSubmit(password),
    onFailure: (error) => {
      const gone = error instanceof Problem && error.status === 410;
      setUnusable(gone);
      return gone;
    },
  });
  if (unusable) return <LinkUnusable />;
  return (
    <Form form={form} label={texts.signIn.resetTitle} className="gap-4">
      <p className="text-muted">{texts.signIn.resetIntro}</p>
      <FormMessage form={form} />
      <TextField
        form={form}
        name="password"
        label={texts.signIn.newPassword}
        kind="password"
        autoComplete="new-password"
      />
      <TextField
        form={form}
        name="repeated"
        label={texts.signIn.repeatPassword}
        kind="password"
        autoComplete="new-password"
      />
      <Button type="submit" variant="primary" size="large" busy={form.busy}>
        {texts.signIn.resetSubmit}
      </Button>
    </Form>
  );
}

function LinkUnusable() {
  return (
    <>
      <Banner tone="danger">{texts.signIn.errors.link_unusable}</Banner>
      <Link to="/login" className="text-center font-medium text-accent hover:underline">
        {texts.signIn.toSignIn}
      </Link>
    </>
  );
}
