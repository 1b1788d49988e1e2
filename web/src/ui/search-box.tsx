/** The search of a page. The `/` key finds it by `data-page-search`. */

import { Search, X } from "lucide-react";
import { texts } from "../texts";
import { IconButton } from "./button";
import { TextInput } from "./input";

interface SearchBoxProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  return (
    <div className="relative min-w-40 flex-1 sm:max-w-64">
      <Search
        size={15}
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-faint"
      />
      <TextInput
        type="search"
        data-page-search
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-8! pr-8 pl-8 pointer-coarse:h-10! [&::-webkit-search-cancel-button]:hidden"
      />
      {value !== "" && (
        <IconButton
          label={texts.actions.clearSearch}
          icon={X}
          onClick={() => onChange("")}
          className="absolute top-1/2 right-0.5 -translate-y-1/2"
        />
      )}
    </div>
  );
}
