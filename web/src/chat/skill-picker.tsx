/** Choosing a skill for what one is about to say, and the mark that it is chosen. */

import { useQuery } from "@tanstack/react-query";
import { Sparkles, X } from "lucide-react";
import { skillsQuery } from "../api/knowledge";
import type { Skill } from "../api/types";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { Menu, MenuItem } from "../ui/menu";

const words = texts.chat.skills;

interface SkillButtonProps {
  open: boolean;
  onOpen: (open: boolean) => void;
  onChoose: (skill: Skill) => void;
  disabled: boolean;
}

/** Nothing for those who may use none. */
export function SkillButton({ open, onOpen, onChoose, disabled }: SkillButtonProps) {
  const { data: skills = [] } = useQuery({ ...skillsQuery, retry: false });
  if (skills.length === 0) return null;
  return (
    <Menu
      open={open}
      onOpen={onOpen}
      align="start"
      side="top"
      trigger={
        <IconButton
          label={words.choose}
          icon={Sparkles}
          disabled={disabled}
          className="size-9! rounded-xl!"
        />
      }
    >
      {skills.map((skill) => (
        <MenuItem key={skill.id} onSelect={() => onChoose(skill)}>
          <span className="min-w-0">
            <span className="block">{skill.name}</span>
            <span className="block text-xs text-muted">{skill.description}</span>
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}

interface ChosenSkillProps {
  skill: Skill;
  onDrop: () => void;
}

export function ChosenSkill({ skill, onDrop }: ChosenSkillProps) {
  return (
    <p className="flex items-center gap-1.5 px-2 pt-1 text-[0.8125rem] text-muted">
      <Sparkles size={14} aria-hidden="true" className="text-accent" />
      <span>{words.with(skill.name)}</span>
      <IconButton label={words.without(skill.name)} icon={X} onClick={onDrop} />
    </p>
  );
}

interface SkillMarkProps {
  name: string;
}

/** Which skill a message was said with. */
export function SkillMark({ name }: SkillMarkProps) {
  return (
    <p className="flex items-center gap-1.5 text-[0.8125rem] text-muted">
      <Sparkles size={14} aria-hidden="true" className="text-accent" />
      {words.with(name)}
    </p>
  );
}
