/** Name, appearance and password of the signed-in person. */

import { useQueryClient } from "@tanstack/react-query";
import { changePassword, ME, renameMe, SESSIONS } from "../api/session";
import { useMe } from "../session/me";
import { useTheme } from "../session/theme";
import { texts } from "../texts";
import { Section } from "../ui/page";
import { useToast } from "../ui/toast";
import { NameForm } from "./name-form";
import { PasswordForm } from "./password-form";
import { ThemePicker } from "./theme-picker";

export function ProfilePage() {
  const me = useMe();
  const [theme, setTheme] = useTheme();
  const client = useQueryClient();
  const say = useToast();

  async function rename(name: string): Promise<void> {
    client.setQueryData(ME, await renameMe({ name }));
    say(texts.settings.saved);
  }

  async function setPassword(currentPassword: string | null, newPassword: string): Promise<void> {
    await changePassword({ currentPassword, newPassword });
    say(texts.settings.passwordChanged);
    void client.invalidateQueries({ queryKey: ME });
    void client.invalidateQueries({ queryKey: SESSIONS });
  }

  return (
    <>
      <Section title={texts.settings.you} body={texts.settings.youBody}>
        <NameForm me={me} onSubmit={rename} />
      </Section>
      <Section title={texts.settings.appearance} body={texts.settings.appearanceBody}>
        <ThemePicker theme={theme} onChange={setTheme} />
      </Section>
      <Section
        title={texts.settings.password}
        body={me.hasPassword ? texts.settings.passwordBody : texts.settings.noPasswordBody}
      >
        <PasswordForm hasPassword={me.hasPassword} onSubmit={setPassword} />
      </Section>
    </>
  );
}
