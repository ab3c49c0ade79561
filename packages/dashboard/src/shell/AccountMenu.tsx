import { Link } from '@tanstack/react-router'
import { useSession } from '../api/session.ts'
import { Menu, MenuHeading, MenuItem, MenuSeparator } from '../components/Menu.tsx'
import { shortcuts, theme } from '../preferences/preferences.ts'
import { themeChoices } from '../preferences/preferenceWords.ts'
import { usePreference } from '../preferences/usePreference.ts'
import styles from './Switches.module.css'
import { useSignOut } from './useSignOut.tsx'

/** The signed-in person: account, theme, documentation, sign-out. */
export function AccountMenu() {
  const { user, organization } = useSession()
  const [chosen, choose] = usePreference(theme)
  const [singleKeys, chooseSingleKeys] = usePreference(shortcuts)
  const short = initials(user.name)
  const signOut = useSignOut()
  return (
    <>
      <Menu
        align="end"
        trigger={
          // The accessible name contains the visible text (WCAG 2.5.3).
          <button type="button" className={styles.avatar} aria-label={`Account of ${user.name}, ${short}`}>
            {short}
          </button>
        }
      >
        <MenuHeading>
          {user.name}
          {user.email !== undefined && user.email !== user.name && <div>{user.email}</div>}
        </MenuHeading>
        <MenuSeparator />
        <MenuHeading>Theme</MenuHeading>
        {themeChoices.map(({ value, label }) => (
          <MenuItem key={value} isCurrent={value === chosen} onSelect={() => choose(value)}>
            {value === chosen ? '✓' : '\u2003'} {label}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem link={<Link to="/o/$org/settings/account" params={{ org: organization.id }} />}>Account</MenuItem>
        <MenuItem link={<Link to="/o/$org/settings/profile-overrides" params={{ org: organization.id }} />}>
          Self-targeting
        </MenuItem>
        <MenuItem onSelect={() => chooseSingleKeys(singleKeys === 'on' ? 'off' : 'on')}>
          Single-key shortcuts: {singleKeys}
        </MenuItem>
        <MenuItem link={<a href="/docs" target="_blank" rel="noreferrer" />}>API reference</MenuItem>
        <MenuItem onSelect={signOut.start}>Sign out</MenuItem>
      </Menu>
      {signOut.dialog}
    </>
  )
}

function initials(name: string): string {
  const words = name.trim().split(/[\s@._-]+/u)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => (word ? [...word][0] : ''))
    .join('')
    .toUpperCase()
}
