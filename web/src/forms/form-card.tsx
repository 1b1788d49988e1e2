/** A form that stands on a page: its fields, and under them the button that saves. */

import type { ReactNode } from "react";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Card } from "../ui/page";
import { Form, FormMessage } from "./form";
import { LeaveGuard } from "./leave-guard";
import type { FormState } from "./use-form";

interface FormCardProps<Values extends object> {
  form: FormState<Values>;
  label: string;
  action?: string;
  /** Without it there is no button: the person may look, and the reason is said. */
  mayChange?: boolean;
  children: ReactNode;
}

export function FormCard<Values extends object>({
  form,
  label,
  action = texts.actions.save,
  mayChange = true,
  children,
}: FormCardProps<Values>) {
  return (
    <Card className="max-w-3xl">
      <LeaveGuard active={mayChange && form.dirty} />
      <Form form={form} label={label}>
        <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-4 p-5">
          <FormMessage form={form} />
          {children}
        </fieldset>
        <div className="flex min-h-14 flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t border-line px-5 py-3">
          <p role="status" className="mr-auto text-[0.8125rem] text-muted">
            {mayChange ? form.dirty && texts.forms.unsaved : texts.forms.mayOnlyLook}
          </p>
          {mayChange && (
            <Button type="submit" variant="primary" busy={form.busy} disabled={!form.dirty}>
              {action}
            </Button>
          )}
        </div>
      </Form>
    </Card>
  );
}
