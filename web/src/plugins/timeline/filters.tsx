/** Narrowing a list by choices that are kept in the address. */

import { useSearchParams } from "react-router";
import { type Choice, Select } from "../../ui/select";

const ANY = "any";

export interface Filter {
  name: string;
  label: string;
  any: string;
  choices: readonly Choice[];
}

interface FilterState {
  values: Record<string, string>;
  active: boolean;
  choose: (name: string, value: string) => void;
  clear: () => void;
}

/** What the address says that is not one of the choices counts for nothing. */
export function useFilters(filters: readonly Filter[]): FilterState {
  const [parameters, setParameters] = useSearchParams();
  const values = Object.fromEntries(
    filters.flatMap(({ name, choices }) => {
      const value = parameters.get(name);
      return choices.some((choice) => choice.value === value) ? [[name, value ?? ""]] : [];
    }),
  );
  return {
    values,
    active: Object.keys(values).length > 0,
    choose: (name, value) =>
      setParameters(
        (current) => {
          if (value === ANY) current.delete(name);
          else current.set(name, value);
          return current;
        },
        { replace: true },
      ),
    clear: () => setParameters({}, { replace: true }),
  };
}

interface FilterSelectsProps {
  filters: readonly Filter[];
  state: FilterState;
}

export function FilterSelects({ filters, state }: FilterSelectsProps) {
  return filters.map(({ name, label, any, choices }) => (
    <Select
      key={name}
      compact
      label={label}
      value={state.values[name] ?? ANY}
      choices={[{ value: ANY, label: any }, ...choices]}
      onChange={(value) => state.choose(name, value)}
    />
  ));
}
