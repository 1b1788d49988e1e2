/** The name of a tool, a rule or an action, which may break where its words do. */

import { Fragment } from "react";

const WORDS = /(?<=\.)|(?=[A-Z])/;

interface DottedNameProps {
  name: string;
}

export function DottedName({ name }: DottedNameProps) {
  return name.split(WORDS).map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words are parts of one name and never move.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {word}
    </Fragment>
  ));
}
