/** Which days are shown: a usual period, or days of one's own. */

import { useState } from "react";
import { clock } from "../api/client";
import type { Days } from "../api/usage";
import { texts } from "../texts";
import { TextInput } from "../ui/input";
import { Select } from "../ui/select";
import { daysOf, listDays, type Period } from "./days";

const words = texts.usage;
const PERIODS = Object.keys(words.periods) as (Period | "custom")[];

export interface PeriodState {
  chosen: Period | "custom";
  days: Days;
  choose: (period: Period | "custom") => void;
  setDays: (days: Days) => void;
}

/** Days that make no period are shown as typed, and the last good ones are asked for. */
export function usePeriod(): PeriodState {
  const [chosen, setChosen] = useState<Period | "custom">("month");
  const [days, setDays] = useState<Days>(() => daysOf("month", clock.now()));
  return {
    chosen,
    days,
    choose: (period) => {
      setChosen(period);
      if (period !== "custom") setDays(daysOf(period, clock.now()));
    },
    setDays: (wanted) => {
      if (listDays(wanted).length > 0) setDays(wanted);
    },
  };
}

interface PeriodPickerProps {
  period: PeriodState;
}

export function PeriodPicker({ period }: PeriodPickerProps) {
  const { chosen, days, choose, setDays } = period;
  return (
    <>
      <Select
        compact
        label={words.period}
        value={chosen}
        choices={PERIODS.map((value) => ({ value, label: words.periods[value] }))}
        onChange={choose}
      />
      {chosen === "custom" && (
        <>
          <DayInput
            label={words.from}
            value={days.from}
            onChange={(from) => setDays({ ...days, from })}
          />
          <DayInput label={words.to} value={days.to} onChange={(to) => setDays({ ...days, to })} />
        </>
      )}
    </>
  );
}

interface DayInputProps {
  label: string;
  value: string;
  onChange: (day: string) => void;
}

function DayInput({ label, value, onChange }: DayInputProps) {
  return (
    <TextInput
      type="date"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-8! w-auto!"
    />
  );
}
