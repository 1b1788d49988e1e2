/** The short name of a new entry. Left empty it follows the name. */

import { texts } from "../texts";
import { TextField } from "./form";
import type { FormState } from "./use-form";
import { slugFrom } from "./validate";

interface SlugFieldProps {
  form: FormState<{ name: string; slug: string }>;
}

export function SlugField({ form }: SlugFieldProps) {
  return (
    <TextField
      form={form}
      name="slug"
      label={texts.forms.slug}
      hint={texts.forms.slugHint}
      placeholder={slugFrom(form.values.name)}
    />
  );
}
